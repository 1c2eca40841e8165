// What must hold of every method that makes classes.
#include "pratique/tables/method/protection.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/tables/model/k_anonymity.h"
#include "pratique/tables/model/proximity.h"
#include "pratique/tables/testing/model_kinds_for_test.h"
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

}  // namespace
}  // namespace pratique::tables::protection_test
