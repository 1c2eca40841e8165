#include "pratique/tables/method/microaggregate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/tables/testing/recoding_for_test.h"

namespace pratique::tables::microaggregate_test {
namespace {

using Options = MicroaggregationOptions;
using Classes = std::set<std::set<std::uint32_t>>;

std::vector<std::string> cells(const Recoding& recoding, std::size_t attribute) {
  std::map<std::uint32_t, std::string> by_group;
  const auto& column = recoding.columns[attribute];
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    by_group[recoding.groups[i]] = column.values[column.codes[i]];
  }
  std::vector<std::string> texts;
  texts.reserve(by_group.size());
  for (const auto& [group, text] : by_group) texts.push_back(text);
  return texts;
}

Options univariate(Options::Centre centre = Options{}.centre) {
  Options options;
  options.algorithm = Options::Algorithm::univariate;
  options.centre = centre;
  return options;
}

TEST(Microaggregate, ShowsMeanMedianOrRange) {
  const ProtectionWorld world({{"1"}, {"2"}, {"9"}, {"20"}, {"21"}, {"23"}}, {"flat"});
  const auto at = [&](Options::Centre centre) {
    return cells(microaggregate(world.input, k_only(3), univariate(centre)).recoding, 0);
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(at(Options::Centre::mean), (Texts{"4", "4", "4", "21.3", "21.3", "21.3"}));
  EXPECT_EQ(at(Options::Centre::median), (Texts{"2", "2", "2", "21", "21", "21"}));
  EXPECT_EQ(at(Options::Centre::range),
            (Texts{"1..9", "1..9", "1..9", "20..23", "20..23", "20..23"}));
}

TEST(Microaggregate, TheMeanOfDatesIsADay) {
  const ProtectionWorld world({{"2000-02-28"}, {"2000-03-01"}}, {"flat"});
  EXPECT_EQ(cells(microaggregate(world.input, k_only(2), {}).recoding, 0),
            (std::vector<std::string>{"2000-02-29", "2000-02-29"}));
}

TEST(Microaggregate, CategoriesShowTheirSet) {
  const ProtectionWorld world({{"1", "a"}, {"2", "b"}, {"40", "c"}, {"41", "c"}}, {"flat", "flat"});
  const auto result = microaggregate(world.input, k_only(2), {});
  EXPECT_EQ(classes_of(result.recoding), (Classes{{0, 1}, {2, 3}}));
  EXPECT_EQ(cells(result.recoding, 1), (std::vector<std::string>{"{a|b}", "{a|b}", "c", "c"}));
  // Two classes of squared error 0.5 each; the whole from its mean of 21: 20, 19, 19, 20.
  EXPECT_DOUBLE_EQ(result.squared_error_share[0], 1.0 / (400 + 361 + 361 + 400));
  EXPECT_EQ(result.squared_error_share[1], 0);
}

TEST(Microaggregate, MdavStartsAtTheFarEnds) {
  // Average 40: 100 is farthest, then 0; each takes its neighbour; the rest is a class.
  const ProtectionWorld world({{"0"}, {"1"}, {"20"}, {"22"}, {"38"}, {"99"}, {"100"}}, {"flat"});
  const auto result = microaggregate(world.input, k_only(2), {});
  EXPECT_EQ(classes_of(result.recoding), (Classes{{0, 1}, {5, 6}, {2, 3, 4}}));
}

TEST(Microaggregate, UnivariateRefusesMoreThanOneNumber) {
  const ProtectionWorld two({{"1", "2"}}, {"flat", "flat"});
  EXPECT_THROW((void)microaggregate(two.input, k_only(1), univariate()), Error);
  const ProtectionWorld letters({{"a"}}, {"flat"});
  EXPECT_THROW((void)microaggregate(letters.input, k_only(1), univariate()), Error);
}

// The least squared error of all partitions into classes of k, in order or not.
double least_error(const std::vector<double>& values, std::size_t k) {
  double least = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> class_of(values.size(), 0);
  const std::function<void(std::size_t, std::size_t)> extend = [&](std::size_t at,
                                                                   std::size_t used) {
    if (at < values.size()) {
      for (std::size_t id = 0; id <= used; ++id) {
        class_of[at] = id;
        extend(at + 1, std::max(used, id + 1));
      }
      return;
    }
    double error = 0;
    for (std::size_t id = 0; id < used; ++id) {
      double n = 0;
      double sum = 0;
      double squares = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (class_of[i] != id) continue;
        n += 1;
        sum += values[i];
        squares += values[i] * values[i];
      }
      if (n < static_cast<double>(k)) return;
      error += squares - sum * sum / n;
    }
    least = std::min(least, error);
  };
  extend(0, 0);
  return least;
}

RC_GTEST_PROP(MicroaggregateProperties, UnivariateIsTheBestOfAllPartitions, ()) {
  auto random = any_random();
  const std::size_t k = 1 + random.below(3);
  Rows rows;
  std::vector<double> values;
  const std::size_t records = k + random.below(8);
  for (std::size_t i = 0; i < records; ++i) {
    values.push_back(static_cast<double>(random.below(40)));
    rows.push_back({std::to_string(static_cast<int>(values.back()))});
  }
  const ProtectionWorld world(rows, {"flat"});
  const auto result = microaggregate(world.input, k_only(k), univariate());
  const double all = least_error(values, values.size());
  const double expected = all > 1e-9 ? least_error(values, k) / all : 0;
  RC_ASSERT(std::abs(result.squared_error_share[0] - expected) < 1e-9);
}

RC_GTEST_PROP(MicroaggregateProperties, EveryRecordLeavesOnceInAClassThatHolds, ()) {
  auto random = any_random();
  const auto world = random_world(random, 1 + random.below(100));
  ProtectionInput input = world.input;
  Options options;
  options.centre = Options::Centre::range;
  options.style = random.chance(0.5) ? CellStyle::free : CellStyle::labels;
  options.bucket = random.chance(0.5) ? 20 : 0;
  // A column without a number in it is a category, which univariate refuses.
  const bool number = input.attributes.front().kind != Attribute::Kind::category;
  if (random.chance(0.3) && number) {
    input.attributes.resize(1);
    options.algorithm = Options::Algorithm::univariate;
  }
  auto models = k_only(1 + random.below(6));
  if (random.chance(0.5)) {
    models.push_back(diverse_for_test(1 + random.below(3), 0.7));
  }
  try {
    expect_sound(input, models, microaggregate(input, models, options).recoding);
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ErrorCode::check_failed);
  }
}

TEST(Microaggregate, DoesNotDependOnTheNumberOfThreads) {
  SeededRandom random(1);
  const auto world = random_world(random, 2000);
  Options options;
  options.bucket = 100;
  const auto all = microaggregate(world.input, k_only(3), options);
  const ThreadLimit limit(1);
  expect_same(all.recoding, microaggregate(world.input, k_only(3), options).recoding);
}

}  // namespace
}  // namespace pratique::tables::microaggregate_test
