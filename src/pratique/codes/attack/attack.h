// What an adversary who knows codes of patients finds in a release.
//
//   one step    an insider knows all codes of a patient (identified records of the same hospital);
//               whole_sets.h has the one who also knows that there are no others
//   two steps   a voter list names the people in public discharge summaries, and each summary, the
//               codes of one visit, is then looked for in the release
//
// Candidates for a target are the records that cover every known code. Codes that no record covers
// are left out: they were suppressed, or never there, and say nothing. A target is re-identified
// when one record is left, and a sensitive code is disclosed when all candidates show it and the
// adversary did not know it.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/codes/recoding.h"
#include "pratique/codes/released_labels.h"
#include "pratique/core/progress.h"
#include "pratique/data/code_sets.h"
#include "pratique/data/hierarchy.h"

namespace pratique::codes {

// A release as it can be searched: records of items, and the items that cover each known code.
class SearchableRelease {
 public:
  // A release from a file. Items are codes, `labels` with what they stand for, labels of the
  // hierarchy (null: there are none), sets such as (493.00|493.01), or * for anything. Where
  // `labels` has all that there are, whatever else looks like one is a code.
  SearchableRelease(const CodeSets& release, const Dictionary& known, const Hierarchy* hierarchy,
                    const ReleasedLabels* labels = nullptr, bool all_labels = false);
  // A release in the making, for whoever knows codes of the data it was made from.
  SearchableRelease(const CodeSets& sets, const Recoding& recoding);

  // Calls `visit` with every record that covers all of the codes, until it returns false. Records
  // that are equal are one, with its patients.
  using Visit = std::function<bool(std::uint32_t record, std::uint32_t patients)>;
  void search(std::span<const Code> known, const Visit& visit) const;
  // The patients found, but no more than `enough`.
  [[nodiscard]] std::uint64_t count(std::span<const Code> known,
                                    std::uint64_t enough = ~std::uint64_t{0}) const;
  // Whether the record shows an item that covers the code.
  [[nodiscard]] bool covers(std::uint32_t record, Code known) const;
  [[nodiscard]] std::span<const std::uint32_t> record(std::uint32_t index) const {
    return std::span(items_).subspan(first_[index], first_[index + 1] - first_[index]);
  }
  [[nodiscard]] std::size_t size() const { return counts_.size(); }
  [[nodiscard]] std::size_t items() const { return with_.size(); }
  [[nodiscard]] std::size_t known_codes() const { return covering_.size(); }
  [[nodiscard]] std::uint32_t patients(std::uint32_t index) const { return counts_[index]; }
  // The items that cover a code, and the records with an item, ascending; the latter also as a bit
  // per record, unless that would take too much room.
  [[nodiscard]] std::span<const std::uint32_t> covering(Code known) const {
    return covering_[known];
  }
  [[nodiscard]] const std::vector<std::uint32_t>& with(std::uint32_t item) const {
    return with_[item];
  }
  [[nodiscard]] const std::vector<std::uint64_t>& among(std::uint32_t item) const {
    return among_[item];
  }
  // Whether some record covers the code at all.
  [[nodiscard]] bool shows(Code known) const;
  // The known codes that an item covers.
  [[nodiscard]] std::span<const Code> known_under(std::uint32_t item) const {
    return known_under_[item];
  }
  // Whether an item is a code as it was.
  [[nodiscard]] bool exact(std::uint32_t item) const { return exact_[item]; }

 private:
  void index();
  [[nodiscard]] bool has(std::uint32_t record, std::uint32_t item) const;
  struct Known {
    std::size_t records;
    Code code;
    auto operator<=>(const Known&) const = default;
  };
  void search_lists(std::span<const Known> known, const Visit& visit) const;
  void search_bits(std::span<const Known> known, const Visit& visit) const;
  [[nodiscard]] bool all_bits(std::span<const Known> known) const;
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> items_;
  std::vector<std::uint32_t> counts_;
  std::vector<std::vector<std::uint32_t>> covering_;  // items by known code
  std::vector<std::vector<Code>> known_under_;        // by item
  std::vector<std::vector<std::uint32_t>> with_;      // records by item
  std::size_t words_ = 0;                             // of a bit per record
  std::vector<std::vector<std::uint64_t>> among_;     // a bit per record; of rare items maybe none
  std::vector<bool> exact_;                           // by item
};

struct AttackResult {
  std::uint64_t targets = 0;
  std::uint64_t matched_under_k = 0;  // 1 to k - 1 candidates
  std::uint64_t reidentified = 0;     // one candidate
  std::uint64_t sensitive_disclosed = 0;
  std::optional<std::uint64_t> correct = {};  // of the re-identified; with the truth at hand
};

// What a target stands for: the sets that are known of it, one by one (visits), and all it has.
struct Target {
  std::vector<std::uint32_t> known;         // sets of `known`
  std::optional<std::uint32_t> truth = {};  // its set in the original data
};

struct AttackOptions {
  std::uint64_t k = 5;
  // By known code; empty: every code that the adversary did not know is sensitive.
  std::vector<bool> sensitive = {};
  // The original sets, over the same dictionary as `known`, where they are at hand.
  const CodeSets* truth = nullptr;
};

// A target with several known sets counts by the one that gives most away.
[[nodiscard]] AttackResult attack(const SearchableRelease& release, const CodeSets& known,
                                  std::span<const Target> targets, const AttackOptions& options,
                                  Progress& progress);

// The adversary of a protect run: knows all codes of every patient, or the `most` rarest of them.
struct Exposure {
  std::uint64_t targets = 0;
  std::uint64_t matched_under_k = 0;
  std::uint64_t reidentified = 0;
};
[[nodiscard]] Exposure expose(const SearchableRelease& release, const CodeSets& sets,
                              std::uint64_t k, std::size_t most, Progress& progress);

// Who knows one of the constraints of a patient. Targets are the constraints that some patient of
// the release matches; codes that it does not show are left out.
[[nodiscard]] Exposure expose_constraints(const SearchableRelease& release,
                                          const std::vector<std::vector<Code>>& constraints,
                                          std::uint64_t k, Progress& progress);

}  // namespace pratique::codes
