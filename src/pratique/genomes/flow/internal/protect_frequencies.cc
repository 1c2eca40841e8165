// Allele frequencies instead of genotypes: fewer SNPs, rounded.
//
// What the likelihood-ratio test (attack/membership.h) gains from a frequency is known: with n
// people and m independent SNPs, members and others are sqrt(m / n) deviations apart. A frequency
// that is rounded to a step s, an error of variance s^2 / 12 beside the sampling variance v = f (1
// - f) / 2n, keeps v / (v + s^2 / 12) of that. Hence the power before and after; `genomes attack
// membership` on the release measures it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/crypto/random.h"
#include "pratique/genomes/attack/membership_power.h"
#include "pratique/genomes/flow/internal/publication.h"
#include "pratique/genomes/format/genotypes.h"
#include "pratique/kind/publish.h"

namespace pratique::genomes::flow {
namespace {

struct CountedVariant {
  Variant variant;
  double frequency = 0;
};

// The power of the test at a false-positive rate, for members this many deviations from others.
double power_at_distance(double apart, double rate) {
  const double z = apart - normal_quantile(1 - rate);
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

Json powers(double squared_distance) {
  const double apart = std::sqrt(squared_distance);
  return {{"power",
           {{"0.05", power_at_distance(apart, 0.05)},
            {"0.01", power_at_distance(apart, 0.01)},
            {"0.001", power_at_distance(apart, 0.001)}}},
          {"power_at_5", power_at_distance(apart, 0.05)}};
}

// As many decimals as the step has.
std::string rounded_text(double frequency, double step) {
  const double value = std::clamp(std::round(frequency / step) * step, 0.0, 1.0);
  std::string text = fmt::format("{:.9f}", value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

// Columns of a table that owns its values.
struct FrequencyColumns {
  std::vector<std::vector<std::string>> values = std::vector<std::vector<std::string>>(5);
  std::vector<Code> rows;

  void add(const CountedVariant& counted, double step) {
    rows.push_back(static_cast<Code>(rows.size()));
    values[0].push_back(counted.variant.chrom);
    values[1].push_back(std::to_string(counted.variant.position));
    values[2].push_back(counted.variant.reference);
    values[3].push_back(counted.variant.alternative);
    values[4].push_back(rounded_text(counted.frequency, step));
  }
  [[nodiscard]] Output output() const {
    Output output;
    output.row_count = rows.size();
    const std::array<const char*, 5> names = {"chrom", "pos", "ref", "alt", "frequency"};
    for (std::size_t c = 0; c < names.size(); ++c)
      output.columns.push_back({names[c], &rows, &values[c]});
    return output;
  }
};

}  // namespace

Outcome protect_frequencies(const ProtectRequest& request, const Run& run) {
  constexpr double kCoarsest = 0.5;
  if (request.step > kCoarsest) {
    throw Error::input("--step is too coarse for frequencies").hint("It is at most 0.5.");
  }
  const Source source = run.engine.open_sets(request.file, run.progress);
  release::refuse_overwriting_inputs(request.out, {source}, run.settings());
  const Seeded seeded = with_seed(run, request.seed);
  const auto file = GenotypeFile::open(request.file);
  const std::size_t people = file->samples().size();
  if (people == 0) {
    throw Error::input("the file has no genotypes to count").at(request.file);
  }
  std::vector<CountedVariant> counted;
  while (file->next()) {
    AlleleCount alleles;
    for (const Dosage dosage : file->dosages()) alleles.add(dosage);
    if (const auto frequency = alleles.frequency())
      counted.push_back({file->variant(), *frequency});
    run.progress.check();
  }
  if (counted.empty()) throw Error::input("the file has no variant").at(request.file);
  // Which SNPs stay depends on the seed alone, never on the frequencies.
  std::vector<std::size_t> kept(counted.size());
  std::iota(kept.begin(), kept.end(), 0U);
  if (request.snps && *request.snps < kept.size()) {
    SeededRandom random(seeded.seed, 41);
    random.shuffle(kept);
    kept.resize(*request.snps);
    std::sort(kept.begin(), kept.end());
  }
  FrequencyColumns columns;
  const auto n = static_cast<double>(people);
  double distance_after = 0;
  double error = 0;
  for (const std::size_t v : kept) {
    columns.add(counted[v], request.step);
    const double f = counted[v].frequency;
    const double sampling = f * (1 - f) / (2 * n);
    const double rounding = request.step * request.step / 12;
    if (sampling > 0) distance_after += sampling / (sampling + rounding) / n;
    error += std::abs(f - std::round(f / request.step) * request.step);
  }
  const auto varying = std::count_if(counted.begin(), counted.end(), [](const auto& own) {
    return own.frequency > 0 && own.frequency < 1;
  });
  Json result = {{"method", request.method},
                 {"people", people},
                 {"variants_in", counted.size()},
                 {"variants_out", kept.size()},
                 {"step", request.step},
                 {"utility", {{"frequency_error", error / static_cast<double>(kept.size())}}},
                 {"before", powers(static_cast<double>(varying) / n)},
                 {"after", powers(distance_after)}};
  publish({request, run, seeded, source, {}}, release::TableArtefact(columns.output()),
          {{"method", request.method}, {"step", request.step}},
          Json::array({{{"model", "rounded-frequencies"}, {"step", request.step}}}), false, result);
  return {result};
}

}  // namespace pratique::genomes::flow
