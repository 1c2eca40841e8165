// The attack on a released table: people of a register are linked to the rows that may be theirs.
//
// The adversary holds a register (a voter list, say) with names and some of the release's columns.
// Each row of it is a target. A target's candidates are the rows of the release whose cells contain
// the target's values in the linked columns (Sweeney 2002; the attack on generalised tables is
// Samarati 2001's). What the adversary then claims:
//
//   linked_uniquely      there is exactly one candidate: "this row is theirs"
//   sensitive_disclosed  there are candidates, and all share one sensitive value (one candidate, or
//                        many in a homogeneous class): "this value is theirs". A missing cell is a
//                        value like others; '*' discloses nothing.
//
// Suppressed rows, '*' in every linked column, contain everybody. They are candidates of the
// targets that no other row contains, and of nobody else: counting them for all would let one such
// row hide every other, leaving them out would hide what they disclose. Both ways the adversary
// claims as much as could be claimed.
//
// unread counts, by column, the rows whose cell is a plain text, neither range, set nor pattern,
// and no target's value: another tool's words, a label without its hierarchy, or a value of nobody.
//
// release_rows_matched counts the rows that contain some target. Where it is small, the cells may
// be labels that only a hierarchy explains, and the attack has not been tried in earnest.
//
// Claims may be wrong: a register holds people who are not in the release at all. Given the truth,
// `correct` counts the claims that hold. The truth is a table of the original records behind the
// release with a key that the register has too (a patient number), the original values of linked
// columns (those that it has), and the sensitive column. A target's true records are those of its
// key; it may have none or several.
//
//   correctly_linked     targets linked uniquely to a class whose cells contain a true record of
//                        theirs. Where cells overlap (local recoding) the row may still be the
//                        neighbour's, so this is an upper bound.
//   correct              with a sensitive column: targets whose disclosed value is (or contains)
//                        the value of a true record of theirs; without: correctly_linked.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/data/table.h"
#include "pratique/tables/attack/assess.h"
#include "pratique/tables/attack/internal/column_matches.h"

namespace pratique::tables {

struct Truth {
  const Table* table = nullptr;
  std::string key;
};

struct LinkageAttack {
  std::uint64_t targets = 0;
  std::uint64_t release_rows = 0;
  std::uint64_t release_rows_matched = 0;
  std::uint64_t suppressed = 0;  // rows of the release
  std::map<std::string, std::uint64_t> unread;
  std::uint64_t linked = 0;  // targets with at least one candidate
  std::uint64_t linked_uniquely = 0;
  std::optional<std::uint64_t> sensitive_disclosed;
  std::optional<std::uint64_t> correctly_linked;
  std::optional<std::uint64_t> correct;

  // Some record could be somebody's. What was not tried clears nothing.
  [[nodiscard]] bool tried() const { return release_rows_matched > 0; }
  // Of the targets; 0 when there are none.
  [[nodiscard]] double share(std::uint64_t count) const {
    return targets == 0 ? 0 : static_cast<double>(count) / static_cast<double>(targets);
  }
  // The larger share of what the adversary claims: what a threshold is held against.
  [[nodiscard]] double largest_share() const {
    return share(std::max(linked_uniquely, sensitive_disclosed.value_or(0)));
  }
};

// How the cells of columns are read, where it is known.
using CellReadings = std::map<std::string, CellsAre>;

// `on` names columns of both tables.
[[nodiscard]] LinkageAttack attack_by_linkage(
    const CountedTable& release, const Table& register_table, const std::vector<std::string>& on,
    const std::optional<std::string>& sensitive, const std::optional<Truth>& truth = std::nullopt,
    const Hierarchies& hierarchies = {}, Progress& progress = Progress::silent(),
    const CellReadings& readings = {});

}  // namespace pratique::tables
