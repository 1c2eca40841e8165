// An ontology of words: what a term rises to, and how many terms each of these stands for. From a
// hierarchy in CSV (data/hierarchy_csv.h: term first, root last), or from the nouns of WordNet
// (Miller 1995) where Debian's wordnet-base has put them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pratique::notes {

// A term itself (level 0, one term) or something above it.
struct Hypernym {
  std::string label;
  std::uint64_t terms = 1;  // that it stands for
};

class Ontology {
 public:
  virtual ~Ontology() = default;
  // From the term to the root, each standing for more than the one before; empty where the term is
  // not in it. `sense` from 1 on chooses among meanings; 0: by the words of `context`, else the
  // most frequent.
  [[nodiscard]] virtual std::vector<Hypernym> path(std::string_view term, int sense,
                                                   std::string_view context) const = 0;
  // All terms, longest first, where that is few enough to look for each in a text; else none.
  [[nodiscard]] virtual std::vector<std::string> terms() const = 0;

  static std::unique_ptr<Ontology> from_csv(const std::string& path);
  static std::unique_ptr<Ontology> wordnet(const std::string& folder = "/usr/share/wordnet");
};

}  // namespace pratique::notes
