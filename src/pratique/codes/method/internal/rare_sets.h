// Finds the sets of labels that few patients have, by counting within ever smaller lists of records
// (occurrence deliver: Uno et al., LCM, 2004). Memory is that of the records, never of the sets.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace pratique::codes {

using Node = std::uint32_t;

// Records of labels that change as labels are raised; where each label occurs.
class LabelledRecords {
 public:
  LabelledRecords(std::size_t nodes, std::span<const std::size_t> first, std::vector<Node> items,
                  std::span<const std::uint32_t> weights);

  [[nodiscard]] std::span<const Node> record(std::uint32_t index) const {
    return std::span(items_).subspan(first_[index], length_[index]);
  }
  [[nodiscard]] std::size_t size() const { return length_.size(); }
  [[nodiscard]] std::uint32_t weight(std::uint32_t index) const { return weights_[index]; }
  [[nodiscard]] const std::vector<std::uint32_t>& with(Node node) const { return with_[node]; }
  [[nodiscard]] std::size_t nodes() const { return with_.size(); }
  // The records with any of the nodes, each once, in no order.
  [[nodiscard]] std::vector<std::uint32_t> with_any(std::span<const Node> nodes) const;

  // In every record, what `mapped` gives for each of its labels; `mapped` may only change labels of
  // `records`, and `from` are the labels that may disappear there.
  template <class Mapped>
  void relabel(std::span<const std::uint32_t> records, std::span<const Node> from,
               const Mapped& mapped) {
    for (const Node node : from) with_[node].clear();
    for (const std::uint32_t r : records) {
      const auto labels = std::span(items_).subspan(first_[r], length_[r]);
      for (Node& label : labels) label = mapped(r, label);
      finish(r);
    }
  }
  // In every record, what each of its labels becomes.
  void relabel_all(std::span<const Node> becomes);
  // Puts other labels into a record; there must be room for as many as the record began with.
  void replace(std::uint32_t record, std::span<const Node> labels);
  void add_occurrence(Node node, std::uint32_t record) { with_[node].push_back(record); }
  void forget(Node node) { with_[node].clear(); }
  void set_records_of(Node node, std::vector<std::uint32_t> records) {
    with_[node] = std::move(records);
  }

 private:
  void finish(std::uint32_t record);
  void find_occurrences();
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> length_;
  std::vector<Node> items_;
  std::span<const std::uint32_t> weights_;
  std::vector<std::vector<std::uint32_t>> with_;
};

// One per thread.
class RareSets {
 public:
  RareSets(const LabelledRecords& records, std::uint64_t k, int depth);

  // Labels that do not count, while set.
  void exclude(std::span<const Node> nodes, bool excluded);
  // How many sets of at most `depth` labels, together with what all of `records` share, occur in
  // at least 1 and fewer than k patients, no subset of them doing so. Counting ends at `enough`.
  [[nodiscard]] std::uint64_t count(std::span<const std::uint32_t> records, int depth,
                                    std::uint64_t enough = ~std::uint64_t{0});
  // Each of these sets, with the records that have it.
  using Visit = std::function<void(std::span<const Node> set, std::span<const std::uint32_t>)>;
  void visit(std::span<const std::uint32_t> records, int depth, const Visit& visit);

 private:
  struct Level {
    std::vector<std::uint32_t> support;
    std::vector<Node> seen;
    std::vector<std::size_t> start;
    std::vector<std::uint32_t> occurrences;
    std::vector<std::pair<Node, std::uint32_t>> rare;  // labels, and records with them
  };
  [[nodiscard]] std::uint64_t descend(std::span<const std::uint32_t> records, int depth,
                                      std::size_t level, Node above, std::uint64_t enough);
  // `each_label(record, visit)` visits the labels of the record that count, in one order.
  template <class EachLabel>
  [[nodiscard]] std::uint64_t descend_where(std::span<const std::uint32_t> records, int depth,
                                            std::size_t level, std::uint64_t enough,
                                            const EachLabel& each_label);
  template <class EachLabel>
  void visit_rare(std::span<const std::uint32_t> records, std::size_t level,
                  const EachLabel& each_label);
  template <class EachLabel>
  [[nodiscard]] std::uint64_t look_inside(std::span<const std::uint32_t> records, int depth,
                                          std::size_t level, std::uint64_t enough,
                                          std::uint64_t rare_count, const EachLabel& each_label);

  const LabelledRecords& records_;
  std::uint64_t k_;
  std::vector<Level> levels_;
  std::vector<std::uint8_t> excluded_;
  const Visit* visit_ = nullptr;
  std::vector<Node> path_;
};

}  // namespace pratique::codes
