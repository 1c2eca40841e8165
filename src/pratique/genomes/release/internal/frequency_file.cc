#include "pratique/genomes/release/internal/frequency_file.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/data/number.h"

namespace pratique::release {
namespace {

using genomes::FrequencyTable;
using genomes::GenotypeSet;
using genomes::ShownGroup;

FrequencyTable shown_in(const Table& table, std::size_t column) {
  FrequencyTable shown;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto cell = [&](std::size_t c) { return table.columns[c].text(row); };
    if (!is_number(cell(1)) || !is_number(cell(column)))
      throw Error::check("a row of the release is no frequency of a variant");
    shown.set({.chrom = std::string(cell(0)),
               .position = static_cast<std::int64_t>(to_double(cell(1))),
               .reference = std::string(cell(2)),
               .alternative = std::string(cell(3))},
              to_double(cell(column)));
  }
  return shown;
}

// What any line of a file has at least; of a file with few lines nothing is known.
void take_fewest_copies(const GenotypeSet& file, genomes::ListRule& rule) {
  constexpr std::size_t kEnoughLines = 64;
  if (file.alleles.size() < kEnoughLines) return;
  std::uint64_t copies = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t rarer = copies;
  for (const auto& counted : file.alleles) {
    copies = std::min(copies, counted.alternative);
    rarer = std::min({rarer, counted.alternative, counted.alleles - counted.alternative});
  }
  // A line that nobody has a copy of does not say that others were not dropped.
  rule.copies = std::max<std::uint64_t>(copies, 1);
  rule.rarer_copies = rarer;
}

// What its options say of the variants that it lists. Calls are of each group whose frequencies
// leave, carriers of all of them together.
void take_list_rules(const ReleaseFile& file, FrequencyFile& read) {
  const Json& options = *file.manifest().options;
  const auto number = [&](const char* name) {
    const auto option = options.find(name);
    return option != options.end() && option->is_number_unsigned() ? option->get<std::uint64_t>()
                                                                   : 0;
  };
  const bool statistics = read.shown.contains("cases");
  const std::uint64_t drawn = number("snps");
  for (const auto& [group, shown] : read.shown) {
    const auto& counted = read.counted.at(group);
    auto& rule = read.listed[group];
    rule = {.all = drawn == 0 || shown.by_variant.size() < drawn,
            .whole = std::find(counted.begin(), counted.end(), false) == counted.end(),
            .of_all = group == "frequency",
            .carriers = number("carriers"),
            .calls = statistics && group == "frequency" ? 0 : number("fewest")};
    take_fewest_copies(*read.people, rule);
  }
}

// Cases and controls by the table that the release was made with.
void take_groups(Engine& engine, const ReleaseFile& file, const Table& table, double cases,
                 double controls, FrequencyFile& read, Progress& progress) {
  const auto recorded = file.manifest().option_text("trait");
  const auto place = recorded ? file.find_input(*recorded) : std::nullopt;
  if (!place) {
    read.why_not = "the table of its trait is not at hand";
    return;
  }
  const Source source = engine.open(*place, {}, progress);
  const auto column = [&](std::string_view name) {
    for (const auto& spelt : source.columns) {
      if (lower(spelt) == name) return spelt;
    }
    throw Error::check("the table of its trait has other columns now").at(*place);
  };
  const Table trait = engine.load(source, {column("sample"), column("case")}, progress);
  std::map<std::string, bool, std::less<>> is_case;
  for (std::size_t row = 0; row < trait.rows(); ++row) {
    const std::string word = lower(std::string(trait.columns[1].text(row)));
    is_case[std::string(trait.columns[0].text(row))] =
        word == "1" || word == "true" || word == "yes" || word == "case";
  }
  for (const auto& sample : read.people->samples) {
    const auto known = is_case.find(sample);
    read.counted["cases"].push_back(known != is_case.end() && known->second);
    read.counted["controls"].push_back(known != is_case.end() && !known->second);
    read.counted["frequency"].push_back(known != is_case.end());
  }
  read.shown["cases"] = shown_in(table, 4);
  read.shown["controls"] = shown_in(table, 5);
  auto& together = read.shown["frequency"];
  for (const auto& [key, of_cases] : read.shown["cases"].by_variant) {
    // Both are of the same rows.
    const double of_controls = *read.shown["controls"].by_variant.find(key);
    together.by_variant[key] =
        static_cast<float>((cases * of_cases + controls * of_controls) / (cases + controls));
  }
}

}  // namespace

ShownGroup FrequencyFile::group(const std::string& name) const {
  const auto rule = listed.find(name);
  return {.shown = &shown.at(name),
          .step = step,
          .noise_variance = noise_variance,
          .people = people.get(),
          .counted = counted.at(name),
          .listed = rule == listed.end() ? genomes::ListRule{} : rule->second};
}

const Json* frequency_claim(const ReleaseFile& file) {
  for (const auto& claim : *file.manifest().claims) {
    const std::string model = claim.value("model", "");
    if (model == "rounded-frequencies" || model == "association-statistics" ||
        model == "noisy-frequencies")
      return &claim;
  }
  return nullptr;
}

FrequencyFile read_frequency_file(Engine& engine, const ReleaseFile& file, Progress& progress) {
  FrequencyFile read;
  const Json* claim = frequency_claim(file);
  if (claim == nullptr) {
    read.why_not = "it does not claim to be allele frequencies";
    return read;
  }
  const auto original = file.open_original(engine, progress);
  if (!original) {
    read.why_not = "the genotypes it was made from are not at hand";
    return read;
  }
  read.people =
      std::make_unique<GenotypeSet>(genomes::read_genotypes(original->files.front(), progress));
  const std::string model = claim->value("model", "");
  const Source source = open_release(engine, file, progress);
  std::vector<std::string> columns = {"chrom", "pos", "ref", "alt"};
  if (model == "association-statistics") {
    columns.insert(columns.end(), {"cases", "controls"});
  } else {
    columns.emplace_back("frequency");
  }
  const Table table = engine.load(source, columns, progress);
  if (model == "noisy-frequencies") {
    // Two counts of alleles have noise of this rate each (dp/flow/noisy_frequencies.cc).
    const double q =
        std::exp(-claim->at("epsilon").get<double>() / (2 * claim->at("variants").get<double>()));
    read.noise_variance = 2 * q / ((1 - q) * (1 - q));
  } else {
    read.step = claim->at("step").get<double>();
  }
  if (model == "association-statistics") {
    take_groups(engine, file, table, claim->at("cases").get<double>(),
                claim->at("controls").get<double>(), read, progress);
    if (read.why_not.empty()) take_list_rules(file, read);
    return read;
  }
  read.shown["frequency"] = shown_in(table, 4);
  read.counted["frequency"].assign(read.people->samples.size(), true);
  // Noise is for a list that everybody knows of.
  if (read.noise_variance <= 0) take_list_rules(file, read);
  return read;
}

}  // namespace pratique::release
