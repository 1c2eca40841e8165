// What releases of the same people reveal together: the attack that the ledger makes before a
// release is added.
//
// The adversary has all releases of the sequence and other organisations' public ones, and knows
// the quasi-identifiers of people who are in them (a row of `people` is a person). Two figures:
//
//   disclosed   the composition attack (fusion/composition.h; Ganta et al. 2008): only sensitive
//               values that the person's candidates in every release share can be theirs; disclosed
//               is the share of people with one value left. It needs no link between rows of
//               different releases.
//   k_across    how many people, at least, share a joint cell of all releases. A person's
//   candidates
//               in each release are known (fusion/composition_location.h); people with the same
//               candidates in all of them cannot be told apart by anybody. k_across is the size of
//               the smallest such group, under_k the share of people in groups smaller than the
//               smallest k that was promised. Where recoding is global this is exact; where cells
//               overlap it is a lower bound, since people with other candidates may fit the same
//               joint cell too. It matters once rows of different releases can be linked, by a
//               pseudonym that they share or a rare value that left unchanged.
//
// breach, what a limit is held against: the largest `disclosed` over sensitive attributes, or
// under_k where releases share pseudonyms under one key, if that is larger.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"
#include "pratique/release/manifest.h"

namespace pratique::release {

struct SequenceRequest {
  ReleaseFile added = {};
  std::vector<ReleaseFile> earlier = {};
  std::vector<std::string> known = {};     // files of other organisations, without manifests
  std::optional<std::string> people = {};  // the original of `added` when not given
};

struct AttributeRevealed {
  std::string sensitive;
  std::uint64_t releases = 0;  // that have it
  double disclosed_alone = 0;  // by the release that is added, alone
  double disclosed = 0;        // by all together
  double vulnerable = 0;       // share for whom all together leave fewer values than any one
  double values_left = 0;      // mean
};

struct SequenceRevealed {
  bool attacked = false;
  std::string why_not;  // in plain words
  std::uint64_t people = 0;
  std::uint64_t releases = 0;
  std::vector<AttributeRevealed> attributes;
  std::uint64_t k_alone = 0;  // people sharing a cell of the added release alone, at least
  std::uint64_t k_across = 0;
  std::uint64_t promised_k = 0;  // the smallest of the sequence
  double under_k = 0;
  bool rows_link = false;  // by pseudonyms under one key

  [[nodiscard]] double breach() const;
};

// Tables only; for other kinds it says why not. Throws when there is nobody to ask about.
[[nodiscard]] SequenceRevealed attack_sequence(Engine& engine, const SequenceRequest& request,
                                               Progress& progress);

// attacked, why_not or: people, releases, attributes[], k_alone, k_across, promised_k, under_k,
// rows_link, breach
[[nodiscard]] Json to_json(const SequenceRevealed& revealed);

}  // namespace pratique::release
