// Classes of records written down in tests, as models see them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pratique/data/hierarchy.h"
#include "pratique/tables/model/model.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables {

// Records of a class: the codes of their sensitive attributes.
class TestClass {
 public:
  explicit TestClass(std::size_t attributes) : tallies_(attributes) {}

  void add(const std::vector<Code>& record) {
    ++records;
    for (std::size_t a = 0; a < tallies_.size(); ++a) ++tallies_[a][record[a]];
    members.push_back(record);
  }
  void merge(const TestClass& other) {
    for (const auto& record : other.members) add(record);
    population += other.population;
  }

  // Good until the next change.
  ClassView view() {
    values_.assign(tallies_.size(), {});
    counts_.assign(tallies_.size(), {});
    views_.clear();
    for (std::size_t a = 0; a < tallies_.size(); ++a) {
      for (const auto& [value, count] : tallies_[a]) {
        values_[a].push_back(value);
        counts_[a].push_back(count);
      }
      views_.push_back({values_[a], counts_[a]});
    }
    return {records, population, views_};
  }

  std::uint64_t records = 0;
  std::uint64_t population = 0;
  std::vector<std::vector<Code>> members;

 private:
  std::vector<std::map<Code, std::uint64_t>> tallies_;
  std::vector<std::vector<Code>> values_;
  std::vector<std::vector<std::uint64_t>> counts_;
  std::vector<SensitiveCounts> views_;
};

inline Hierarchy tree_of(const std::vector<std::vector<std::string_view>>& paths) {
  Hierarchy::Builder builder("tree");
  for (const auto& path : paths) builder.add(path);
  return builder.build();
}

inline Column column_of(const std::string& name, const std::vector<std::string>& values) {
  Column column;
  column.name = name;
  for (const auto& value : values) column.codes.push_back(column.dictionary.intern(value));
  return column;
}

}  // namespace pratique::tables
