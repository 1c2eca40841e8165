#include "pratique/dp/tester/mechanisms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/dp/accounting/zcdp.h"
#include "pratique/dp/mechanism/discrete_gaussian.h"
#include "pratique/dp/mechanism/discrete_laplace.h"
#include "pratique/dp/mechanism/randomised_response.h"
#include "pratique/dp/mechanism/selection.h"
#include "pratique/dp/mechanism/sparse_vector.h"
#include "pratique/dp/mechanism/threshold_report.h"
#include "pratique/dp/tester/histograms.h"
#include "pratique/dp/tester/synthesis.h"

namespace pratique::dp {
namespace {

// Values of people, one each, below kTestedValues.
using TestedPeople = std::vector<std::uint64_t>;
constexpr std::uint64_t kTestedValues = 3;
constexpr std::int64_t kFurthestLabel = 40;

std::string label(std::int64_t value) {
  return std::to_string(std::clamp(value, -kFurthestLabel, kFurthestLabel));
}

std::string data_set_name(const TestedPeople& people) {
  return people.empty() ? "nobody" : fmt::format("{}", fmt::join(people, ","));
}

using TestedRun = std::function<std::string(const TestedPeople&, RandomBits&)>;

Sampler sampler_on(const TestedRun& run, TestedPeople people) {
  auto random = std::make_shared<RandomBits>(std::make_unique<SystemNoise>());
  return [run, people = std::move(people), random](std::uint64_t) { return run(people, *random); };
}

// All data sets of up to two people, each with any person more.
std::vector<NeighbourPair> on_small_data(const TestedRun& run) {
  std::vector<TestedPeople> data_sets = {{}};
  for (std::uint64_t a = 0; a < kTestedValues; ++a) {
    data_sets.push_back({a});
    for (std::uint64_t b = a; b < kTestedValues; ++b) data_sets.push_back({a, b});
  }
  std::vector<NeighbourPair> pairs;
  for (const auto& people : data_sets) {
    for (std::uint64_t more = 0; more < kTestedValues; ++more) {
      TestedPeople larger = people;
      larger.push_back(more);
      pairs.push_back({fmt::format("{} and {} more", data_set_name(people), more),
                       sampler_on(run, larger), sampler_on(run, people)});
    }
  }
  return pairs;
}

std::int64_t sum_of(const TestedPeople& people) {
  return static_cast<std::int64_t>(std::accumulate(people.begin(), people.end(), std::uint64_t{0}));
}

std::array<std::int64_t, kTestedValues> counts_of(const TestedPeople& people) {
  std::array<std::int64_t, kTestedValues> counts{};
  for (const auto value : people) ++counts[value];
  return counts;
}

std::vector<NeighbourPair> laplace_pairs(Epsilon epsilon, double) {
  auto noise = std::make_shared<const DiscreteLaplace>(epsilon.over(kTestedValues - 1));
  return on_small_data([noise](const TestedPeople& people, RandomBits& random) {
    return label(sum_of(people) + noise->draw(random));
  });
}

std::vector<NeighbourPair> geometric_pairs(Epsilon epsilon, double) {
  auto noise = std::make_shared<const DiscreteLaplace>(epsilon.over(1));
  return on_small_data([noise](const TestedPeople& people, RandomBits& random) {
    return label(static_cast<std::int64_t>(people.size()) + noise->draw(random));
  });
}

std::vector<NeighbourPair> gaussian_pairs(Epsilon epsilon, double delta) {
  const double rho = zcdp_within(epsilon, delta);
  auto noise = std::make_shared<const DiscreteGaussian>(DiscreteGaussian::variance_for(rho, 1));
  return on_small_data([noise](const TestedPeople& people, RandomBits& random) {
    return label(static_cast<std::int64_t>(people.size()) + noise->draw(random));
  });
}

std::vector<NeighbourPair> exponential_pairs(Epsilon epsilon, double) {
  return on_small_data([epsilon](const TestedPeople& people, RandomBits& random) {
    return std::to_string(exponential_mechanism(counts_of(people), 1, epsilon, random));
  });
}

std::vector<NeighbourPair> maximum_pairs(Epsilon epsilon, double) {
  auto maximum = std::make_shared<const NoisyMaximum>(1, epsilon);
  return on_small_data([maximum](const TestedPeople& people, RandomBits& random) {
    return std::to_string(maximum->choose(counts_of(people), random));
  });
}

// Local: the neighbour of a person is the same person with another value.
std::vector<NeighbourPair> response_pairs(Epsilon epsilon, double) {
  auto response = std::make_shared<const RandomisedResponse>(kTestedValues, epsilon);
  const TestedRun run = [response](const TestedPeople& people, RandomBits& random) {
    return std::to_string(response->draw(people.front(), random));
  };
  std::vector<NeighbourPair> pairs;
  for (std::uint64_t a = 0; a < kTestedValues; ++a) {
    for (std::uint64_t b = a + 1; b < kTestedValues; ++b) {
      pairs.push_back({fmt::format("{} or {}", a, b), sampler_on(run, {a}), sampler_on(run, {b})});
    }
  }
  return pairs;
}

std::vector<NeighbourPair> sparse_pairs(Epsilon epsilon, double) {
  // Made once: the digits of its probabilities take longer to find than to use.
  const auto rates = SparseVector::rates(1, 1, epsilon);
  auto threshold_noise = std::make_shared<const DiscreteLaplace>(rates.threshold);
  auto query_noise = std::make_shared<const DiscreteLaplace>(rates.query);
  return on_small_data([=](const TestedPeople& people, RandomBits& random) {
    SparseVector sparse(1, 1, *threshold_noise, *query_noise, random);
    std::string answers;
    const auto counts = counts_of(people);
    // Each count twice: noise that was not fresh would show.
    for (int round = 0; round < 2; ++round) {
      for (const auto count : counts) {
        const auto above = sparse.ask(count, random);
        answers += !above ? '.' : *above ? '1' : '0';
      }
    }
    return answers;
  });
}

std::vector<NeighbourPair> threshold_pairs(Epsilon epsilon, double delta) {
  auto report = std::make_shared<const ThresholdReport>(1, epsilon, delta);
  return on_small_data([report](const TestedPeople& people, RandomBits& random) {
    std::string told;
    // Five more people in the first group, whom everybody knows of: it is near the threshold.
    auto counts = counts_of(people);
    counts.front() += 5;
    for (const auto count : counts) {
      const auto noisy = count > 0 ? report->report(count, random) : std::nullopt;
      told += noisy ? label(*noisy) + ";" : "-;";
    }
    return told;
  });
}

std::vector<NeighbourPair> synthesis_pairs(Epsilon epsilon, double delta) {
  return pairs_of_tables(synthesised, epsilon, delta);
}

constexpr std::uint64_t kRunsOfHistograms = 5000;

std::vector<NeighbourPair> cells_pairs(Epsilon epsilon, double) {
  return pairs_of_histograms("cells", epsilon);
}
std::vector<NeighbourPair> kdtree_pairs(Epsilon epsilon, double) {
  return pairs_of_histograms("kdtree", epsilon);
}
std::vector<NeighbourPair> hb_pairs(Epsilon epsilon, double) {
  return pairs_of_histograms("hb", epsilon);
}
std::vector<NeighbourPair> dawa_pairs(Epsilon epsilon, double) {
  return pairs_of_histograms("dawa", epsilon);
}
std::vector<NeighbourPair> grid_pairs(Epsilon epsilon, double) {
  return pairs_of_histograms("grid", epsilon);
}

constexpr std::array<TestedMechanism, 14> kTestedMechanisms = {{
    {"laplace", "discrete Laplace noise on a bounded sum", 0, laplace_pairs},
    {"geometric", "two-sided geometric noise on a count", 0, geometric_pairs},
    {"gaussian", "discrete Gaussian noise on a count, by zCDP", 0.01, gaussian_pairs},
    {"exponential", "the exponential mechanism, choosing the most frequent value", 0,
     exponential_pairs},
    {"noisy-maximum", "the noisy maximum, choosing the most frequent value", 0, maximum_pairs},
    {"randomised-response", "randomised response over three values", 0, response_pairs},
    {"sparse-vector", "which of six counts are above a threshold, at most one", 0, sparse_pairs},
    {"threshold", "counts of groups that nobody declared", 0.01, threshold_pairs},
    {"cells", "a histogram of four cells, noise on each", 0, cells_pairs, kRunsOfHistograms},
    {"kdtree", "a histogram of four cells, boxes and counts", 0, kdtree_pairs, kRunsOfHistograms},
    {"hb", "a histogram of four cells, by a tree", 0, hb_pairs, kRunsOfHistograms},
    {"dawa", "a histogram of four cells, intervals and counts", 0, dawa_pairs, kRunsOfHistograms},
    {"grid", "a histogram of two by two cells, boxes and counts", 0, grid_pairs, kRunsOfHistograms},
    {"synthesis", "the rows of a synthetic table of two columns", 0.01, synthesis_pairs, 2000},
}};

}  // namespace

std::span<const TestedMechanism> tested_mechanisms() { return kTestedMechanisms; }

const TestedMechanism& tested_mechanism(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& mechanism : tested_mechanisms()) {
    if (mechanism.name == name) return mechanism;
    names.push_back(mechanism.name);
  }
  throw Error::input("there is no such mechanism")
      .hint(fmt::format("There are {}.", fmt::join(names, ", ")));
}

}  // namespace pratique::dp
