// Attacks on a sensitive attribute that need no register: the adversary knows a target's class and
// reads what the class says. They succeed on tables that are k-anonymous, and on l-diverse ones.
//
//   homogeneity   all records of the class have one value: it is the target's (Machanavajjhala et
//                 al. 2007)
//   skewness      a value's share p in the class is far from its share q in the whole table, which
//                 everybody may know (Li, Li and Venkatasubramanian 2007): the largest p / q, and
//                 the largest p - q, over classes and values
//   similarity    the values of the class differ and say the same (same paper): all lie under one
//                 node of the hierarchy below its root, or, of numbers, within a narrow range.
//                 Homogeneous classes are among them.
//
// Suppressed rows, '*' in every quasi-identifier, are in no class; their values count in q unless
// they are '*' too. '*' as a sensitive value discloses nothing: classes with it are neither
// homogeneous nor similar. A missing cell is a value like others, and no number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/data/hierarchy.h"
#include "pratique/data/table.h"

namespace pratique::tables {

struct AttributeAttacks {
  std::string column;
  std::uint64_t records = 0;  // in classes
  std::uint64_t homogeneous = 0;
  double skewness_ratio = 0;
  double skewness_gain = 0;
  std::optional<std::uint64_t> similar;  // without a hierarchy and not numbers: none

  // Of the records in classes; 0 when there are none.
  [[nodiscard]] double share(std::uint64_t count) const {
    return records == 0 ? 0 : static_cast<double>(count) / static_cast<double>(records);
  }
};

struct SimilarityOptions {
  const Hierarchy* hierarchy = nullptr;  // over the sensitive attribute
  // Of numbers: how wide a narrow range is, as a share of the table's whole range.
  double narrow = 0.05;
};

// Throws Error when the hierarchy lacks a value of the column.
[[nodiscard]] AttributeAttacks attack_attribute(const CountedTable& release,
                                                const std::vector<std::string>& quasi_identifiers,
                                                const std::string& sensitive,
                                                const SimilarityOptions& options = {});

// Keys: column, records, homogeneous, homogeneous_share, skewness_ratio, skewness_gain, similar,
// similar_share.
[[nodiscard]] Json to_json(const AttributeAttacks& attacks);

}  // namespace pratique::tables
