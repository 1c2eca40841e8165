// Classes in the making, kept so that one can be held against all others fast: what the comparison
// needs of them lies side by side in memory.
#pragma once

#include "pratique/tables/method/internal/loss_space.h"
#include "pratique/tables/method/internal/partition.h"

namespace pratique::tables {

struct Cluster {
  Items items;  // each group once
  std::vector<LossSpace::Word> box;
  std::uint64_t records = 0;
  double cost = 0;  // of one record
  bool holds = false;

  [[nodiscard]] double loss() const { return static_cast<double>(records) * cost; }
};

// What clusters are made with. One per thread.
class ClusterMaker {
 public:
  ClusterMaker(const ProtectionInput& input, const Models& models, const LossSpace& space,
               const CellPopulation* people = nullptr)
      : space_(space), check_(input, models, people), smallest_(smallest_class(models)) {}

  [[nodiscard]] Cluster make(Items items);
  [[nodiscard]] Cluster united(const Cluster& a, const Cluster& b);
  [[nodiscard]] const LossSpace& space() const { return space_; }
  // No class that satisfies the models has fewer records.
  [[nodiscard]] std::uint64_t smallest() const { return smallest_; }

 private:
  void complete(Cluster& cluster);

  const LossSpace& space_;
  ModelCheck check_;
  std::uint64_t smallest_;
};

class ClusterPool {
 public:
  explicit ClusterPool(const LossSpace& space) : space_(space) {}

  [[nodiscard]] std::size_t size() const { return clusters_.size(); }
  [[nodiscard]] const Cluster& operator[](std::size_t i) const { return clusters_[i]; }
  [[nodiscard]] bool empty(std::size_t i) const { return clusters_[i].items.empty(); }

  void add(Cluster cluster);
  void set(std::size_t i, Cluster cluster);
  void clear(std::size_t i) { set(i, {{}, clusters_[i].box, 0, 0, false}); }
  void drop_empty();
  [[nodiscard]] std::vector<Items> take();

  static constexpr std::size_t kNone = ~std::size_t{0};
  struct Neighbour {
    double added = 0;  // to the loss of all, when the two are united
    std::size_t cluster = kNone;
    friend auto operator<=>(const Neighbour&, const Neighbour&) = default;
  };
  // The one that adds least, if it adds less than `limit`.
  [[nodiscard]] Neighbour nearest(const Cluster& from, std::size_t except, double limit) const;
  // The one that adds least per record that brings `from` nearer to `wanted` records.
  [[nodiscard]] std::size_t best_partner(std::size_t from, std::uint64_t wanted) const;
  [[nodiscard]] std::vector<Neighbour> nearest_few(std::size_t from, std::size_t few) const;

 private:
  // Of uniting `from` and cluster i; not below `limit`: some number not below it.
  [[nodiscard]] double added(const Cluster& from, double from_loss, std::size_t i,
                             double limit) const {
    const double records = static_cast<double>(from.records) + records_[i];
    const double before = from_loss + loss_[i];
    return records * space_.united_cost(from.box.data(), &boxes_[i * space_.size()],
                                        (limit + before) / records) -
           before;
  }

  const LossSpace& space_;
  std::vector<Cluster> clusters_;
  std::vector<LossSpace::Word> boxes_;
  std::vector<double> records_;  // 0: empty
  std::vector<double> loss_;
};

}  // namespace pratique::tables
