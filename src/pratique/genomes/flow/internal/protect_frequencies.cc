// Allele frequencies, or statistics of an association, instead of genotypes: fewer SNPs, rounded.
// What both tell about who was counted is said before and after by theory (frequency_release.h);
// `genomes attack membership` on the release measures it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/crypto/random.h"
#include "pratique/genomes/attack/association.h"
#include "pratique/genomes/flow/frequency_release.h"
#include "pratique/genomes/flow/internal/named_columns.h"
#include "pratique/genomes/flow/internal/publication.h"
#include "pratique/genomes/format/genotype_set.h"
#include "pratique/genomes/metric/sequence_utility.h"
#include "pratique/kind/publish.h"

namespace pratique::genomes::flow {
namespace {

// Fewer carriers than this, and that a variant is listed at all tells of them.
constexpr std::uint64_t kRareCarriers = 5;

// To the nearest multiple that is a frequency.
double rounded(double frequency, double step) {
  constexpr double kSlack = 1e-9;
  return std::min(std::round(frequency / step), std::floor(1 / step + kSlack)) * step;
}

// Two groups of people: with a trait and without.
struct TraitGroups {
  std::vector<std::size_t> cases;
  std::vector<std::size_t> controls;
};

TraitGroups groups_by(const std::string& path, const std::vector<std::string>& samples,
                      const Run& run) {
  const Source source = run.open(path);
  const Table table = run.engine.load(
      source, {column_called(source, "sample"), column_called(source, "case")}, run.progress);
  std::map<std::string, bool, std::less<>> is_case;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string word = lower(std::string(table.columns[1].text(row)));
    const bool yes = word == "1" || word == "true" || word == "yes" || word == "case";
    if (!yes && word != "0" && word != "false" && word != "no" && word != "control") {
      throw Error::input("a cell of case is neither 1 nor 0")
          .at(fmt::format("{}:{}", path, row + 2))
          .hint("1, yes, true and case are cases; 0, no, false and control are not.");
    }
    const auto [known, is_new] = is_case.emplace(std::string(table.columns[0].text(row)), yes);
    if (!is_new && known->second != yes) {
      throw Error::input("a sample is a case in one line and a control in another")
          .at(fmt::format("{}:{}", path, row + 2))
          .hint("One line for each sample.");
    }
  }
  TraitGroups groups;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const auto known = is_case.find(samples[s]);
    if (known == is_case.end()) continue;
    (known->second ? groups.cases : groups.controls).push_back(s);
  }
  if (groups.cases.empty() || groups.controls.empty()) {
    throw Error::input("the trait leaves no cases, or no controls, among the people of the file")
        .at(path)
        .hint("Its column sample has the names of the genotype file.");
  }
  return groups;
}

// A trait that the most even variant causes, for measuring what is left of an association.
TraitGroups simulated_groups(const GenotypeSet& set, std::uint64_t seed) {
  std::size_t cause = 0;
  double most_even = 1;
  for (std::size_t v = 0; v < set.variants.size(); ++v) {
    const double off = std::abs(set.alleles[v].frequency().value_or(0) - 0.5);
    if (off < most_even) {
      most_even = off;
      cause = v;
    }
  }
  SeededRandom random(seed, 42);
  TraitGroups groups;
  for (std::size_t p = 0; p < set.samples.size(); ++p) {
    const Dosage dosage = set.store.at(cause, p);
    const double carried = dosage == kMissingDosage ? 0.5 : dosage / 2.0;
    (random.chance(0.2 + 0.6 * carried) ? groups.cases : groups.controls).push_back(p);
  }
  return groups;
}

struct GroupedFrequencies {
  GenotypeStore::People cases;
  GenotypeStore::People controls;
  AssociationSizes sizes;
};

GroupedFrequencies grouped_by(const GenotypeSet& set, const TraitGroups& groups) {
  return {.cases = set.store.those(groups.cases),
          .controls = set.store.those(groups.controls),
          .sizes = {2.0 * static_cast<double>(groups.cases.size()),
                    2.0 * static_cast<double>(groups.controls.size())}};
}

// The genotypes of a sample, and at how many variants it has the alternative.
struct SampleGenotypes {
  std::vector<Dosage> dosages = {};
  std::size_t carried = 0;
};

SampleGenotypes genotypes_of(const GenotypeSet& set, std::size_t person) {
  SampleGenotypes own;
  own.dosages.reserve(set.variants.size());
  for (std::size_t v = 0; v < set.variants.size(); ++v) {
    own.dosages.push_back(set.store.at(v, person));
    own.carried += own.dosages.back() == 1 || own.dosages.back() == 2 ? 1 : 0;
  }
  return own;
}

// Whether two samples are of one person, or of twins: read twice, a person has the same genotype 95
// times in 100 or more. Variants at which both have nothing but the reference are not counted, for
// that is what nearly everybody has in common where variants are rare; nor are those without a call
// in one of them.
bool are_one_person(const SampleGenotypes& a, const SampleGenotypes& b) {
  constexpr std::size_t kFewestCalls = 32;
  constexpr std::size_t kOneOf = 20;
  std::size_t called = 0;
  std::size_t compared = 0;
  std::size_t other = 0;
  for (std::size_t v = 0; v < a.dosages.size(); ++v) {
    const Dosage of_a = a.dosages[v];
    const Dosage of_b = b.dosages[v];
    if (of_a == kMissingDosage || of_b == kMissingDosage) continue;
    ++called;
    compared += of_a != 0 || of_b != 0 ? 1 : 0;
    other += of_a != of_b ? 1 : 0;
    if (other * kOneOf > a.carried + b.carried) return false;
  }
  return called >= kFewestCalls && other * kOneOf <= compared;
}

// Two samples with nearly the same genotypes at many variants are one person under two names, or
// twins: either way they hide nobody. Stops at `enough`.
std::size_t different_people(const GenotypeSet& set, const std::vector<std::size_t>& people,
                             std::size_t enough) {
  constexpr std::size_t kEnoughToTell = 64;
  if (set.variants.size() < kEnoughToTell) return people.size();
  std::vector<SampleGenotypes> different;
  for (const std::size_t person : people) {
    if (different.size() >= enough) break;
    SampleGenotypes own = genotypes_of(set, person);
    if (std::none_of(different.begin(), different.end(),
                     [&](const auto& known) { return are_one_person(own, known); }))
      different.push_back(std::move(own));
  }
  return different.size();
}

// Whose frequencies leave, and how many they are.
std::vector<GenotypeStore::People> counted_groups(const ProtectRequest& request,
                                                  const GenotypeSet& set, const TraitGroups& groups,
                                                  const GroupedFrequencies& grouped) {
  // Of many, those who stand there twice do not make few.
  constexpr std::size_t kMany = 20;
  const auto people_in = [&](const std::vector<std::size_t>& group) {
    return group.size() >= kMany * request.fewest ? group.size()
                                                  : different_people(set, group, request.fewest);
  };
  std::vector<std::size_t> everybody(set.samples.size());
  std::iota(everybody.begin(), everybody.end(), 0U);
  const std::size_t smallest = request.trait.empty()
                                   ? people_in(everybody)
                                   : std::min(people_in(groups.cases), people_in(groups.controls));
  if (smallest < request.fewest) {
    throw Error::input(fmt::format("frequencies of {} {} tell their genotypes", smallest,
                                   smallest == 1 ? "person" : "people"))
        .at(request.trait.empty() ? request.file : request.trait)
        .hint(fmt::format("Release {} or more together, or say with --fewest how few may be told.",
                          request.fewest));
  }
  if (request.trait.empty()) return {set.store.everybody()};
  return {grouped.cases, grouped.controls};
}

// How many of a group have a call, by dosage.
std::array<std::uint64_t, 3> people_by_dosage(const GenotypeSet& set, std::size_t variant,
                                              const GenotypeStore::People& group) {
  std::array<std::uint64_t, 3> people{};
  constexpr std::size_t kPeoplePerWord = 64;
  for (std::size_t p = 0; p < set.samples.size(); ++p) {
    if ((group[p / kPeoplePerWord] >> (p % kPeoplePerWord) & 1U) == 0) continue;
    const Dosage dosage = set.store.at(variant, p);
    if (dosage != kMissingDosage) ++people[dosage];
  }
  return people;
}

// Of whichever allele fewer have, of all groups whose frequencies leave: who is in none of them
// hides nobody.
std::vector<std::uint64_t> count_carriers(const GenotypeSet& set,
                                          const std::vector<GenotypeStore::People>& groups) {
  std::vector<std::uint64_t> carriers;
  for (std::size_t v = 0; v < set.variants.size(); ++v) {
    std::uint64_t of_alternative = 0;
    std::uint64_t of_reference = 0;
    for (const auto& group : groups) {
      const auto people = people_by_dosage(set, v, group);
      of_alternative += people[1] + people[2];
      of_reference += people[0] + people[1];
    }
    carriers.push_back(std::min(of_alternative, of_reference));
  }
  return carriers;
}

// Which SNPs stay depends on the seed, on how many people carry them and on how many have a call,
// never on a frequency.
struct KeptVariants {
  std::vector<std::size_t> numbers;
  std::uint64_t with_few_calls = 0;
};
KeptVariants kept_variants(const ProtectRequest& request, const GenotypeSet& set,
                           const std::vector<GenotypeStore::People>& counted,
                           const std::vector<std::uint64_t>& carriers, std::uint64_t seed) {
  KeptVariants kept;
  for (std::size_t v = 0; v < set.variants.size(); ++v) {
    const bool few = std::any_of(counted.begin(), counted.end(), [&](const auto& group) {
      return set.store.count(v, group).alleles < 2 * request.fewest;
    });
    kept.with_few_calls += few ? 1 : 0;
    if (!few && carriers[v] >= request.carriers) kept.numbers.push_back(v);
  }
  if (request.snps && *request.snps < kept.numbers.size()) {
    SeededRandom random(seed, 41);
    random.shuffle(kept.numbers);
    kept.numbers.resize(*request.snps);
    std::sort(kept.numbers.begin(), kept.numbers.end());
  }
  if (kept.numbers.empty()) {
    throw Error::input("no variant is left to release")
        .hint("Ask for fewer --carriers, or release more people together.");
  }
  return kept;
}

// The share of genotypes that whoever knows everybody else's gets back from the rounded frequencies
// of these groups: those for which one number of copies alone, with the others' known, rounds to
// what is shown.
double genotypes_recovered_by_rest(const GenotypeSet& set, const std::vector<std::size_t>& kept,
                                   const std::vector<GenotypeStore::People>& groups, double step) {
  std::uint64_t recovered = 0;
  std::uint64_t called = 0;
  for (const std::size_t v : kept) {
    for (const auto& group : groups) {
      const auto people = people_by_dosage(set, v, group);
      const auto alleles = static_cast<double>(2 * (people[0] + people[1] + people[2]));
      const auto copies = static_cast<double>(people[1] + 2 * people[2]);
      const double shown = std::round(copies / alleles / step);
      for (std::size_t own = 0; own < people.size(); ++own) {
        called += people[own];
        int possible = 0;
        for (std::size_t other = 0; other < people.size(); ++other) {
          const double then = copies - static_cast<double>(own) + static_cast<double>(other);
          possible += std::round(then / alleles / step) == shown ? 1 : 0;
        }
        if (possible == 1) recovered += people[own];
      }
    }
  }
  return called == 0 ? 0 : static_cast<double>(recovered) / static_cast<double>(called);
}

struct ReleasedFrequencies {
  FrequencyRows rows;
  Json claim;
  double squared_distance = 0;
  double error = 0;                     // sum of absolute errors
  std::vector<double> strength_before;  // chi-square
  std::vector<double> strength_after;
};

ReleasedFrequencies released_frequencies(const ProtectRequest& request, const GenotypeSet& set,
                                         const std::vector<std::size_t>& kept,
                                         const GroupedFrequencies& grouped) {
  const bool statistics = !request.trait.empty();
  const double step = request.step;
  const double rounding = step * step / 12;
  ReleasedFrequencies table{
      .rows = FrequencyRows(
          statistics ? std::vector<std::string>{"cases", "controls", "chi_square", "p_value"}
                     : std::vector<std::string>{"frequency"}),
      .claim = {},
      .strength_before = {},
      .strength_after = {}};
  const auto people = static_cast<double>(set.samples.size());
  for (const std::size_t v : kept) {
    const double whole = set.alleles[v].frequency().value_or(0);
    const double cases = set.store.count(v, grouped.cases).frequency().value_or(whole);
    const double controls = set.store.count(v, grouped.controls).frequency().value_or(whole);
    const double shown_cases = rounded(cases, step);
    const double shown_controls = rounded(controls, step);
    const double chi_square = association_chi_square(shown_cases, shown_controls, grouped.sizes);
    table.strength_before.push_back(association_chi_square(cases, controls, grouped.sizes));
    table.strength_after.push_back(chi_square);
    if (statistics) {
      // Computed from what is shown anyway: they tell nothing more.
      table.rows.add(set.variants[v], {decimal_text(shown_cases), decimal_text(shown_controls),
                                       fmt::format("{:.6g}", chi_square),
                                       fmt::format("{:.6g}", p_value_of(chi_square))});
      table.squared_distance +=
          squared_distance_of(cases, grouped.sizes.case_alleles / 2, rounding);
      table.error += (std::abs(cases - shown_cases) + std::abs(controls - shown_controls)) / 2;
    } else {
      const double shown = rounded(whole, step);
      table.rows.add(set.variants[v], {decimal_text(shown)});
      table.squared_distance += squared_distance_of(whole, people, rounding);
      table.error += std::abs(whole - shown);
    }
  }
  table.claim = {{"model", "rounded-frequencies"}, {"step", step}};
  if (statistics) {
    table.claim = {{"model", "association-statistics"},
                   {"step", step},
                   {"cases", grouped.sizes.case_alleles / 2},
                   {"controls", grouped.sizes.control_alleles / 2}};
  }
  return table;
}

}  // namespace

Outcome protect_frequencies(const ProtectRequest& request, const Run& run) {
  constexpr double kCoarsest = 0.5;
  if (request.step > kCoarsest) {
    throw Error::input("--step is too coarse for frequencies").hint("It is at most 0.5.");
  }
  auto others = files_beside(request.file);
  const Source source = run.engine.open_sets(others.front(), run.progress);
  others.erase(others.begin());
  if (!request.trait.empty()) others.push_back(request.trait);
  release::refuse_overwriting_inputs(request.out, {source}, run.settings(others));
  const Seeded seeded = with_seed(run, request.seed);
  const GenotypeSet set = read_genotypes(request.file, run.progress);
  require_usual_names(set.variants, request.file);
  const TraitGroups groups = request.trait.empty() ? simulated_groups(set, seeded.seed)
                                                   : groups_by(request.trait, set.samples, run);
  const GroupedFrequencies grouped = grouped_by(set, groups);
  const auto told = counted_groups(request, set, groups, grouped);
  const auto carriers = count_carriers(set, told);
  const auto [kept, with_few_calls] = kept_variants(request, set, told, carriers, seeded.seed);
  ReleasedFrequencies table = released_frequencies(request, set, kept, grouped);
  const auto varying =
      std::count_if(set.alleles.begin(), set.alleles.end(), [](const AlleleCount& counted) {
        return counted.alternative > 0 && counted.alternative < counted.alleles;
      });
  const auto rare = std::count_if(kept.begin(), kept.end(), [&](std::size_t v) {
    return carriers[v] > 0 && carriers[v] < kRareCarriers;
  });
  const std::size_t counted = request.trait.empty() ? set.samples.size() : groups.cases.size();
  Json result = {
      {"method", request.method},
      {"people", set.samples.size()},
      {"variants_in", set.variants.size()},
      {"variants_out", kept.size()},
      {"rare_variants", rare},
      {"few_calls", with_few_calls},
      {"step", request.step},
      {"recovered_by_rest", genotypes_recovered_by_rest(set, kept, told, request.step)},
      {"utility",
       {{"frequency_error", table.error / static_cast<double>(kept.size())},
        {"association_correlation", correlation(table.strength_before, table.strength_after)}}},
      {"before", expected_power(static_cast<double>(varying) / static_cast<double>(counted))},
      {"after", expected_power(table.squared_distance)}};
  if (!request.trait.empty()) {
    result["cases"] = groups.cases.size();
    result["controls"] = groups.controls.size();
  }
  const std::size_t fewest =
      request.trait.empty() ? counted : std::min(groups.cases.size(), groups.controls.size());
  if (request.step * 2 * static_cast<double>(fewest) < 1) {
    result["note"] = fmt::format(
        "a step of {} is finer than one allele of {}: it rounds nothing away, and whoever knows "
        "everybody else has the genotypes; a step of {:.2g} or more hides some",
        request.step, 2 * fewest, 2.0 / static_cast<double>(fewest));
  }
  if (rare > 0) {
    const std::string before = result.value("note", "");
    result["note"] =
        (before.empty() ? "" : before + "; ") +
        fmt::format(
            "{} variants are carried by fewer than {} people: that they are listed tells of them; "
            "--carriers {} leaves them out",
            rare, kRareCarriers, kRareCarriers);
  }
  publish({request, run, seeded, source, others}, release::TableArtefact(table.rows.output()),
          {{"method", request.method}, {"step", request.step}, {"read_as", "genotypes"}},
          Json::array({table.claim}), false, result);
  return {result};
}

}  // namespace pratique::genomes::flow
