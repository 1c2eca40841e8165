#include "pratique/genomes/flow/frequency_release.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <unordered_set>

#include "pratique/core/error.h"
#include "pratique/data/number.h"
#include "pratique/genomes/attack/membership_power.h"
#include "pratique/genomes/flow/internal/named_columns.h"

namespace pratique::genomes::flow {
namespace {

// The power of the test at a false-positive rate, for members this many deviations from others.
double power_at_distance(double apart, double rate) {
  const double z = apart - normal_quantile(1 - rate);
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

}  // namespace

FrequencyRows::FrequencyRows(std::vector<std::string> further)
    : names_({"chrom", "pos", "ref", "alt"}) {
  names_.insert(names_.end(), further.begin(), further.end());
  values_.resize(names_.size());
}

void FrequencyRows::add(const Variant& variant, const std::vector<std::string>& cells) {
  rows_.push_back(static_cast<Code>(rows_.size()));
  values_[0].push_back(variant.chrom);
  values_[1].push_back(std::to_string(variant.position));
  values_[2].push_back(variant.reference);
  values_[3].push_back(variant.alternative);
  for (std::size_t c = 0; c < cells.size(); ++c) values_[4 + c].push_back(cells[c]);
}

Output FrequencyRows::output() const {
  Output output;
  output.row_count = rows_.size();
  for (std::size_t c = 0; c < names_.size(); ++c)
    output.columns.push_back({names_[c], &rows_, &values_[c]});
  return output;
}

double squared_distance_of(double frequency, double people, double error_variance) {
  const double sampling = frequency * (1 - frequency) / (2 * people);
  return sampling > 0 ? sampling / (sampling + error_variance) / people : 0;
}

Json expected_power(double squared_distance) {
  const double apart = std::sqrt(squared_distance);
  return {{"power",
           {{"0.05", power_at_distance(apart, 0.05)},
            {"0.01", power_at_distance(apart, 0.01)},
            {"0.001", power_at_distance(apart, 0.001)}}},
          {"power_at_5", power_at_distance(apart, 0.05)}};
}

std::string decimal_text(double value) {
  std::string text = fmt::format("{:.9f}", value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::vector<Variant> listed_variants(const std::string& path, const Run& run) {
  std::vector<Variant> variants;
  std::unordered_set<std::uint64_t> seen;
  const auto add = [&](Variant variant) {
    put_in_capitals(variant);
    if (seen.insert(variant.key()).second) variants.push_back(std::move(variant));
  };
  if (looks_like_genotypes(path)) {
    const auto file = GenotypeFile::open(path);
    while (file->next()) add(file->variant());
    return variants;
  }
  const Source source = run.open(path);
  const Table table = run.engine.load(source,
                                      {column_called(source, "chrom"), column_called(source, "pos"),
                                       column_called(source, "ref"), column_called(source, "alt")},
                                      run.progress);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto cell = [&](std::size_t c) { return table.columns[c].text(row); };
    if (!is_number(cell(1)) || to_double(cell(1)) < 0) {
      throw Error::input("a position is no number").at(fmt::format("{}:{}", path, row + 2));
    }
    add({.chrom = std::string(plain_chromosome(cell(0))),
         .position = static_cast<std::int64_t>(to_double(cell(1))),
         .reference = std::string(cell(2)),
         .alternative = std::string(cell(3))});
  }
  return variants;
}

}  // namespace pratique::genomes::flow
