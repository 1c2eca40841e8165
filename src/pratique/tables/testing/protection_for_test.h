// What a method is given, made from rows written down, drawn, or of the Adult data set.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pratique/engine/engine.h"
#include "pratique/tables/attribute.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables {

// Owns everything that the input points at.
struct ProtectionForTest {
  Table table;
  std::vector<std::uint64_t> counts;
  std::vector<std::uint64_t> population;
  std::vector<Hierarchy> hierarchies;  // beside the quasi-identifiers, the first columns
  ProtectionInput input;

  // Columns after the quasi-identifiers are sensitive.
  void connect() {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const Column& column = table.columns[c];
      if (c < hierarchies.size()) {
        input.attributes.push_back(make_attribute(column, hierarchies[c], column.counts()));
      } else {
        input.sensitive.push_back(&column);
      }
    }
    input.counts = &counts;
    if (!population.empty()) input.population = &population;
  }

  [[nodiscard]] std::uint64_t records() const {
    std::uint64_t sum = 0;
    for (const auto count : counts) sum += count;
    return sum;
  }
};

// A tree of the given height over the values 0, 1, ..., each level merging at random.
inline Hierarchy random_hierarchy(std::size_t values, int height, SeededRandom& random) {
  Hierarchy::Builder builder("test");
  std::vector<std::vector<std::string>> paths(values);
  std::vector<std::size_t> group(values);
  for (std::size_t v = 0; v < values; ++v) {
    paths[v].push_back(std::to_string(v));
    group[v] = v;
  }
  for (int level = 1; level < height; ++level) {
    std::vector<std::size_t> merged(values);
    for (auto& target : merged) target = level + 1 == height ? 0 : random.below(values);
    for (std::size_t v = 0; v < values; ++v) {
      group[v] = merged[group[v]];
      paths[v].push_back(
          level + 1 == height ? "*" : "n" + std::to_string(level) + "_" + std::to_string(group[v]));
    }
  }
  for (const auto& path : paths) {
    builder.add(std::vector<std::string_view>(path.begin(), path.end()));
  }
  return builder.build();
}

inline std::unique_ptr<ProtectionForTest> random_protection(std::size_t attributes,
                                                            std::size_t most_groups,
                                                            SeededRandom& random) {
  auto world = std::make_unique<ProtectionForTest>();
  std::vector<std::string> names;
  std::vector<std::size_t> domains;
  for (std::size_t a = 0; a < attributes; ++a) {
    names.push_back("q" + std::to_string(a));
    domains.push_back(1 + random.below(6));
    world->hierarchies.push_back(random_hierarchy(
        domains.back(), domains.back() == 1 ? 1 : 2 + static_cast<int>(random.below(3)), random));
  }
  names.emplace_back("s");
  Rows rows(1 + random.below(most_groups));
  const std::size_t sensitive = 1 + random.below(4);
  for (auto& row : rows) {
    for (const std::size_t domain : domains) row.push_back(std::to_string(random.below(domain)));
    row.push_back("s" + std::to_string(random.below(sensitive)));
    world->counts.push_back(1 + random.below(3));
  }
  world->table = table_of(names, rows);
  world->connect();
  return world;
}

// Half of the time all columns count the same.
inline void draw_weights(ProtectionInput& input, SeededRandom& random) {
  if (random.chance(0.5)) return;
  for (auto& attribute : input.attributes)
    attribute.weight = random.chance(0.2) ? 0 : 5 * random.uniform();
  if (scale_weights(input.attributes) > 0) return;
  for (auto& attribute : input.attributes) attribute.weight = 1;
}

inline const std::filesystem::path kAdult = "../shared/data/adult";

// The named quasi-identifiers; `sensitive` may be empty.
inline std::unique_ptr<ProtectionForTest> adult(const std::vector<std::string>& quasi_identifiers,
                                                const std::vector<std::string>& sensitive) {
  auto world = std::make_unique<ProtectionForTest>();
  const auto engine = Engine::duckdb();
  const Source source = engine->open(kAdult / "adult.csv", {}, Progress::silent());
  auto names = quasi_identifiers;
  names.insert(names.end(), sensitive.begin(), sensitive.end());
  GroupedTable grouped = engine->group(source, names, Progress::silent());
  world->table = std::move(grouped.groups);
  world->counts = std::move(grouped.counts);
  for (const auto& name : quasi_identifiers) {
    const Column& column = world->table.column(name);
    world->hierarchies.push_back(make_hierarchy(kAdult / ("adult_hierarchy_" + name + ".csv"),
                                                column.dictionary, column.counts(), name));
  }
  world->connect();
  return world;
}

}  // namespace pratique::tables
