// The clusterings of Xu et al. 2006 over a bounded number of items, as in the paper but for what
// the comments say, and a local search that improves what they or Mondrian made.
#pragma once

#include "pratique/tables/method/internal/cluster_pool.h"
#include "pratique/tables/method/internal/splitter.h"

namespace pratique::tables {

// Less is rounding.
inline constexpr double kNoGain = 1e-9;

// One per thread. When the time is over, each step ends with classes that satisfy the models.
class Clusterer {
 public:
  Clusterer(const ProtectionInput& input, const Models& models, const LossSpace& space,
            CellStyle style, const internal::SearchTime* time = nullptr);

  // Bottom-up. Each item is a cluster; in rounds, every cluster that breaks a model is united with
  // another, and at the end clusters of twice the size needed are cut. The paper takes the partner
  // whose union has the least NCP; here it is the one that adds least to the loss of all records
  // per record that is still needed, which loses a sixth less on Adult at k = 10. O(n^2 log k). All
  // items together must satisfy the models.
  [[nodiscard]] std::vector<Items> agglomerate(const Items& items);

  // Top-down. Two seeds far from each other, every item to the seed whose cluster it widens less,
  // on with both halves. A half that breaks a model first takes the nearest records of the other; a
  // cluster that cannot be halved this way is done. The paper takes the items in random order; here
  // those come first for which the seeds differ most. O(n log n) where the halves are balanced.
  [[nodiscard]] std::vector<Items> bisect(Items items);

  // Lowers the loss until a pass over all classes gains next to nothing: records move to the class
  // where they cost less, two near classes are united and cut anew, a class is dissolved into
  // others. No step lets a class break a model. O(c^2) per pass for c classes.
  void improve(std::vector<Items>& classes, int passes);

 private:
  double relocate(ClusterPool& pool, std::size_t from);
  double cut_pairs_anew(ClusterPool& pool, std::size_t from);
  double dissolve(ClusterPool& pool, std::size_t from);
  void change(ClusterPool& pool, std::size_t i, Cluster cluster);

  [[nodiscard]] bool is_over() const;
  void cut_apart(ClusterPool& pool);
  bool cut(const Items& items, Items& first, Items& second);

  bool halve(const Items& items, Items& first, Items& second);
  bool repair(Items& small, Items& large);

  const LossSpace& space_;
  const internal::SearchTime* time_;
  MondrianOptions options_;
  Splitter splitter_;
  ClusterMaker maker_;
  std::vector<int> changed_in_;  // by cluster: the pass
  int pass_ = 0;
};

}  // namespace pratique::tables
