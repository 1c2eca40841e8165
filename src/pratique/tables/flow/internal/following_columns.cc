#include "pratique/tables/flow/internal/following_columns.h"

#include <algorithm>
#include <unordered_set>

#include "pratique/kind/among.h"
#include "pratique/kind/undoing_columns.h"
#include "pratique/tables/method/anatomy.h"

namespace pratique::tables::flow {
namespace {

constexpr std::uint64_t kRowsSeen = 2'000;  // at the beginning, and as many further down
constexpr std::uint64_t kFurtherDown = 50'000;

// Rows of the beginning and of further down, one of each person.
Table some_rows(const PreparedTable& prepared, const Run& run) {
  Table rows = run.engine.page(prepared.source, 0, kRowsSeen, run.progress);
  const auto all = prepared.people ? prepared.people->rows() : prepared.records_read;
  if (all > kRowsSeen) {
    const auto more =
        run.engine.page(prepared.source, std::min(kFurtherDown, std::max(kRowsSeen, all / 2)),
                        kRowsSeen, run.progress);
    for (auto& column : rows.columns) {
      const Column& further = more.column(column.name);
      for (std::size_t row = 0; row < further.codes.size(); ++row)
        column.codes.push_back(column.dictionary.intern(further.text(row)));
    }
  }
  if (prepared.person.empty()) return rows;
  std::unordered_set<Code> seen;
  std::vector<std::size_t> kept;
  const auto& whose = rows.column(prepared.person).codes;
  for (std::size_t row = 0; row < whose.size(); ++row) {
    if (seen.insert(whose[row]).second) kept.push_back(row);
  }
  for (auto& column : rows.columns) {
    std::vector<Code> codes;
    codes.reserve(kept.size());
    for (const auto row : kept) codes.push_back(column.codes[row]);
    column.codes = std::move(codes);
  }
  return rows;
}

}  // namespace

void refuse_following_columns(const ProtectRequest& options, const PreparedTable& prepared,
                              const Run& run) {
  const auto& schema = prepared.schema;
  auto looked_at = prepared.as_is;
  looked_at.insert(looked_at.end(), prepared.rounded.begin(), prepared.rounded.end());
  std::erase_if(looked_at, [&](const auto& name) { return release::among(options.allowed, name); });
  std::vector<std::string> replaced;
  std::copy_if(prepared.leaving.begin(), prepared.leaving.end(), std::back_inserter(replaced),
               [&](const auto& name) {
                 return name != prepared.person && schema.role_of(name) == Role::identifier;
               });
  // Anatomy leaves quasi-identifiers as they are, and hides secrets alone.
  if (!options.releases || options.method == tables::kAnatomy || schema.quasi_identifiers.empty() ||
      (looked_at.empty() && replaced.empty()))
    return;
  const Table rows = some_rows(prepared, run);
  release::UndoingColumns undoing;
  for (const auto& name : schema.quasi_identifiers) undoing.know(rows.column(name));
  for (const auto& name : looked_at)
    undoing.look_at(rows.column(name), schema.role_of(name) == Role::sensitive);
  for (const auto& name : replaced) undoing.look_at_pseudonyms(rows.column(name));
  undoing.check(prepared.source.name);
}

}  // namespace pratique::tables::flow
