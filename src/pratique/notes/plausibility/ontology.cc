#include "pratique/notes/plausibility/ontology.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/data/hierarchy_csv.h"
#include "pratique/words/words.h"

namespace pratique::notes {
namespace {

class HierarchyOntology final : public Ontology {
 public:
  explicit HierarchyOntology(const std::string& path)
      : tree_(read_hierarchy_csv(path, PathLengths::ragged)) {
    for (Hierarchy::Node leaf = 0; leaf < tree_.leaf_count(); ++leaf)
      leaves_.emplace(words::folded(tree_.label(leaf)), leaf);
  }

  [[nodiscard]] std::vector<Hypernym> path(std::string_view term, int /*sense*/,
                                           std::string_view /*context*/) const override {
    const auto leaf = leaves_.find(words::folded(term));
    std::vector<Hypernym> levels;
    if (leaf == leaves_.end()) return levels;
    for (int level = 0; level < tree_.height(); ++level) {
      const auto node = tree_.ancestor(leaf->second, level);
      const std::uint64_t count = tree_.leaves_under(node);
      if (levels.empty() || count > levels.back().terms)
        levels.push_back({std::string(tree_.label(node)), count});
    }
    return levels;
  }

  [[nodiscard]] std::vector<std::string> terms() const override {
    std::vector<std::string> all;
    for (const auto& [term, leaf] : leaves_) {
      if (term.size() > 1) all.push_back(term);
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return a.size() != b.size() ? a.size() > b.size() : a < b;
    });
    return all;
  }

 private:
  Hierarchy tree_;
  std::unordered_map<std::string, Hierarchy::Node> leaves_;
};

class WordNet final : public Ontology {
 public:
  explicit WordNet(const std::string& folder) {
    read_synsets(folder + "/data.noun");
    read_senses(folder + "/index.noun");
  }

  [[nodiscard]] std::vector<Hypernym> path(std::string_view term, int sense,
                                           std::string_view context) const override {
    std::string lemma = words::folded(term);
    std::replace(lemma.begin(), lemma.end(), ' ', '_');
    const auto entry = senses_.find(lemma);
    if (entry == senses_.end()) return {};
    const auto& offsets = entry->second;
    std::size_t chosen = 0;
    if (sense > 0) {
      if (static_cast<std::size_t>(sense) > offsets.size()) {
        throw Error::input("a term has fewer senses than that").hint("Senses are numbered from 1.");
      }
      chosen = static_cast<std::size_t>(sense) - 1;
    } else {
      chosen = sense_by_context(offsets, context);
    }
    std::vector<Hypernym> levels = {{std::string(term), 1}};
    const auto* at = find(offsets[chosen]);
    for (int depth = 0; at != nullptr && at->parent != 0 && depth < 40; ++depth) {
      at = find(at->parent);
      if (at == nullptr) break;
      const std::uint64_t below = terms_below(*at);
      if (below > levels.back().terms) levels.push_back({at->name, below});
    }
    return levels;
  }

  [[nodiscard]] std::vector<std::string> terms() const override { return {}; }

 private:
  struct Synset {
    std::string name;
    std::vector<std::string> lemmas;
    std::uint32_t parent = 0;
    std::vector<std::uint32_t> children;
    std::string gloss;
  };

  [[nodiscard]] const Synset* find(std::uint32_t offset) const {
    const auto synset = synsets_.find(offset);
    return synset == synsets_.end() ? nullptr : &synset->second;
  }

  static std::string_view next_field(std::string_view& line) {
    const auto end = std::min(line.find(' '), line.size());
    const auto field = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return field;
  }

  static std::uint32_t number(std::string_view text, int base = 10) {
    std::uint32_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value, base);
    return value;
  }

  template <class Take>
  static void each_line(const std::string& path, const Take& take) {
    const std::string text = read_file(path);
    for (std::string_view rest = text; !rest.empty();) {
      const auto end = std::min(rest.find('\n'), rest.size());
      if (!rest.starts_with("  ")) take(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  // offset file type words(hex) {word id} pointers {sign offset type source} | gloss
  void read_synsets(const std::string& path) {
    each_line(path, [&](std::string_view line) {
      Synset synset;
      const auto bar = line.find(" | ");
      if (bar != std::string_view::npos) synset.gloss = std::string(line.substr(bar + 3));
      std::string_view rest = line.substr(0, bar);
      const auto offset = number(next_field(rest));
      (void)next_field(rest);
      (void)next_field(rest);
      const auto count = number(next_field(rest), 16);
      for (std::uint32_t i = 0; i < count; ++i) {
        synset.lemmas.push_back(words::folded(next_field(rest)));
        (void)next_field(rest);
      }
      const auto pointers = number(next_field(rest));
      for (std::uint32_t i = 0; i < pointers; ++i) {
        const auto sign = next_field(rest);
        const auto to = number(next_field(rest));
        (void)next_field(rest);
        (void)next_field(rest);
        if ((sign == "@" || sign == "@i") && synset.parent == 0) synset.parent = to;
        if (sign == "~" || sign == "~i") synset.children.push_back(to);
      }
      if (!synset.lemmas.empty()) synset.name = synset.lemmas.front();
      std::replace(synset.name.begin(), synset.name.end(), '_', ' ');
      synsets_.emplace(offset, std::move(synset));
    });
  }

  // lemma type senses pointers {sign} senses tagged {offset}
  void read_senses(const std::string& path) {
    each_line(path, [&](std::string_view line) {
      std::string_view rest = line;
      const auto lemma = words::folded(next_field(rest));
      (void)next_field(rest);
      const auto count = number(next_field(rest));
      const auto pointers = number(next_field(rest));
      for (std::uint32_t i = 0; i < pointers + 2; ++i) (void)next_field(rest);
      auto& offsets = senses_[lemma];
      for (std::uint32_t i = 0; i < count; ++i) offsets.push_back(number(next_field(rest)));
    });
  }

  // Lesk (1986): the sense whose gloss shares the most words with the text.
  [[nodiscard]] std::size_t sense_by_context(const std::vector<std::uint32_t>& offsets,
                                             std::string_view context) const {
    const auto words_in = [](std::string_view text) {
      std::set<std::string> long_words;
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t start = at;
        while (at < text.size() && ((text[at] | 32) >= 'a' && (text[at] | 32) <= 'z')) ++at;
        if (at - start > 3) long_words.insert(words::folded(text.substr(start, at - start)));
        if (at == start) ++at;
      }
      return long_words;
    };
    const auto around = words_in(context);
    std::size_t best = 0;
    std::size_t most = 0;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const auto* synset = find(offsets[i]);
      if (synset == nullptr) continue;
      std::size_t shared = 0;
      for (const auto& word : words_in(synset->gloss)) shared += around.count(word);
      if (shared > most) {
        most = shared;
        best = i;
      }
    }
    return best;
  }

  // Different words of all synsets below.
  [[nodiscard]] std::uint64_t terms_below(const Synset& top) const {
    std::unordered_set<std::uint32_t> seen;
    std::unordered_set<std::string_view> lemmas;
    std::vector<std::uint32_t> open(top.children);
    while (!open.empty()) {
      const auto offset = open.back();
      open.pop_back();
      if (!seen.insert(offset).second) continue;
      const auto* synset = find(offset);
      if (synset == nullptr) continue;
      lemmas.insert(synset->lemmas.begin(), synset->lemmas.end());
      open.insert(open.end(), synset->children.begin(), synset->children.end());
    }
    return lemmas.size();
  }

  std::unordered_map<std::uint32_t, Synset> synsets_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> senses_;
};

}  // namespace

std::unique_ptr<Ontology> Ontology::from_csv(const std::string& path) {
  return std::make_unique<HierarchyOntology>(path);
}

std::unique_ptr<Ontology> Ontology::wordnet(const std::string& folder) {
  return std::make_unique<WordNet>(folder);
}

}  // namespace pratique::notes
