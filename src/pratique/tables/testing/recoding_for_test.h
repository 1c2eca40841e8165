// Small tables as methods see them, models to protect them with, and what must hold of any
// recoding, checked from the cells alone.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "pratique/data/generalised.h"
#include "pratique/tables/model/k_anonymity.h"
#include "pratique/tables/recoding.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables {

// The columns with a hierarchy spec are quasi-identifiers, the others sensitive.
struct ProtectionWorld {
  Table table;
  std::vector<std::uint64_t> counts;
  std::vector<std::unique_ptr<Hierarchy>> hierarchies;
  ProtectionInput input;

  ProtectionWorld(const Rows& rows, const std::vector<std::string>& specs,
                  std::vector<std::uint64_t> weights = {})
      : counts(std::move(weights)) {
    if (counts.empty()) counts.assign(rows.size(), 1);
    std::vector<std::string> names;
    for (std::size_t c = 0; c < rows.at(0).size(); ++c) names.push_back("c" + std::to_string(c));
    table = table_of(names, rows);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const Column& column = table.columns[c];
      if (c >= specs.size()) {
        input.sensitive.push_back(&column);
        continue;
      }
      hierarchies.push_back(std::make_unique<Hierarchy>(
          make_hierarchy(specs[c], column.dictionary, column.counts(), column.name)));
      input.attributes.push_back(make_attribute(column, *hierarchies.back(), column.counts()));
    }
    input.counts = &counts;
  }
};

inline Models k_only(std::uint64_t k) {
  Models models;
  models.push_back(k_anonymity(k));
  return models;
}

// At least l different values of the first sensitive attribute, none with more than a share.
[[nodiscard]] std::unique_ptr<Model> diverse_for_test(std::size_t l, double share);

// No record is lost or doubled, every class satisfies the models and shows one cell per attribute,
// no two classes show the same, and every cell contains the values behind it.
inline void expect_sound(const ProtectionInput& input, const Models& models,
                         const Recoding& recoding) {
  std::vector<std::uint64_t> left(input.groups(), 0);
  std::set<std::pair<std::uint32_t, ClassId>> entries;
  std::map<ClassId, std::uint64_t> records;
  std::map<ClassId, std::vector<std::map<Code, std::uint64_t>>> values;
  std::map<ClassId, std::vector<std::string>> cells;
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    const auto group = recoding.groups[i];
    const auto id = recoding.class_of[i];
    EXPECT_TRUE(entries.emplace(group, id).second);
    EXPECT_GT(recoding.counts[i], 0U);
    left.at(group) += recoding.counts[i];
    records[id] += recoding.counts[i];
    values[id].resize(input.sensitive.size());
    for (std::size_t s = 0; s < input.sensitive.size(); ++s) {
      values[id][s][input.sensitive[s]->codes[group]] += recoding.counts[i];
    }
    std::vector<std::string> row;
    for (std::size_t a = 0; a < input.attributes.size(); ++a) {
      const Attribute& attribute = input.attributes[a];
      const auto& column = recoding.columns.at(a);
      row.push_back(column.values.at(column.codes.at(i)));
      EXPECT_TRUE(GeneralisedValue::parse(row.back())
                      .contains(attribute.column->text(group), attribute.hierarchy))
          << row.back() << " for " << attribute.column->text(group);
    }
    EXPECT_EQ(cells.emplace(id, row).first->second, row);
  }
  EXPECT_EQ(records.size(), recoding.class_count);
  std::set<std::vector<std::string>> different;
  for (const auto& [id, row] : cells) different.insert(row);
  EXPECT_EQ(different.size(), recoding.class_count);
  EXPECT_EQ(left, *input.counts);
  EXPECT_EQ(recoding.suppressed, 0U);
  for (const auto& [id, count] : records) {
    std::vector<std::vector<Code>> codes(input.sensitive.size());
    std::vector<std::vector<std::uint64_t>> counts(input.sensitive.size());
    std::vector<SensitiveCounts> sensitive;
    for (std::size_t s = 0; s < input.sensitive.size(); ++s) {
      for (const auto& [code, times] : values[id][s]) {
        codes[s].push_back(code);
        counts[s].push_back(times);
      }
      sensitive.push_back({codes[s], counts[s]});
    }
    EXPECT_TRUE(all_hold(models, {count, 0, sensitive}));
  }
}

inline void expect_same(const Recoding& a, const Recoding& b) {
  EXPECT_EQ(a.groups, b.groups);
  EXPECT_EQ(a.counts, b.counts);
  EXPECT_EQ(a.class_of, b.class_of);
}

// The groups of each class.
inline std::set<std::set<std::uint32_t>> classes_of(const Recoding& recoding) {
  std::map<ClassId, std::set<std::uint32_t>> classes;
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    classes[recoding.class_of[i]].insert(recoding.groups[i]);
  }
  std::set<std::set<std::uint32_t>> sets;
  for (const auto& [id, members] : classes) sets.insert(members);
  return sets;
}

// Numbers and dates with missing ones among them, a tree, flat categories, a sensitive value. Equal
// rows may come more than once.
inline ProtectionWorld random_world(SeededRandom& random, std::size_t rows) {
  Rows table;
  std::vector<std::uint64_t> weights;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto age = random.chance(0.05) ? "" : std::to_string(random.below(60));
    const auto day = random.chance(0.05) ? ""
                                         : fmt::format("2001-{:02}-{:02}", 1 + random.below(12),
                                                       1 + random.below(28));
    table.push_back({age, day, fmt::format("{:03}", random.below(200)),
                     std::string(1, static_cast<char>('a' + random.below(5))),
                     std::to_string(random.below(6)) + "s"});
    weights.push_back(1 + random.below(random.chance(0.1) ? 20 : 3));
  }
  return {table, {"interval:10,20", "date", "prefix", "flat"}, weights};
}

}  // namespace pratique::tables
