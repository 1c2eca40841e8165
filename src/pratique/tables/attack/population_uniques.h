// How many of the records that are alone in a sample are alone in the population it was drawn from:
// an estimate, from the sizes of the sample's classes and the size of the population alone.
//
// The sample is taken for a random one: n of N people, each as likely. f_i is the number of its
// classes of i records, u that of all its classes.
//
//   Pitman   (Hoshino 2001, Applying Pitman's sampling formula to microdata disclosure risk
//            assessment, J. Official Statistics 17.) The next person is in a class of i with the
//            chance (i - alpha) / (theta + n), else in a new one. theta and alpha are those under
//            which the sample is likeliest. A record that is alone among j people stays so when the
//            next comes with the chance (theta + j - 1 + alpha) / (theta + j): the product over
//            j = n .. N - 1 is the chance that a sample unique is a population unique.
//   SNB      (Chen and Keller-McNulty 1998, Estimation of identification disclosure risk in
//            microdata, J. Official Statistics 14.) A class of the population has 1 + X people,
//            where X is negative binomial (a, p): P(F = 1) = p^a. Each is drawn with the chance pi
//            = n / N, so that a class of the sample has B + Y, where B is 1 with the chance pi and
//            Y is negative binomial (a, p'), p' = p / (p + pi (1 - p)). For each a, p is the one by
//            which the classes have N people in all; a is the one under which the sample is
//            likeliest among classes that are not empty. A record that is alone is alone among all
//            with the chance pi p^a / P(B + Y = 1).
//   Zayatz   (1991, Estimation of the percent of unique population elements on a microdata file
//            using the sample, Bureau of the Census.) The population's classes are taken to have
//            the sizes of the sample's: the chance is f_1 h(1) / sum of f_i h(i), where h(i) is the
//            hypergeometric chance that one of i people is drawn. It knows of no class larger than
//            the sample shows, so of a small sample it says far too much: read it as a ceiling.
//
// Both assume, neither proves. A table of the population itself (assess.h) counts.
#pragma once

#include <cstdint>
#include <vector>

namespace pratique::tables {

struct PopulationUniques {
  std::uint64_t population = 0;  // people
  double sampling_fraction = 0;
  std::uint64_t sample = 0;  // records that are alone in the sample
  // How many of these are expected to be alone in the population.
  double pitman = 0;
  double snb = 0;
  double zayatz = 0;
};

// `class_sizes` of the sample. `population` is at least their sum.
[[nodiscard]] PopulationUniques estimate_population_uniques(
    const std::vector<std::uint64_t>& class_sizes, std::uint64_t population);

}  // namespace pratique::tables
