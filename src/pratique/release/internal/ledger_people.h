// Which releases of a ledger are about the same people as one that is to be added.
//
// Two are when they were made from an input with the same hash, when both were given the same name
// of a population, or when one was said to be about the people of the other (--same-people); and so
// are two that are each about the same people as a third.
//
// A table that grew is another file, so nothing but words tells whose it is. Where an earlier
// release is like the added one, and neither a name nor a word tells the two apart, it is
// `unclear`: the user is asked. Two are alike, whatever their kinds, when
//   - a sensitive column of one is also in the other: by its name (column_marks.h), by most of its
//     values, or by how most of them begin; or
//   - half of the columns of the smaller are in the other, by their names or by most of their
//     values. Of one kind, one without columns is like everything.
// A name of a population tells releases apart once it has been used before; a new name may be a
// slip of the pen.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pratique/release/internal/column_marks.h"

namespace pratique::release {

// What a ledger tells of a release.
struct RecordedRelease {
  std::uint64_t index = 0;
  std::string sha256;
  std::string manifest;
  std::vector<std::string> inputs;  // marks, or hashes of earlier versions
  std::string population;
  std::string kind;
  std::optional<std::vector<std::string>> columns;  // none: of an earlier version
  std::vector<std::uint64_t> same_people;           // entries that it was said to be about, too
  std::vector<std::uint64_t> other_people;          // entries that it was said to be apart from
  std::vector<ColumnMarks> marks = {};              // none: of an earlier version
};

// What is known of the one that is added.
struct AddedRelease {
  std::string kind;
  std::string population;
  std::vector<std::string> columns;
  std::vector<std::uint64_t> same_people;
  bool other_people = false;  // those that are unclear are of other people
  std::function<bool(const RecordedRelease&)> shares_input;
  std::vector<ColumnMarks> marks = {};
};

// An earlier release of which nothing tells whose it is.
struct UnclearRelease {
  std::uint64_t index = 0;
  std::string why;  // what the two have in common, to follow "it"
};

struct PeopleOfLedger {
  std::vector<std::uint64_t> same;
  std::vector<std::uint64_t> others;
  std::vector<UnclearRelease> unclear;  // not among `others` unless somebody said so
};

[[nodiscard]] PeopleOfLedger sort_by_people(const std::vector<RecordedRelease>& ledger,
                                            const AddedRelease& added);

// In what the two are alike; none where they are not.
[[nodiscard]] std::optional<std::string> likeness(const RecordedRelease& earlier,
                                                  const AddedRelease& added);

}  // namespace pratique::release
