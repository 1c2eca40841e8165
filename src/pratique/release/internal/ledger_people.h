// Which releases of a ledger are about the same people as one that is to be added.
//
// Two are when they were made from an input with the same hash, when both were given the same name
// of a population, or when one was said to be about the people of the other (--same-people); and so
// are two that are each about the same people as a third.
//
// A table that grew is another file, so nothing but words tells whose it is. Where an earlier
// release is of the same kind and has mostly the same columns, and neither a name nor a word tells
// the two apart, it is `unclear`: the user is asked. A name of a population tells releases apart
// once it has been used before; a new name may be a slip of the pen.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

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
};

// What is known of the one that is added.
struct AddedRelease {
  std::string kind;
  std::string population;
  std::vector<std::string> columns;
  std::vector<std::uint64_t> same_people;
  bool other_people = false;  // those that are unclear are of other people
  std::function<bool(const RecordedRelease&)> shares_input;
};

struct PeopleOfLedger {
  std::vector<std::uint64_t> same;
  std::vector<std::uint64_t> others;
  std::vector<std::uint64_t> unclear;  // not among `others` unless somebody said so
};

[[nodiscard]] PeopleOfLedger sort_by_people(const std::vector<RecordedRelease>& ledger,
                                            const AddedRelease& added);

// Half of the names of the smaller are also in the other, whatever their case; one without columns
// is like everything.
[[nodiscard]] bool mostly_same_columns(const std::vector<std::string>& a,
                                       const std::vector<std::string>& b);

}  // namespace pratique::release
