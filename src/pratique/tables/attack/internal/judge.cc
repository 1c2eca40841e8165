#include "pratique/tables/attack/internal/judge.h"

#include "pratique/tables/attack/internal/respelt.h"

namespace pratique::tables::internal {
namespace {

bool has_column(const Table& table, const std::string& name) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [&](const Column& column) { return column.name == name; });
}

}  // namespace

Judge::Judge(const Table& release, const Table& register_table, const std::vector<std::string>& on,
             const std::optional<std::string>& sensitive, const Truth& truth,
             const Hierarchies& hierarchies, const CellReadings& readings)
    : register_key_(register_table.column(truth.key)), truth_key_(truth.table->column(truth.key)) {
  const CodedColumn key = CodedColumn::of(truth_key_);
  by_key_ = EquivalenceClasses::of(std::span(&key, 1), truth.table->rows());
  members_ = by_key_.members();
  key_class_.assign(truth_key_.dictionary.size(), kNoCode);
  for (ClassId id = 0; id < by_key_.count(); ++id) {
    key_class_[truth_key_.codes[by_key_.representative(id)]] = id;
  }
  const auto true_column = [&](const std::string& name) {
    return TrueColumn(release.column(name), truth.table->column(name),
                      hierarchy_of(hierarchies, name), reading_of(readings, name));
  };
  for (const auto& name : on) {
    if (has_column(*truth.table, name)) linked_.push_back(true_column(name));
  }
  if (sensitive) sensitive_.push_back(true_column(*sensitive));
}

bool Judge::TrueColumn::holds(Code cell, std::uint32_t record) const {
  const auto containing = matches.cells_containing(originals.codes[record]);
  return std::binary_search(containing.begin(), containing.end(), cell);
}

template <class Holds>
bool Judge::any_record(std::size_t target, const Holds& holds) const {
  const auto key = truth_key_.dictionary.find(register_key_.text(target));
  if (!key || key_class_[*key] == kNoCode) return false;
  const auto records = members_.of(key_class_[*key]);
  return std::any_of(records.begin(), records.end(), holds);
}

bool Judge::knows(std::size_t target) const {
  return any_record(target, [](std::uint32_t /*record*/) { return true; });
}

bool Judge::link_holds(std::size_t target, std::uint32_t release_row) const {
  return any_record(target, [&](std::uint32_t record) {
    return std::all_of(linked_.begin(), linked_.end(), [&](const TrueColumn& column) {
      return column.holds(column.cells.codes[release_row], record);
    });
  });
}

bool Judge::value_holds(std::size_t target, Code cell) const {
  return any_record(target,
                    [&](std::uint32_t record) { return sensitive_.front().holds(cell, record); });
}

}  // namespace pratique::tables::internal
