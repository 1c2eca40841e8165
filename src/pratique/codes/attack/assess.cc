#include "pratique/codes/attack/assess.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/codes/attack/attack.h"
#include "pratique/codes/attack/internal/set_census.h"
#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"

namespace pratique::codes {
namespace {

constexpr std::uint64_t kSample = 400;

// Everybody the adversary may choose from, and which of their sets each patient's is.
struct People {
  CodeSets sets;
  std::vector<std::uint32_t> set_of;  // by distinct set of the patients
};

People people_of(const CodeSets& sets, const CodeSets* population, Dictionary codes) {
  CodeSetsBuilder builder;
  std::vector<Code> set;
  People people;
  const CodeSets& all = population == nullptr ? sets : *population;
  for (const auto s : all.set_of) {
    set.assign(all.set(s).begin(), all.set(s).end());
    builder.add(set);
  }
  const std::size_t known = all.patients();
  // One more of each set of a patient, to find its number; taken off again where it was there.
  for (std::size_t s = 0; s < sets.size(); ++s) {
    set.assign(sets.set(s).begin(), sets.set(s).end());
    builder.add(set);
  }
  people.sets = std::move(builder).build(std::move(codes));
  people.set_of.assign(people.sets.set_of.begin() + static_cast<std::ptrdiff_t>(known),
                       people.sets.set_of.end());
  people.sets.set_of.resize(known);
  for (const auto s : people.set_of) {
    if (people.sets.counts[s] > 1) --people.sets.counts[s];
  }
  return people;
}

// Shares of patients by support, at the supports that a logarithmic axis shows.
ChartSeries curve(const std::string& name, std::vector<std::uint64_t> supports) {
  std::sort(supports.begin(), supports.end());
  ChartSeries series{name, {}, true};
  const auto share_up_to = [&](std::uint64_t support) {
    const auto end = std::upper_bound(supports.begin(), supports.end(), support);
    return static_cast<double>(end - supports.begin()) / static_cast<double>(supports.size());
  };
  for (std::uint64_t decade = 1;; decade *= 10) {
    for (const std::uint64_t step : {1, 2, 5}) {
      const std::uint64_t support = decade * step;
      series.points.push_back({static_cast<double>(support), share_up_to(support)});
      if (support >= supports.back()) return series;
    }
  }
}

// The sizes that were not counted, among those who are undecided: no smaller set singles them out,
// and all their codes do. `whole` is the support of these, by set.
void sample_larger_sets(const CodeSets& sets, const People& people, const SetCensus& census,
                        const std::vector<std::uint64_t>& whole, std::uint64_t seed,
                        Assessment& result, Progress& progress) {
  std::vector<std::uint32_t> undecided;
  for (std::uint32_t p = 0; p < sets.patients(); ++p) {
    const auto set = sets.set_of[p];
    if (census.singled_out_by[people.set_of[set]] == 0 && whole[set] == 1) undecided.push_back(p);
  }
  if (undecided.empty()) return;
  std::vector<std::vector<std::uint32_t>> with(people.sets.codes.size());
  for (std::uint32_t s = 0; s < people.sets.size(); ++s) {
    for (const Code code : people.sets.set(s)) with[code].push_back(s);
  }
  const std::size_t all = undecided.size();
  SeededRandom random(seed);
  random.shuffle(undecided);
  undecided.resize(std::min<std::size_t>(all, kSample));
  const std::size_t largest = result.unique_m.size();
  std::vector<std::size_t> fewest(undecided.size(), 0);
  std::vector<std::uint8_t> known(undecided.size(), 0);
  progress.begin("sampling larger sets of codes", undecided.size());
  parallel_blocks(undecided.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto size = fewest_that_single_out(
          people.sets, with, people.set_of[sets.set_of[undecided[i]]], census.exact + 1, largest);
      known[i] = size ? 1 : 0;
      fewest[i] = size.value_or(0);
      progress.advance(1);
    }
  });
  const auto sampled = static_cast<double>(std::count(known.begin(), known.end(), 1));
  result.sampled = static_cast<std::uint64_t>(sampled);
  if (sampled == 0) return;
  const auto patients = static_cast<double>(sets.patients());
  const double share = static_cast<double>(all) / patients;
  const double certain = std::round(result.unique_m.back() * patients);
  for (std::size_t m = census.exact + 1; m <= largest; ++m) {
    const auto hits = static_cast<double>(std::count_if(
        fewest.begin(), fewest.end(), [&](std::size_t size) { return size != 0 && size <= m; }));
    const double rate = hits / sampled;
    // At most (certain + all) / patients, which is those whom all their codes single out.
    result.unique_m[m - 1] = (certain + static_cast<double>(all) * rate) / patients;
    if (result.sampled < all)
      result.unique_m_error[m - 1] = share * 1.96 * std::sqrt(rate * (1 - rate) / sampled);
  }
}

}  // namespace

CodeSets translate(const CodeSets& sets, Dictionary& dictionary) {
  std::vector<Code> other(sets.codes.size());
  for (Code code = 0; code < other.size(); ++code) {
    other[code] = dictionary.intern(sets.codes.value(code));
  }
  CodeSets translated;
  translated.first = sets.first;
  translated.counts = sets.counts;
  translated.set_of = sets.set_of;
  translated.items.reserve(sets.items.size());
  for (std::size_t s = 0; s < sets.size(); ++s) {
    for (const Code code : sets.set(s)) translated.items.push_back(other[code]);
    std::sort(translated.items.begin() + static_cast<std::ptrdiff_t>(sets.first[s]),
              translated.items.end());
  }
  return translated;
}

Assessment assess(const CodeSets& sets, const CodeSets* population, const Visits* visits,
                  const AssessOptions& options, Progress& progress) {
  Assessment result;
  result.patients = sets.patients();
  const auto own_supports = sets.supports();
  result.codes = static_cast<std::uint64_t>(std::count_if(
      own_supports.begin(), own_supports.end(), [](std::uint64_t support) { return support > 0; }));
  const auto patients = static_cast<double>(sets.patients());
  result.mean_codes = static_cast<double>(sets.occurrences()) / patients;

  Dictionary codes;
  for (const auto code : sets.codes.values()) (void)codes.intern(code);
  const People people = people_of(sets, population, std::move(codes));
  const SetCensus census = take_census(people.sets, options.k, progress);
  result.violations_m = census.rare;
  result.exact_sizes = census.exact;
  std::array<std::uint64_t, 4> singled_out = {};  // patients
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const auto by = census.singled_out_by[people.set_of[s]];
    for (std::size_t m = 1; m <= singled_out.size(); ++m) {
      if (by != 0 && by <= m) singled_out[m - 1] += sets.counts[s];
    }
  }
  for (std::size_t m = 0; m < singled_out.size(); ++m)
    result.unique_m[m] = static_cast<double>(singled_out[m]) / patients;

  const SearchableRelease everybody(people.sets, unchanged(people.sets, nullptr));
  const auto support_of = [&](std::span<const Code> known) {
    return std::max<std::uint64_t>(1, everybody.count(known));
  };
  const auto series = [&](const std::string& name, const auto& support_of_patient) {
    std::vector<std::uint64_t> supports(sets.patients());
    progress.begin("looking for " + name, sets.patients());
    parallel_blocks(supports.size(), 512, [&](std::size_t begin, std::size_t end) {
      for (std::size_t p = begin; p < end; ++p) supports[p] = support_of_patient(p);
      progress.advance(end - begin);
    });
    result.curves.series.push_back(curve(name, supports));
    return supports;
  };
  std::vector<std::uint64_t> whole(sets.size());
  parallel_blocks(sets.size(), 512, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) whole[s] = support_of(sets.set(s));
  });
  sample_larger_sets(sets, people, census, whole, options.seed, result, progress);

  result.curves.title = "Patients by how many others share what is known about them";
  result.curves.x_name = "support";
  result.curves.y_name = "share of patients";
  result.curves.log_x = true;
  const auto all = series("all codes", [&](std::size_t p) { return whole[sets.set_of[p]]; });
  result.unique_all = static_cast<double>(std::count(all.begin(), all.end(), 1U)) / patients;
  std::uint64_t alone = 0;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    if (people.sets.counts[people.set_of[s]] == 1) alone += sets.counts[s];
  }
  result.unique_set = static_cast<double>(alone) / patients;
  for (std::size_t size = 1; size <= 4; ++size) {
    (void)series(fmt::format("{} random code{}", size, size == 1 ? "" : "s"), [&](std::size_t p) {
      const auto set = sets.set(sets.set_of[p]);
      std::vector<Code> known(set.begin(), set.end());
      SeededRandom draw(options.seed ^ size, p);
      draw.shuffle(known);
      known.resize(std::min(known.size(), size));
      return support_of(known);
    });
  }
  if (visits != nullptr) {
    (void)series("codes of one visit", [&](std::size_t p) {
      std::uint64_t fewest = people.sets.patients() + sets.size();
      for (const auto visit : visits->of_patient[p]) {
        fewest = std::min(fewest, support_of(visits->sets.set(visit)));
      }
      return fewest;
    });
  }
  return result;
}

Json to_json(const Assessment& assessment) {
  Json unique = Json::object();
  Json violations = Json::object();
  Json errors = Json::object();
  for (std::size_t m = 1; m <= assessment.unique_m.size(); ++m) {
    const std::string size = std::to_string(m);
    unique[size] = assessment.unique_m[m - 1];
    if (m <= assessment.exact_sizes) {
      violations[size] = assessment.violations_m[m - 1];
    } else {
      errors[size] = assessment.unique_m_error[m - 1];
    }
  }
  Json curves = Json::array();
  for (const auto& series : assessment.curves.series) {
    for (const auto& point : series.points) {
      curves.push_back({{"known", series.name},
                        {"support", static_cast<std::uint64_t>(point.x)},
                        {"share_up_to", point.y}});
    }
  }
  return {{"patients", assessment.patients},       {"codes", assessment.codes},
          {"mean_codes", assessment.mean_codes},   {"unique_all", assessment.unique_all},
          {"unique_set", assessment.unique_set},   {"unique_m", std::move(unique)},
          {"unique_m_error", std::move(errors)},   {"sampled", assessment.sampled},
          {"violations_m", std::move(violations)}, {"curves", std::move(curves)}};
}

}  // namespace pratique::codes
