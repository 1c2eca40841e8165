#include "pratique/trails/attack/probable_links.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/trails/attack/internal/error_model.h"
#include "pratique/trails/testing/side_for_test.h"

namespace pratique::trails::probable_links_test {
namespace {

using Trail = std::vector<Location>;

struct TrueWorld {
  World world;
  std::vector<Element> owner;  // of each de-identified element
};

// People at `density` of the locations; the samples' lists have each sighting with probability
// `seen`, and one that is not true with probability `error`.
TrueWorld generate(SeededRandom& random, std::size_t people, std::size_t locations, double density,
                   double seen, double error) {
  TrueWorld truth;
  std::vector<Trail> identified;
  std::vector<Trail> samples;
  std::vector<Element> order(people);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t p = 0; p < people; ++p) {
    Trail trail;
    while (trail.empty()) {
      for (Location c = 0; c < locations; ++c) {
        if (random.chance(density)) trail.push_back(c);
      }
    }
    identified.push_back(trail);
  }
  random.shuffle(order);
  for (const Element p : order) {
    Trail copy;
    for (Location c = 0; c < locations; ++c) {
      const bool there = std::binary_search(identified[p].begin(), identified[p].end(), c);
      if (random.chance(there ? seen : error)) copy.push_back(c);
    }
    if (copy.empty()) continue;
    samples.push_back(copy);
    truth.owner.push_back(p);
  }
  truth.world = {locations, side_of(identified), side_of(samples)};
  return truth;
}

TEST(ErrorModel, WorkedByHand) {
  // Two people at location 0 and one at 1; a copy of everyone.
  const World world{2, side_of({{0}, {0, 1}}), side_of({{0}, {0, 1}})};
  const std::vector<double> error = {0.1, 0.2};
  const ErrorModel model(world, Reserved::none, error);
  const Trail at_zero = {0};
  const Trail at_one = {1};
  const Trail at_both = {0, 1};
  EXPECT_NEAR(std::exp(model.log_likelihood(at_zero, at_zero)), 0.9 * 0.8, 1e-12);
  EXPECT_NEAR(std::exp(model.log_likelihood(at_zero, at_both)), 0.9 * 0.2, 1e-12);
  EXPECT_NEAR(std::exp(model.log_likelihood(at_one, at_zero)), 0.1 * 0.2, 1e-12);
  EXPECT_NEAR(std::exp(model.log_likelihood({}, at_both)), 0.1 * 0.2, 1e-12);
}

// Every assignment of copies (empty ones included) to people, weighted by its likelihood.
std::map<std::pair<Element, Element>, double> by_enumeration(const TrueWorld& truth,
                                                             const ErrorModel& model) {
  const std::size_t people = truth.world.identified.elements();
  std::vector<Element> person(people);
  std::iota(person.begin(), person.end(), 0);
  std::map<std::pair<Element, Element>, double> sums;
  double total = 0;
  do {
    double weight = 0;
    for (Element d = 0; d < people; ++d) {
      const auto copy = d < truth.world.deidentified.elements() ? truth.world.deidentified.trail(d)
                                                                : std::span<const Location>{};
      weight += model.log_likelihood(copy, truth.world.identified.trail(person[d]));
    }
    weight = std::exp(weight);
    total += weight;
    for (Element d = 0; d < truth.world.deidentified.elements(); ++d)
      sums[{d, person[d]}] += weight;
  } while (std::next_permutation(person.begin(), person.end()));
  for (auto& [pair, sum] : sums) sum /= total;
  return sums;
}

TEST(ProbableLinks, PosteriorsAreTheShareOfAllAssignments) {
  SeededRandom random(5);
  for (int round = 0; round < 12; ++round) {
    const bool reserved = round % 2 == 0;
    const auto truth = generate(random, 6, 5, 0.5, reserved ? 0.7 : 0.9, 0.1);
    const std::vector<double> error(5, 0.1);
    ProbableLinkOptions options{.error = error};
    options.reserved = reserved ? Reserved::deidentified : Reserved::none;
    options.least = 0;
    options.sweeps = 8000;
    const auto probable = probable_links(truth.world, options);
    const auto expected =
        by_enumeration(truth, ErrorModel(truth.world, options.reserved, options.error));
    std::map<std::pair<Element, Element>, double> posterior;
    for (const auto& link : probable.links) {
      posterior[{link.deidentified, link.identified}] = link.posterior;
    }
    for (const auto& [pair, probability] : expected) {
      ASSERT_NEAR(posterior[pair], probability, 0.03) << round;
    }
  }
}

// What the model gives a probability p is true in a share p of cases, within what chance allows.
void expect_calibrated(double seen, double error, Reserved reserved, bool swapped) {
  SeededRandom random(11);
  std::vector<double> expected(10);
  std::vector<double> variance(10);
  std::vector<double> correct(10);
  std::vector<double> cases(10);
  for (int round = 0; round < 12; ++round) {
    auto truth = generate(random, 120, 9, 0.4, seen, error);
    if (swapped) std::swap(truth.world.identified, truth.world.deidentified);
    const std::vector<double> rates(9, error);
    ProbableLinkOptions options{.error = rates};
    options.reserved = reserved;
    options.seed = static_cast<std::uint64_t>(round);
    const auto probable = probable_links(truth.world, options);
    ASSERT_LT(probable.disagreement, 0.1);
    for (const auto& link : probable.links) {
      const auto bin = std::min<std::size_t>(9, static_cast<std::size_t>(link.posterior * 10));
      const Element sample = swapped ? link.identified : link.deidentified;
      const Element person = swapped ? link.deidentified : link.identified;
      expected[bin] += link.posterior;
      variance[bin] += link.posterior * (1 - link.posterior);
      correct[bin] += truth.owner[sample] == person ? 1 : 0;
      cases[bin] += 1;
    }
  }
  int bins = 0;
  for (std::size_t bin = 0; bin < 10; ++bin) {
    if (cases[bin] < 30) continue;
    ++bins;
    // Four deviations, and a hundredth for the estimate of the posterior itself.
    EXPECT_NEAR(correct[bin], expected[bin], 4 * std::sqrt(variance[bin]) + 0.01 * cases[bin])
        << "bin " << bin << " of " << cases[bin];
  }
  EXPECT_GE(bins, 5);
}

TEST(ProbableLinks, CalibratedWithErrorsBothWays) {
  expect_calibrated(0.95, 0.05, Reserved::none, false);
}
TEST(ProbableLinks, CalibratedWhenSamplesAreMissing) {
  expect_calibrated(0.7, 0.02, Reserved::deidentified, false);
}
TEST(ProbableLinks, CalibratedWhenPeopleAreMissing) {
  expect_calibrated(0.7, 0.02, Reserved::identified, true);
}
// The test above can fail: posteriors from a wrong rate are not calibrated.
TEST(ProbableLinks, AWrongRateIsNotCalibrated) {
  SeededRandom random(13);
  double expected = 0;
  double correct = 0;
  for (int round = 0; round < 4; ++round) {
    const auto truth = generate(random, 120, 9, 0.4, 0.85, 0.15);
    const std::vector<double> rates(9, 0.001);
    ProbableLinkOptions options{.error = rates};
    options.reserved = Reserved::none;
    for (const auto& link : probable_links(truth.world, options).links) {
      if (link.posterior < 0.5) continue;
      expected += link.posterior;
      correct += truth.owner[link.deidentified] == link.identified ? 1 : 0;
    }
  }
  EXPECT_GT(expected, 1.3 * correct);
}

// Section 10.3.1: where only the first location errs, Ali is actg and Bob is ctga.
TEST(ProbableLinks, TheLocationThatErrsIsForgiven) {
  const World world{3, side_of({{0, 2}, {1, 2}}), side_of({{2}, {0, 1, 2}})};
  const std::vector<double> equal = {0.1, 0.1, 0.1};
  const std::vector<double> first = {0.4, 0.01, 0.01};
  for (const bool known : {false, true}) {
    ProbableLinkOptions options{.error = known ? first : equal};
    options.reserved = Reserved::none;
    options.sweeps = 4000;
    const auto probable = probable_links(world, options);
    ASSERT_FALSE(probable.links.empty());
    const auto& link = probable.links.front();
    if (known) {
      EXPECT_EQ(link.deidentified, link.identified);
      EXPECT_GT(link.posterior, 0.99);
    } else {
      EXPECT_NEAR(link.posterior, 0.5, 0.05);
    }
  }
}

TEST(ProbableLinks, SameSeedSameResultOnAnyThreads) {
  SeededRandom random(3);
  const auto truth = generate(random, 50, 8, 0.4, 0.9, 0.05);
  const std::vector<double> rates(8, 0.05);
  const ProbableLinkOptions options{.error = rates, .seed = 9, .sweeps = 50};
  const auto many = probable_links(truth.world, options);
  const ThreadLimit one_thread(1);
  const auto alone = probable_links(truth.world, options);
  ASSERT_EQ(many.links.size(), alone.links.size());
  for (std::size_t i = 0; i < alone.links.size(); ++i) {
    EXPECT_EQ(many.links[i].identified, alone.links[i].identified);
    EXPECT_EQ(many.links[i].posterior, alone.links[i].posterior);
  }
}

}  // namespace
}  // namespace pratique::trails::probable_links_test
