// Who was seen where, as the verifier reads it from disk: for each element of one side, the
// locations whose lists have it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pratique/data/dictionary.h"
#include "pratique/engine/engine.h"
#include "pratique/verify/unlinkability.h"

namespace pratique::verify {

class SeenAt {
 public:
  // Interns the locations that it meets. Elements are one under all spellings.
  SeenAt(Engine& engine, const TrailList& list, Dictionary& locations, Progress& progress);

  // Names; each may stand for several elements.
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] std::uint32_t count(std::size_t name) const {
    return counts_.empty() ? 1 : counts_[name];
  }
  [[nodiscard]] std::uint64_t elements() const;
  // Ascending, each once.
  [[nodiscard]] std::span<const Code> locations(std::size_t element) const {
    return std::span(locations_).subspan(first_[element], first_[element + 1] - first_[element]);
  }
  // As they are read (data/person_spelling.h).
  [[nodiscard]] const Dictionary& names() const { return names_; }
  // How many elements each of `locations` locations has seen.
  [[nodiscard]] std::vector<std::uint64_t> sizes(std::size_t locations) const;

 private:
  Dictionary names_;
  std::vector<std::uint32_t> counts_;  // by name; none: 1 each
  std::vector<std::size_t> first_;
  std::vector<Code> locations_;
};

// The different trails of one side.
struct DistinctSets {
  std::vector<std::vector<Code>> trails;
  std::vector<std::uint32_t> group_of;  // per name
  std::vector<std::uint32_t> sizes;     // per trail: elements
};

[[nodiscard]] DistinctSets distinct_sets(const SeenAt& side);

}  // namespace pratique::verify
