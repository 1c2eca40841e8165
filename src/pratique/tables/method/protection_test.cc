// What must hold of every method that makes classes.
#include "pratique/tables/method/protection.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "pratique/core/error.h"
#include "pratique/tables/method/internal/partition.h"
#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/model/k_anonymity.h"
#include "pratique/tables/model/l_diversity.h"
#include "pratique/tables/model/proximity.h"
#include "pratique/tables/model/t_closeness.h"
#include "pratique/tables/testing/model_kinds_for_test.h"
#include "pratique/tables/testing/models_for_test.h"
#include "pratique/tables/testing/protection_for_test.h"

namespace pratique::tables::protection_test {
namespace {

using Cells = std::vector<std::string>;

struct Read {
  std::uint64_t records = 0;
  std::map<Code, std::uint64_t> values;  // of the sensitive column
};

// What anybody reads from a release: records with equal cells are one class.
std::map<Cells, Read> read(const ProtectionForTest& world, const Recoding& release) {
  std::map<Cells, Read> classes;
  for (std::size_t i = 0; i < release.groups.size(); ++i) {
    Cells cells;
    for (const auto& column : release.columns) cells.push_back(column.values[column.codes[i]]);
    Read& eq_class = classes[cells];
    eq_class.records += release.counts[i];
    eq_class.values[world.table.columns.back().codes[release.groups[i]]] += release.counts[i];
  }
  return classes;
}

// (e,m) from its definition: around each value, at most 1/m of the class.
bool keeps_em(const Read& eq_class, const std::vector<double>& numbers, double e, double m) {
  for (const auto& [value, count] : eq_class.values) {
    std::uint64_t near = 0;
    for (const auto& [other, others] : eq_class.values) {
      if (std::abs(numbers[value] - numbers[other]) <= e) near += others;
    }
    if (static_cast<double>(near) * m > static_cast<double>(eq_class.records) * (1 + 1e-9)) {
      return false;
    }
  }
  return true;
}

// A union may break (e,m), and classes that read the same are a union.
RC_GTEST_PROP(Protection, ClassesAsTheyReadSatisfyAModelThatIsNotMonotone, ()) {
  auto random = any_random();
  // Two values are near when they are neighbours among the multiples of 5: {0, 10} and {5, 20} keep
  // to one half, and together three of four are around 5.
  auto world = std::make_unique<ProtectionForTest>();
  world->hierarchies.push_back(random_hierarchy(6, 3, random));
  world->hierarchies.push_back(random_hierarchy(4, 2, random));
  Rows rows(4 + random.below(20));
  for (auto& row : rows) {
    row = {std::to_string(random.below(6)), std::to_string(random.below(4)),
           std::to_string(5 * random.below(12))};
    world->counts.push_back(1);
  }
  world->table = table_of({"q0", "q1", "s"}, rows);
  world->connect();
  const auto numbers = numbers_of(world->table.columns.back(), world->counts);
  constexpr double e = 5;
  constexpr std::uint64_t m = 2;
  const std::uint64_t k = 1 + random.below(2);
  Models models;
  models.push_back(k_anonymity(k));
  models.push_back(em_anonymity(e, m, {0, "s", false}, numbers));
  for (const auto* name : {"local", "mondrian", "cluster-up", "cluster-down", "microaggregate"}) {
    for (const auto style : {CellStyle::labels, CellStyle::free}) {
      Method method;
      method.name = name;
      method.style = style;
      try {
        const auto released = protect(world->input, models, method, Progress::silent());
        std::uint64_t records = 0;
        for (const auto& [cells, eq_class] : read(*world, released.recoding)) {
          RC_ASSERT(eq_class.records >= k);
          RC_ASSERT(keeps_em(eq_class, numbers, e, static_cast<double>(m)));
          records += eq_class.records;
        }
        RC_ASSERT(records + released.recoding.suppressed == world->records());
      } catch (const Error& error) {
        RC_ASSERT(error.code() == ErrorCode::check_failed);
        RC_TAG(std::string("refused"));
      }
    }
  }
}

// The least LM of all ways to put the groups into classes that satisfy the models.
double least_loss(const ProtectionInput& input, const Models& models, CellStyle style) {
  double least = std::numeric_limits<double>::infinity();
  ModelCheck check(input, models);
  std::vector<Items> classes;
  const std::function<void(std::uint32_t)> place = [&](std::uint32_t group) {
    if (group == input.groups()) {
      if (std::all_of(classes.begin(), classes.end(),
                      [&](const Items& items) { return check.holds(items); }))
        least = std::min(least, loss_metric(input, recoding_of(input, classes, style)));
      return;
    }
    const Item item{group, (*input.counts)[group]};
    for (std::size_t c = 0; c < classes.size(); ++c) {
      classes[c].push_back(item);
      place(group + 1);
      classes[c].pop_back();
    }
    classes.push_back({item});
    place(group + 1);
    classes.pop_back();
  };
  place(0);
  return least;
}

// Whatever kind of diversity is asked for: a c of 4 is no four records, and l, 1/alpha and m are.
RC_GTEST_PROP(Protection, NoClassesLoseLessThanTheBound, ()) {
  auto random = any_random();
  const auto world = random_protection(1 + random.below(2), 7, random);
  for (auto& count : world->counts) count = 1;
  const Column& column = world->table.columns.back();
  const ModelAttribute attribute{0, "s", random.chance(0.5)};
  const std::uint64_t l = 1 + random.below(3);
  std::vector<double> numbers;
  for (Code code = 0; code < column.dictionary.size(); ++code)
    numbers.push_back(static_cast<double>(random.below(4)));
  Models models;
  switch (random.below(5)) {
    case 0:
      models.push_back(distinct_l_diversity(l, attribute));
      break;
    case 1:
      models.push_back(entropy_l_diversity(static_cast<double>(l), attribute));
      break;
    case 2:
      models.push_back(recursive_l_diversity(1 + random.below(6), l, attribute));
      break;
    case 3:
      models.push_back(alpha_anonymity(1 / static_cast<double>(l), attribute));
      break;
    default:
      models.push_back(em_anonymity(1, l, attribute, numbers));
  }
  for (const auto style : {CellStyle::labels, CellStyle::free}) {
    Method method;
    method.name = "mondrian";
    method.style = style;
    const auto bound = bound_of_loss(world->input, models, method);
    RC_ASSERT(bound.value_or(0) <= least_loss(world->input, models, style) + 1e-9);
    if (bound) RC_TAG(std::string("bounded"));
  }
}

// Half the sum of differences, from its definition, to all that leave.
double largest_distance(const std::map<Cells, Read>& classes) {
  Read all;
  for (const auto& [cells, eq_class] : classes) {
    all.records += eq_class.records;
    for (const auto& [value, count] : eq_class.values) all.values[value] += count;
  }
  double largest = 0;
  for (const auto& [cells, eq_class] : classes) {
    double sum = 0;
    for (const auto& [value, count] : all.values) {
      const auto here = eq_class.values.find(value);
      const double share = here == eq_class.values.end() ? 0 : static_cast<double>(here->second);
      sum += std::abs(share / static_cast<double>(eq_class.records) -
                      static_cast<double>(count) / static_cast<double>(all.records));
    }
    largest = std::max(largest, sum / 2);
  }
  return largest;
}

// The reader's whole table is what left: what was suppressed must be in no claim.
RC_GTEST_PROP(Protection, ClassesAreCloseToTheRecordsThatLeave, ()) {
  auto random = any_random();
  const auto world = random_protection(1 + random.below(3), 40, random);
  const double t = 0.1 + 0.4 * random.uniform();
  Models models;
  models.push_back(k_anonymity(1 + random.below(3)));
  models.push_back(t_closeness(t, GroundDistance::equal, {0, "s", false},
                               world->table.columns.back(), world->counts, nullptr));
  Method method;
  method.name = random.chance(0.5) ? "optimal" : random.chance(0.5) ? "local" : "levels";
  if (method.name == "levels") {
    for (const auto& hierarchy : world->hierarchies) {
      method.levels.push_back(
          static_cast<int>(random.below(static_cast<std::uint64_t>(hierarchy.height()))));
    }
  }
  method.suppression = random.uniform();
  try {
    const auto released = protect(world->input, models, method, Progress::silent());
    const auto classes = read(*world, released.recoding);
    RC_ASSERT(!classes.empty());
    RC_ASSERT(largest_distance(classes) <= t + 1e-9);
    const auto allowed = method.suppression * static_cast<double>(world->records());
    RC_ASSERT(static_cast<double>(released.recoding.suppressed) <= allowed + 1e-6);
    for (const auto& model : released.models) {
      RC_ASSERT(!model->claim({"q0"}).contains("reference"));
    }
    if (released.searched_by_others) RC_TAG(std::string("searched again"));
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ErrorCode::check_failed);
    RC_TAG(std::string("refused"));
  }
}

constexpr const char* kClassMethods[] = {"mondrian", "cluster-up", "cluster-down", "microaggregate",
                                         "suppress-cells"};

// Nothing where the models cannot be satisfied.
std::optional<Protected> released_with(const ProtectionForTest& world, const Models& models,
                                       Method method, double suppression) {
  method.suppression = suppression;
  try {
    return protect(world.input, models, method, Progress::silent());
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::check_failed);
    return std::nullopt;
  }
}

RC_GTEST_PROP(Protection, MoreSuppressionIsNeverWorse, ()) {
  auto random = any_random();
  const auto world = random_protection(1 + random.below(3), 40, random);
  Models models;
  models.push_back(k_anonymity(2 + random.below(3)));
  if (random.chance(0.5)) {
    models.push_back(alpha_anonymity(0.4 + 0.5 * random.uniform(), {0, "s", false}));
  }
  for (const auto* name : kClassMethods) {
    Method method;
    method.name = name;
    method.style = random.chance(0.5) ? CellStyle::labels : CellStyle::free;
    std::optional<double> least;
    for (const double suppression : {0.0, 0.05, 0.2, 0.5, 0.9}) {
      const auto released = released_with(*world, models, method, suppression);
      RC_ASSERT(released.has_value() || !least);
      if (!released) continue;
      std::uint64_t records = released->recoding.suppressed;
      for (const auto& [cells, eq_class] : read(*world, released->recoding)) {
        records += eq_class.records;
        for (const auto& model : models) {
          TestClass members(1);
          for (const auto& [value, count] : eq_class.values) {
            for (std::uint64_t i = 0; i < count; ++i) members.add({value});
          }
          RC_ASSERT(model->holds(members.view()));
        }
      }
      RC_ASSERT(records == world->records());
      RC_ASSERT(static_cast<double>(released->recoding.suppressed) <=
                suppression * static_cast<double>(world->records()) + 1e-6);
      const double loss = loss_metric(world->input, released->recoding);
      if (least) RC_ASSERT(loss <= *least + 1e-6);
      least = loss;
    }
  }
}

// What one setting asks that another does not ask less of.
struct Asked {
  std::uint64_t k = 1;
  std::optional<std::uint64_t> l = {};
  std::optional<double> alpha = {};
  double suppression = 0;

  [[nodiscard]] Models models() const {
    Models all;
    if (k > 1) all.push_back(k_anonymity(k));
    if (l) all.push_back(distinct_l_diversity(*l, {0, "s", false}));
    if (alpha) all.push_back(alpha_anonymity(*alpha, {0, "s", false}));
    return all;
  }
};

// With more suppression, a smaller k, a weaker model or one fewer, every method finds what it found
// before, or better.
RC_GTEST_PROP(Protection, AskingLessIsNeverWorse, ()) {
  auto random = any_random();
  const auto world = random_protection(1 + random.below(3), 30, random);
  Asked strict{2 + random.below(4)};
  if (random.chance(0.6)) strict.l = 2 + random.below(2);
  if (random.chance(0.4)) strict.alpha = 0.4 + 0.5 * random.uniform();
  if (random.chance(0.5)) strict.suppression = random.uniform() / 2;
  std::vector<Asked> settings = {strict};
  Asked less = strict;
  less.k = 1 + random.below(strict.k - 1);
  if (!less.models().empty()) settings.push_back(less);
  less = strict;
  less.suppression += random.uniform() / 2;
  settings.push_back(less);
  less = strict;
  less.l.reset();
  settings.push_back(less);
  less = strict;
  less.alpha.reset();
  settings.push_back(less);
  less = strict;
  if (less.l) less.l = *less.l - 1;
  if (less.alpha) less.alpha = *less.alpha + 0.1;
  settings.push_back(less);
  Method method;
  const char* const names[] = {"mondrian", "cluster-up", "cluster-down", "microaggregate",
                               "local",    "best",       "optimal",      "suppress-cells"};
  method.name = names[random.below(std::size(names))];
  method.style = random.chance(0.5) ? CellStyle::labels : CellStyle::free;
  if (method.name == "best" && random.chance(0.5)) method.metric = "ncp";
  if (method.name == "local" && random.chance(0.5))
    method.start = start_names()[1 + random.below(start_names().size() - 1)];
  RC_TAG(method.name);
  std::optional<double> of_strict;
  for (const Asked& asked : settings) {
    const Models models = asked.models();
    const auto released = released_with(*world, models, method, asked.suppression);
    if (!released) {
      RC_ASSERT(!of_strict);
      continue;
    }
    std::uint64_t records = released->recoding.suppressed;
    RC_ASSERT(static_cast<double>(records) <=
              asked.suppression * static_cast<double>(world->records()) + 1e-6);
    for (const auto& [cells, eq_class] : read(*world, released->recoding)) {
      records += eq_class.records;
      std::uint64_t most = 0;
      for (const auto& [value, count] : eq_class.values) most = std::max(most, count);
      RC_ASSERT(eq_class.records >= asked.k);
      RC_ASSERT(eq_class.values.size() >= asked.l.value_or(1));
      RC_ASSERT(static_cast<double>(most) <=
                asked.alpha.value_or(1) * static_cast<double>(eq_class.records) + 1e-9);
    }
    RC_ASSERT(records == world->records());
    const double loss = method.metric == "ncp"
                            ? normalized_certainty_penalty(world->input, released->recoding)
                            : loss_metric(world->input, released->recoding);
    if (of_strict) RC_ASSERT(loss <= *of_strict + 1e-9);
    if (&asked == &settings.front()) of_strict = loss;
  }
}

RC_GTEST_PROP(Protection, TheBestLosesNoMoreThanAny, ()) {
  auto random = any_random();
  const auto world = random_protection(1 + random.below(3), 40, random);
  Models models;
  models.push_back(k_anonymity(2 + random.below(3)));
  Method method;
  method.name = "best";
  method.style = random.chance(0.5) ? CellStyle::labels : CellStyle::free;
  const char* const metrics[] = {"lm", "ncp", "dm", "c_avg", "um"};
  method.metric = metrics[random.below(std::size(metrics))];
  const auto loss = [&](const Protected& released) {
    const Recoding& recoding = released.recoding;
    return method.metric == "lm"    ? loss_metric(world->input, recoding)
           : method.metric == "ncp" ? normalized_certainty_penalty(world->input, recoding)
           : method.metric == "dm"  ? discernibility(recoding)
           : method.metric == "um"  ? utility_measure(world->input, recoding)
                                    : average_class_size(recoding, 1);
  };
  const double suppression = random.chance(0.5) ? 0 : random.uniform();
  const auto best = released_with(*world, models, method, suppression);
  for (const auto* name : {"mondrian", "optimal", "local", "cluster-down", "cluster-up"}) {
    Method other = method;
    other.name = name;
    const auto released = released_with(*world, models, other, suppression);
    if (!released) continue;
    RC_ASSERT(best.has_value());
    RC_ASSERT(loss(*best) <= loss(*released) + 1e-9);
  }
}

// Eleven of 20 have flu, so one class of all breaks alpha = 0.5: two must stay out.
TEST(Protection, WhatBreaksAModelMayStayOut) {
  ProtectionForTest world;
  Rows rows;
  for (int i = 0; i < 20; ++i) {
    rows.push_back({std::to_string(i % 5), i < 11 ? "flu" : "s" + std::to_string(i % 3)});
    world.counts.push_back(1);
  }
  world.table = table_of({"q", "s"}, rows);
  world.hierarchies.push_back(make_hierarchy("flat", world.table.columns[0].dictionary,
                                             world.table.columns[0].counts(), "q"));
  world.connect();
  Models models;
  models.push_back(alpha_anonymity(0.5, {0, "s", false}));
  for (const auto* name : kClassMethods) {
    EXPECT_FALSE(released_with(world, models, {.name = name}, 0)) << name;
    const auto released = released_with(world, models, {.name = name}, 0.6);
    ASSERT_TRUE(released) << name;
    for (const auto& [cells, eq_class] : read(world, released->recoding)) {
      for (const auto& [value, count] : eq_class.values) {
        EXPECT_LE(2 * count, eq_class.records) << name;
      }
    }
  }
}

// 1 to 4 four times and a 99: in one class with it, all others would show it.
TEST(Protection, ARecordThatCostsItsClassMoreThanItselfStaysOut) {
  ProtectionForTest world;
  Rows rows;
  for (int i = 0; i < 17; ++i) rows.push_back({i == 16 ? "99" : std::to_string(1 + i % 4), "s"});
  world.counts.assign(rows.size(), 1);
  world.table = table_of({"q", "s"}, rows);
  world.hierarchies.push_back(make_hierarchy("flat", world.table.columns[0].dictionary,
                                             world.table.columns[0].counts(), "q"));
  world.connect();
  Models models;
  models.push_back(k_anonymity(16));
  Method method;
  method.name = "mondrian";
  method.metric = "ncp";
  EXPECT_EQ(released_with(world, models, method, 0)->recoding.columns[0].values, Cells{"1..99"});
  const auto trimmed = released_with(world, models, method, 0.1);
  EXPECT_EQ(trimmed->recoding.columns[0].values, Cells{"1..4"});
  EXPECT_EQ(trimmed->recoding.suppressed, 1U);
}

}  // namespace
}  // namespace pratique::tables::protection_test
