// Which of a column's values a cell may contain, found without asking it about each: most cells
// contain few of many values.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "pratique/data/generalised.h"
#include "pratique/data/hierarchy.h"
#include "pratique/data/table.h"

namespace pratique::verify {

class LikelyValues {
 public:
  LikelyValues(const Dictionary& values, const Hierarchy* tree);

  // Every code whose value the cell contains is among them, each once; others may be, so the cell
  // has the last word. Nothing where it may be any. `label` is what label_in says of the tree.
  [[nodiscard]] std::optional<std::vector<Code>> of(const GeneralisedValue& cell,
                                                    std::optional<Hierarchy::Node> label) const;

 private:
  using Places = std::vector<std::pair<double, Code>>;

  void add_text(const std::string& text, std::vector<Code>& codes) const;
  // Days that a text stands for which is a year, a month or a day.
  void add_days(const std::string& first, const std::string& last, std::vector<Code>& codes) const;
  void add_numbers(const std::string& low, const std::string& high, std::vector<Code>& codes) const;

  const Dictionary& values_;
  const Hierarchy* tree_;
  std::vector<std::vector<Code>> of_leaf_;  // by leaf of the tree
  std::vector<Code> leafless_;              // what the tree lacks
  Places numbers_;                          // in their order
  Places days_;
  std::vector<Code> odd_;  // what can be read in several ways
};

}  // namespace pratique::verify
