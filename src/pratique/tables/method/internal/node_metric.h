// What a node of the lattice costs, and what it costs at least, by a metric (optimal.h).
#pragma once

#include <memory>
#include <vector>

#include "pratique/tables/method/internal/node_classes.h"
#include "pratique/tables/method/optimal.h"

namespace pratique::tables::internal {

class NodeMetric {
 public:
  virtual ~NodeMetric() = default;

  // A function of the node alone: counts are integers, and they are added up in one order.
  [[nodiscard]] virtual double cost(const Levels& levels, const NodeOutcome& outcome) const = 0;
  // No more than the cost (but for rounding), given that at least so many records are suppressed.
  [[nodiscard]] virtual double lower_bound(const Levels& levels,
                                           std::uint64_t suppressed) const = 0;

  // `allowed`: how many records may be suppressed. `suppressed_cell`: what a cell of a suppressed
  // record costs by LM and NCP.
  [[nodiscard]] static std::unique_ptr<NodeMetric> make(LevelMetric metric,
                                                        const ProtectionInput& input,
                                                        const std::vector<LevelCodes>& codes,
                                                        double suppressed_cell,
                                                        std::uint64_t allowed);
};

}  // namespace pratique::tables::internal
