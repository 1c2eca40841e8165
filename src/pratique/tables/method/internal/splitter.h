// Finds the best way to cut a partition in two such that both halves satisfy the models.
#pragma once

#include <optional>

#include "pratique/tables/method/internal/loss_space.h"
#include "pratique/tables/method/internal/partition.h"
#include "pratique/tables/method/mondrian.h"

namespace pratique::tables {

// One per thread: it keeps scratch space.
class Splitter {
 public:
  Splitter(const ProtectionInput& input, const Models& models, const LossSpace& space,
           const MondrianOptions& options);

  // A cut along one attribute: the items in `order` up to `first`, and `divided` records of the one
  // after them, are the first half.
  struct Cut {
    std::size_t first = 0;
    std::uint64_t divided = 0;
    double score = 0;  // the higher, the better
    double gain = 0;   // of loss; breaks ties
    std::vector<std::uint32_t> order;
  };
  // The best cut of one attribute; none where no cut satisfies the models.
  [[nodiscard]] std::optional<Cut> best_cut(std::span<const Item> items, std::size_t word);
  // The words that can be cut, the widest first. One value leaves nothing to cut; where all have
  // one, the first can still be divided.
  [[nodiscard]] std::vector<std::size_t> words_by_width(std::span<const Item> items);

  [[nodiscard]] static bool better(const std::optional<Cut>& a, const std::optional<Cut>& b);
  static void apply(const Cut& cut, std::span<const Item> items, Items& first, Items& second);

 private:
  void sort_items(std::span<const Item> items, std::size_t word);
  void sort_by_key(std::size_t keys);
  void score_cuts(std::span<const Item> items);
  void score_workload(std::span<const Item> items);
  void check_models(std::span<const Item> items);

  struct Boundary {
    std::size_t first;
    std::uint64_t divided;
    std::uint64_t records;  // in the first half
    double loss;            // of both halves
    double score;
    bool allowed;
  };
  void add_divided(std::span<const Item> items, std::uint64_t records);
  void insert(const Boundary& boundary);

  const ProtectionInput& input_;
  const LossSpace& space_;
  const MondrianOptions& options_;
  ModelCheck check_;
  std::uint64_t smallest_;
  std::vector<std::uint32_t> key_;  // by item
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint64_t> sorting_;
  std::vector<std::uint64_t> weight_of_code_;
  std::vector<Boundary> boundaries_;
  std::vector<LossSpace::Word> box_;
  std::vector<double> label_counts_;
  std::vector<double> label_totals_;
};

}  // namespace pratique::tables
