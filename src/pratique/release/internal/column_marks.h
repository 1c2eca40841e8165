// By what two releases are known to have a column in common, though it may be called otherwise: its
// values. A ledger holds no value, so each stands there as a keyed mark: the first bytes of the
// HMAC of the value, without case, blanks and points (250.00 is 25000), under a secret of the
// ledger. Nobody without the key can try values.
//
// Of many values those with the smallest marks are kept; both ledgers and releases are then
// compared by the values whose marks are below the largest that either keeps, which is a fair
// sample of all of them.
//
// Codes may be shown in full in one release and by their category in another. So sensitive columns
// also have the marks of how their values begin (three characters: an ICD category).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/crypto/hash.h"
#include "pratique/kind/column_values.h"

namespace pratique::release {

struct Marks {
  std::vector<std::string> smallest = {};  // in order
  bool whole = true;                       // none is left out
};

struct ColumnMarks {
  std::string column;
  bool sensitive = false;
  Marks values = {};
  Marks beginnings = {};  // of sensitive columns
};

[[nodiscard]] std::vector<ColumnMarks> marks_of(const std::vector<ColumnValues>& columns,
                                                std::span<const std::uint8_t> secret);

// At least `least` values, and half of those of the smaller, are in both.
[[nodiscard]] bool share_most(const Marks& a, const Marks& b, std::size_t least);
// One name is the other, but for case, numbers, and words that follow: age, Age_2021, age at visit.
[[nodiscard]] bool same_name(const std::string& a, const std::string& b);

[[nodiscard]] Json to_json(const std::vector<ColumnMarks>& columns);
// Throws Json::exception.
[[nodiscard]] std::vector<ColumnMarks> column_marks_from(const Json& json);

}  // namespace pratique::release
