// level_yardstick METHOD kept|anew PEOPLE LARGEST_K: anonymises one table for k = 2 to LARGEST_K,
// each level from what the last one left (as FRED does) or from nothing, and checks nothing: the
// tests do.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "pratique/crypto/random.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/tables/method/anonymisation_levels.h"
#include "pratique/tables/method/microaggregate.h"
#include "pratique/tables/method/mondrian.h"
#include "pratique/tables/model/k_anonymity.h"

namespace {

using namespace pratique;
using namespace pratique::tables;

// Three numbers that go together, as an insurer's indices do.
Table people(std::size_t count) {
  SeededRandom random(1, 0);
  Table table;
  for (const auto* name : {"visits", "spending", "valuation"}) {
    table.columns.emplace_back().name = name;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const double wealth = random.normal(0, 1);
    for (auto& column : table.columns) {
      const double value = 500 + 100 * wealth + random.normal(0, 60);
      column.codes.push_back(column.dictionary.intern(fmt::format("{:.0f}", value)));
    }
  }
  return table;
}

std::size_t run(const std::string& method, bool anew, std::size_t count, std::uint64_t largest_k) {
  const Table table = people(count);
  const std::vector<std::uint64_t> counts(count, 1);
  std::vector<Hierarchy> hierarchies;
  ProtectionInput input;
  input.counts = &counts;
  hierarchies.reserve(table.columns.size());
  for (const auto& column : table.columns) {
    hierarchies.push_back(make_hierarchy("flat", column.dictionary, column.counts(), column.name));
    input.attributes.push_back(make_attribute(column, hierarchies.back(), column.counts()));
  }
  std::size_t classes = 0;
  if (!anew) {
    AnonymisationLevels levels(input, method == "mondrian"
                                          ? AnonymisationLevels::Method::mondrian
                                          : AnonymisationLevels::Method::microaggregate);
    for (std::uint64_t k = 2; k <= largest_k; ++k) classes += levels.at(k).class_count;
    return classes;
  }
  MicroaggregationOptions whole;
  whole.bucket = 0;  // the same classes, then
  for (std::uint64_t k = 2; k <= largest_k; ++k) {
    Models models;
    models.push_back(k_anonymity(k));
    classes += method == "mondrian" ? mondrian(input, models, {}).class_count
                                    : microaggregate(input, models, whole).recoding.class_count;
  }
  return classes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const std::size_t classes =
      run(argv[1], std::string(argv[2]) == "anew", std::strtoull(argv[3], nullptr, 10),
          std::strtoull(argv[4], nullptr, 10));
  (void)std::printf("%zu classes\n", classes);
  return 0;
}
