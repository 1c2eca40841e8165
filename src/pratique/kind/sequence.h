// What releases of the same people reveal together: the attack that the ledger makes before a
// release is added. Each kind has its own (kind.h).
//
// Tables. The adversary has all releases of the sequence and other organisations' public ones, and
// knows the quasi-identifiers of people (a row of `people` is a person). A column that is sensitive
// in one of the releases is not known. Two figures:
//
//   disclosed   the composition attack (fusion/composition.h; Ganta et al. 2008): only sensitive
//               values that the person's candidates share in every release where the person has
//               any can be theirs; disclosed is the share of people with one value left, or with
//               one by the added release alone. It needs no link between rows of different
//               releases. The same by whole records: all that left as it was beside the value
//               (fusion/whole_records.h).
//   k_across    how many people, at least, share a joint cell of all releases. A person's
//               candidates in each release are known (fusion/composition_location.h); people with
//               the same candidates in all of them cannot be told apart by anybody. k_across is the
//               size of the smallest such group, under_k the share of people in groups smaller than
//               the smallest k that was promised. Where recoding is global this is exact; where
//               cells overlap it is a lower bound, since people with other candidates may fit the
//               same joint cell too. It matters once rows of different releases can be linked, by a
//               pseudonym that they share or a rare value that left unchanged.
//
//   differenced people who joined since an earlier release, or left, as a share of `people`: the
//               counts of classes are subtracted (fusion/differencing.h), and what remains is of
//               fewer people than the smallest k that was promised, or has too few values. The same
//               by whole records: who changed something counts as if they had left and joined.
//
// Codes. The adversary knows of each patient as many codes, the rarest, as the weakest promise
// allows. Candidates are narrowed over the releases (codes/attack/composition.h); k_across are the
// fewest that are left to anybody in any release, disclosed is the share of whom another code is
// certain. differenced are patients whose record is in one of two releases only, fewer than k
// together (codes/attack/differencing.h).
//
// Trails. Samples keep their names, so their sightings in all releases are one trail. k_across are
// the fewest people that a sample may belong to then (trails/attack/attack.h, exact), disclosed is
// the share of the samples whose person is certain. Names tell new samples from old ones, so this
// is all that a difference can tell.
//
// singled_out is the share of the added records that stand alone by what leaves as it was: columns
// which no model holds to anything, insensitive or sensitive, and sensitive columns that tell at
// least half of the records apart. It counts though the rest was not attacked.
//
// breach, what a limit is held against: singled_out, or if it is larger the largest `disclosed`
// over sensitive attributes (for codes only where sensitive codes are named), or the share that is
// differenced; and under_k if that
// is larger, but for tables only as far as rows can be joined: all where releases share pseudonyms
// under one key, else the share of rows that stand alone in both by columns that left as they were
// (rows_linked). Who is under k and whose rows are joined need not be the same people, so this is
// an upper bound.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"
#include "pratique/kind/release_file.h"

namespace pratique::release {

struct SequenceRequest {
  ReleaseFile added = {};
  std::vector<ReleaseFile> earlier = {};
  std::vector<std::string> known = {};     // files of other organisations, without manifests
  std::optional<std::string> people = {};  // the original of `added` when not given
  // Columns of tables that go by another name somewhere: from that name to the one used here.
  std::map<std::string, std::string> same_columns = {};
};

// A release that the added one was not attacked together with, or not by all that it tells.
struct NotAttacked {
  std::string sha256;
  std::string why;  // in plain words
};

struct AttributeRevealed {
  std::string sensitive;
  std::uint64_t releases = 0;  // that have it
  double disclosed_alone = 0;  // by the release that is added, alone
  double disclosed = 0;        // by all together
  double vulnerable = 0;       // share for whom all together leave fewer values than any one
  double values_left = 0;      // mean
  // People who are in one of two releases only, and whom the difference of the two leaves among
  // too few: of the added one and an earlier one, for the earlier one with the most.
  std::uint64_t differenced_people = 0;
  // Share of the people for whom the releases leave no value, as where one is not in all of them
  // or has another value in each: they were attacked by the added release alone.
  double contradicted = 0;
  bool counts = true;  // towards a breach
};

struct SequenceRevealed {
  bool attacked = false;
  std::string why_not;  // in plain words
  std::vector<NotAttacked> not_attacked;
  std::map<std::string, std::string> same_columns;  // by their values, to the name used here
  std::uint64_t people = 0;
  std::uint64_t releases = 0;
  double located = 0;  // share of the people who were found in every release
  std::vector<AttributeRevealed> attributes;
  std::uint64_t k_alone = 0;  // people sharing a cell of the added release alone, at least
  std::uint64_t k_across = 0;
  std::uint64_t promised_k = 0;  // the smallest of the sequence; 0: none has one
  double under_k = 0;
  bool rows_link = false;  // by pseudonyms under one key, unchanged columns, or names of samples
  double rows_linked = 1;  // where they do: the share of the added rows that can be joined
  bool k_counts = false;   // under_k is a breach, as far as rows link
  double singled_out = 0;  // share of the added records alone by what leaves as it was
  std::vector<std::string> singled_out_by;  // these columns, where there are such records
  // Where people have several rows, the share who are the only one of their class with as many. It
  // is no part of the breach (docs/decisions/people.md).
  double alone_by_rows = 0;

  [[nodiscard]] double breach() const;
  // The most people who are differenced, by any attribute, and their share.
  [[nodiscard]] std::uint64_t differenced_people() const;
  [[nodiscard]] double differenced() const;
  // All of it was attacked. What was not tried clears nothing.
  [[nodiscard]] bool complete() const { return attacked && not_attacked.empty(); }
};

// Where a release of the sequence cannot be attacked together with the added one.
void leave_out(SequenceRevealed& revealed, const std::string& sha256, std::string why);
// Who is asked about: --people, or the original of the added release. Throws where neither is at
// hand; `who` and `known_by` say what to name.
[[nodiscard]] Source open_people(Engine& engine, const SequenceRequest& request,
                                 std::string_view who, std::string_view known_by, bool sets,
                                 Progress& progress);
// Throws where the file is not the one that its manifest describes.
[[nodiscard]] Source open_release(Engine& engine, const ReleaseFile& file, Progress& progress);

// attacked, and why_not, singled_out, breach or: people, releases, located, attributes[],
// same_columns[] (column, here), differenced, k_alone, k_across, promised_k, under_k, rows_link,
// rows_linked, singled_out, breach; singled_out_by, alone_by_rows (where there are such); note (of
// more than two releases); and not_attacked[] (release, why)
[[nodiscard]] Json to_json(const SequenceRevealed& revealed);

}  // namespace pratique::release
