#include "pratique/tables/method/internal/nearest_bound.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

#include "pratique/tables/method/internal/partition.h"
#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/testing/protection_for_test.h"

namespace pratique::tables::nearest_bound_test {
namespace {

double loss_of(const ProtectionInput& input, const Recoding& recoding, Loss loss) {
  return loss == Loss::ncp ? normalized_certainty_penalty(input, recoding)
                           : loss_metric(input, recoding);
}

// The least loss of all ways to put the records, one by one, into classes of k and more.
double least_loss(const ProtectionInput& input, std::uint64_t k, CellStyle style, Loss loss) {
  std::vector<std::uint32_t> records;
  for (std::uint32_t group = 0; group < input.groups(); ++group) {
    for (std::uint64_t i = 0; i < (*input.counts)[group]; ++i) records.push_back(group);
  }
  double least = std::numeric_limits<double>::infinity();
  std::vector<std::vector<std::uint32_t>> classes;
  const std::function<void(std::size_t)> place = [&](std::size_t next) {
    if (next == records.size()) {
      std::vector<Items> all;
      for (const auto& eq_class : classes) {
        if (eq_class.size() < k) return;
        Items items;
        for (const auto group : eq_class) {
          if (!items.empty() && items.back().group == group) {
            ++items.back().count;
          } else {
            items.push_back({group, 1});
          }
        }
        all.push_back(std::move(items));
      }
      least = std::min(least, loss_of(input, recoding_of(input, all, style), loss));
      return;
    }
    for (std::size_t c = 0; c < classes.size(); ++c) {
      classes[c].push_back(records[next]);
      place(next + 1);
      classes[c].pop_back();
    }
    classes.push_back({records[next]});
    place(next + 1);
    classes.pop_back();
  };
  place(0);
  return least;
}

// Of every record: what the cheapest of all sets of k records loses that contain it.
double mean_of_cheapest(const ProtectionInput& input, std::uint64_t k, CellStyle style, Loss loss) {
  std::vector<std::uint32_t> records;
  for (std::uint32_t group = 0; group < input.groups(); ++group) {
    for (std::uint64_t i = 0; i < (*input.counts)[group]; ++i) records.push_back(group);
  }
  std::vector<double> cheapest(records.size(), 1);
  for (std::uint32_t set = 0; set < 1U << records.size(); ++set) {
    if (static_cast<std::uint64_t>(std::popcount(set)) != k) continue;
    std::map<std::uint32_t, std::uint64_t> members;
    for (std::size_t r = 0; r < records.size(); ++r) {
      if ((set >> r & 1U) != 0) ++members[records[r]];
    }
    std::vector<Items> classes(1);
    for (const auto& [group, count] : members) classes[0].push_back({group, count});
    const double lost = loss_of(input, recoding_of(input, classes, style), loss);
    for (std::size_t r = 0; r < records.size(); ++r) {
      if ((set >> r & 1U) != 0) cheapest[r] = std::min(cheapest[r], lost);
    }
  }
  return std::accumulate(cheapest.begin(), cheapest.end(), 0.0) /
         static_cast<double>(cheapest.size());
}

RC_GTEST_PROP(NearestBound, NoPartitionIntoClassesLosesLess, ()) {
  auto random = any_random();
  const auto world = random_protection(1 + random.below(3), 7, random);
  draw_weights(world->input, random);
  std::uint64_t records = 0;
  for (auto& count : world->counts) {
    count = std::min<std::uint64_t>(count, records < 7 ? 7 - records : 0);
    records += count;
  }
  const std::uint64_t k = 2 + random.below(2);
  if (records < k) return;
  for (const CellStyle style : {CellStyle::labels, CellStyle::free}) {
    for (const Loss loss : {Loss::lm, Loss::ncp}) {
      const double bound =
          internal::nearest_bound(world->input, k, style, loss, Progress::silent());
      const double least = least_loss(world->input, k, style, loss);
      RC_ASSERT(bound <= least + 1e-9);
      if (bound > 0) RC_TAG(std::string("bounded"));
      // Ended early it is weaker.
      RC_ASSERT(internal::nearest_bound(world->input, k, style, loss, Progress::silent(),
                                        {.looks = 1}) <= bound + 1e-12);
      // With classes instead of pairs it is stronger, and what the cheapest class of each loses.
      const double with_classes = internal::nearest_bound(world->input, k, style, loss,
                                                          Progress::silent(), {.boxes = 7000});
      RC_ASSERT(with_classes >= bound - 1e-9);
      RC_ASSERT(with_classes <= least + 1e-9);
      RC_ASSERT(std::abs(with_classes - mean_of_cheapest(world->input, k, style, loss)) < 1e-6);
      const double ended =
          internal::nearest_bound(world->input, k, style, loss, Progress::silent(),
                                  {.boxes = world->input.groups() * (1 + random.below(3))});
      RC_ASSERT(ended <= with_classes + 1e-9);
    }
  }
}

// Two records: what both lose is what a cell over both loses, which is all that there is to lose.
TEST(NearestBound, OfTwoRecordsIsWhatTheyLose) {
  SeededRandom random(3);
  for (int i = 0; i < 50; ++i) {
    const auto world = random_protection(3, 2, random);
    world->counts.assign(world->counts.size(), 1);
    if (world->counts.size() != 2) continue;
    const double bound =
        internal::nearest_bound(world->input, 2, CellStyle::labels, Loss::lm, Progress::silent());
    EXPECT_NEAR(bound, least_loss(world->input, 2, CellStyle::labels, Loss::lm), 1e-6);
  }
}

TEST(NearestBound, IsNothingForClassesOfOne) {
  SeededRandom random(4);
  const auto world = random_protection(2, 10, random);
  EXPECT_EQ(internal::nearest_bound(world->input, 1, CellStyle::free, Loss::lm, Progress::silent()),
            0);
}

}  // namespace
}  // namespace pratique::tables::nearest_bound_test
