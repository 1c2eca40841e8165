#include "pratique/tables/attack/internal/respelt.h"

#include <optional>
#include <set>
#include <string_view>

#include "pratique/data/generalised.h"
#include "pratique/data/hierarchy.h"
#include "pratique/data/number.h"
#include "pratique/tables/model/spelling.h"

namespace pratique::tables::internal {
namespace {

// Texts of the release, as they are and without what is a matter of writing.
class Written {
 public:
  Written(const Column& released, const Hierarchy* hierarchy) {
    for (const auto cell : released.dictionary.values()) {
      const auto value = GeneralisedValue::parse_foreign(cell);
      if (value.kind() != GeneralisedValue::Kind::text &&
          value.kind() != GeneralisedValue::Kind::set)
        continue;
      for (const auto& part : value.parts()) add(part);
    }
    if (hierarchy == nullptr) return;
    for (Hierarchy::Node leaf = 0; leaf < hierarchy->leaf_count(); ++leaf)
      add(hierarchy->label(leaf));
  }

  // As the release writes it, where it writes it otherwise. Numbers are left as they are: they may
  // be inside a range or a pattern.
  [[nodiscard]] std::optional<std::string> otherwise(std::string_view text) const {
    if (texts_.contains(std::string(text)) || is_number(text)) return std::nullopt;
    const auto entry = by_spelling_.find(without_spelling(text));
    if (entry == by_spelling_.end() || entry->first.empty()) return std::nullopt;
    return entry->second;
  }

 private:
  void add(std::string_view text) {
    texts_.emplace(text);
    by_spelling_.emplace(without_spelling(text), text);
  }

  std::set<std::string> texts_;
  std::map<std::string, std::string> by_spelling_;
};

}  // namespace

const Hierarchy* hierarchy_of(const Hierarchies& hierarchies, const std::string& column) {
  const auto entry = hierarchies.find(column);
  return entry == hierarchies.end() ? nullptr : entry->second;
}

CellsAre reading_of(const std::map<std::string, CellsAre>& readings, const std::string& column) {
  const auto entry = readings.find(column);
  return entry == readings.end() ? CellsAre::anything : entry->second;
}

Table respelt(const Table& register_table, const Table& release, const std::vector<std::string>& on,
              const Hierarchies& hierarchies) {
  Table result;
  for (const auto& name : on) {
    const Written written(release.column(name), hierarchy_of(hierarchies, name));
    const Column& column = register_table.column(name);
    Column& changed = result.columns.emplace_back();
    changed.name = column.name;
    std::vector<Code> code_of;
    for (const auto value : column.dictionary.values()) {
      const auto other = written.otherwise(value);
      code_of.push_back(changed.dictionary.intern(other ? std::string_view(*other) : value));
    }
    changed.codes.reserve(column.codes.size());
    for (const Code code : column.codes) changed.codes.push_back(code_of[code]);
  }
  return result;
}

}  // namespace pratique::tables::internal
