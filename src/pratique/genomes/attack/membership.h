// Is somebody in the pool? Allele frequencies of a group give away who is in it to whoever has the
// person's genotypes and the frequencies of a population like the group's.
//
// Over the sites that pool, reference and person share, with y the person's share of alternative
// alleles (0, 1/2, 1), p the frequency in the pool and r that in the reference:
//
//   homer  T = mean(D) / (sd(D) / sqrt(s)),  D = |y - r| - |y - p|  (Homer et al., PLoS Genetics 4,
//          2008): positive where the person is nearer to the pool. With a control group's
//          frequencies in place of r, positive is case and negative control.
//   lr     sum of g log(p / r) + (2 - g) log((1 - p) / (1 - r)), g = 2y: the likelihood ratio of a
//          genotype drawn from the pool and one drawn from the reference (Sankararaman et al.,
//          Nature Genetics 41, 2009), the most powerful test where sites are independent. With a
//          control group, its frequencies stand in for r.
//   beacon of yes/no answers whether the pool has an allele (Shringarpure and Bustamante, AJHG 97,
//          2015): over the sites where the person has the alternative allele, log of the chance of
//          the answer if nobody of the pool is the person over that if one is; needs the size
//          of the pool.
//   wang   of r2 between pairs of SNPs (pair_membership.h). From p-values, frequencies of the pool
//          are found again first (association.h), for the statistics above.
//
// The null is calibrated on people who are in neither the pool nor the reference frequencies: every
// second person of the reference is kept apart for that. So linkage and ancestry that reference
// and target share are in it; ancestry that they do not share is not, and makes members of
// everybody who is nearer to the pool. A threshold for a false-positive rate is the quantile of the
// null, or of the normal distribution fitted to it where the null has too few people for that rate.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/genomes/attack/site_table.h"
#include "pratique/genomes/format/genotypes.h"

namespace pratique::genomes {

// Frequencies of the alternative allele by variant.
struct FrequencyTable {
  // By the key of a variant whose alleles are in the order of the alphabet, so that files which
  // have them exchanged meet.
  SiteTable by_variant;
  std::uint64_t people = 0;  // 0: not known

  void set(const Variant& variant, double frequency);
  [[nodiscard]] std::optional<double> of(const Variant& variant) const;
};

// From genotypes, or from INFO/AF of a file without samples.
[[nodiscard]] FrequencyTable count_frequencies(GenotypeFile& file, Progress& progress);

// wang: by pairs of SNPs (pair_membership.h); 0 here, for whoever knows the pairs to fill in.
enum class MembershipStatistic { homer, lr, beacon, wang };
inline constexpr std::size_t kMembershipStatistics = 4;
[[nodiscard]] std::string_view name_of(MembershipStatistic statistic);

// What a pool shows of a frequency after a defence; none: it is not shown. `site` is the variant's
// key.
struct PoolDefence {
  std::string name;
  std::function<std::optional<double>(double frequency, std::uint64_t site)> shown;
};
[[nodiscard]] FrequencyTable defended(const FrequencyTable& pool, const PoolDefence& defence);

// Statistics of people, by person. Of somebody without a call at some sites they are as far from
// the null's mean, in deviations of the null, as over the sites with a call: what is missing tells
// nothing, for or against.
struct MembershipScores {
  std::vector<std::string> names;
  std::array<std::vector<double>, kMembershipStatistics> values;
  std::vector<std::uint64_t> sites;  // that were compared
  // Of the likelihood ratio among people of the reference, if sites were independent: what linkage
  // makes of it is seen beside it.
  double independent_variance = 0;

  [[nodiscard]] std::vector<double>& of(MembershipStatistic statistic) {
    return values[static_cast<std::size_t>(statistic)];
  }
  [[nodiscard]] const std::vector<double>& of(MembershipStatistic statistic) const {
    return values[static_cast<std::size_t>(statistic)];
  }
};

// What is known when people are looked at.
struct MembershipKnowledge {
  const FrequencyTable* pool = nullptr;
  const FrequencyTable* reference = nullptr;  // of those counted for frequencies alone
  const FrequencyTable* control = nullptr;    // in place of the reference, where there is one
  // The variants that the targets have: the null and members are compared at no others. Not given:
  // at all.
  const FrequencyTable* targets = nullptr;
  const FrequencyTable* null = nullptr;  // among the people who are the null; not given: reference
  // What simulated members are drawn from, where the pool shows something else: its true
  // frequencies.
  const FrequencyTable* members = nullptr;
};

// One pass over the genotypes of people; `wanted` of them by number, all where it is empty.
// Variants that somebody has a call of, and that are compared, go to `compared`.
[[nodiscard]] MembershipScores score_people(GenotypeFile& people,
                                            const MembershipKnowledge& knowledge,
                                            const std::vector<bool>& wanted, Progress& progress,
                                            FrequencyTable* compared = nullptr);

// Who of the reference is counted for frequencies, and who is the null: every second, without
// those who are left out. With fewer than four people all are counted.
struct SplitPeople {
  std::vector<std::size_t> counted;
  std::vector<std::size_t> null;
};
[[nodiscard]] SplitPeople split_people(std::size_t count, const std::vector<bool>& left_out);

// One pass over the reference: every second person is counted for frequencies, the others are
// scored as the null. Fills `reference`, and `null` with the frequencies among the others at what
// is compared. With fewer than four people all are counted and the null is empty.
[[nodiscard]] MembershipScores split_reference(GenotypeFile& people,
                                               const MembershipKnowledge& knowledge,
                                               const std::vector<bool>& left_out,
                                               FrequencyTable& reference, FrequencyTable& null,
                                               Progress& progress);

// People drawn from frequencies, sites taken for independent: members from those of the pool,
// others from those of the reference.
[[nodiscard]] MembershipScores simulate_people(const MembershipKnowledge& knowledge, bool members,
                                               std::uint64_t count, std::uint64_t seed,
                                               Progress& progress);

}  // namespace pratique::genomes
