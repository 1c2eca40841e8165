#include "pratique/kind/undoing_columns.h"

#include <fmt/format.h>

#include "pratique/core/error.h"
#include "pratique/kind/decided_columns.h"
#include "pratique/kind/shell_quoted.h"

namespace pratique::release {

void UndoingColumns::know(const Column& quasi_identifier) {
  known_.emplace(quasi_identifier.name, columns::readings_of(quasi_identifier));
}

void UndoingColumns::look_at(const Column& column, bool secret) {
  const auto read = columns::readings_of(column);
  for (const auto& [name, quasi_identifier] : known_) {
    const auto undoing = secret ? columns::undoes_in_order(read, quasi_identifier)
                                : columns::undoes(read, quasi_identifier);
    if (!undoing) continue;
    refused_.push_back(column.name);
    reasons_ += *undoing == columns::Undoing::follows
                    ? fmt::format("\n    {}: it follows from '{}', so who knows that knows it",
                                  column.name, name)
                    : fmt::format("\n    {}: it tells '{}', or a part of it", column.name, name);
    return;
  }
  for (const auto& [first, from] : known_) {
    for (const auto& [second, to] : known_) {
      if (first == second || !columns::follows_from_days_between(read, from, to)) continue;
      refused_.push_back(column.name);
      reasons_ += fmt::format("\n    {}: it follows from '{}' and '{}', so who knows both knows it",
                              column.name, first, second);
      return;
    }
  }
}

void UndoingColumns::look_at_pseudonyms(const Column& identifier) {
  const auto read = columns::readings_of(identifier);
  for (const auto& [name, quasi_identifier] : known_) {
    if (!columns::shared_by_value(read, quasi_identifier)) continue;
    pseudonyms_.push_back(identifier.name);
    reasons_ += fmt::format(
        "\n    {}: its equal pseudonyms stand for equal values, which follow from '{}' or tell it",
        identifier.name, name);
    return;
  }
}

void UndoingColumns::check(const std::string& place) const {
  auto all = refused_;
  all.insert(all.end(), pseudonyms_.begin(), pseudonyms_.end());
  if (all.empty()) return;
  const bool one = all.size() == 1;
  std::string hint = fmt::format("Make {} quasi-identifier{} (--qi {})", one ? "it a" : "them",
                                 one ? "" : "s", shell_quoted(comma_separated(all)));
  if (!pseudonyms_.empty()) hint += ", or release no pseudonyms (--identifiers drop)";
  hint += ".";
  if (!refused_.empty()) {
    const auto names = shell_quoted(comma_separated(refused_));
    hint += fmt::format(
        " Or leave out what must not be known (--id {0}). If it is harmless all the same, say so, "
        "and everyone who verifies the release is told:\n    --allow {0}",
        names);
  }
  throw Error::input(fmt::format("{} would leave and undo{} what classes of quasi-identifiers "
                                 "hide:{}",
                                 one ? "a column" : fmt::format("{} columns", all.size()),
                                 one ? "es" : "", reasons_))
      .at(place)
      .hint(hint);
}

}  // namespace pratique::release
