// Counts the classes of any node of the lattice, without going back to the records.
//
// The cells of a class are packed into a key of a few bits per attribute. The classes of a node are
// rolled up from those of a finer node: raise the codes in each key, add up what falls together.
// The finer node is a pivot: attributes stand in the order of how many values they have, the node's
// own levels in the first of them and level 0 in the last few; the pivot itself is rolled up from
// the pivot before it. So neighbours in the lattice share nearly all of their way up from the
// records. Pivots are kept within a bound on memory and made again where they were let go.
//
// What comes out is a function of the node alone, whatever was rolled up from what on which thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "pratique/tables/method/internal/level_codes.h"
#include "pratique/tables/method/lattice.h"
#include "pratique/tables/model/model.h"

namespace pratique::tables::internal {

// What a node does to the records.
struct NodeOutcome {
  std::uint64_t suppressed = 0;  // in classes that break a model
  // How many of the records of these classes are suppressed at every lower node, too, at least
  // (Model::most_kept).
  std::uint64_t surely_suppressed = 0;
  std::uint64_t classes = 0;  // that stay
  std::uint64_t squares = 0;  // of the sizes of the classes that stay, added up
  std::vector<std::vector<std::uint64_t>> suppressed_by_code;  // by attribute, code at its level
  // Whether a model that needs everybody (model.h) finds people of the population in no class that
  // stays. Counting ends there.
  bool absent = false;
  bool complete = true;  // else counting was given up: only what was suppressed so far is told
};

// Asked now and then with the records suppressed so far: whether to give up.
using GiveUp = std::function<bool(std::uint64_t suppressed)>;

class NodeClasses {
 public:
  virtual ~NodeClasses() = default;

  // May be called from several threads at once.
  [[nodiscard]] virtual NodeOutcome count(const Levels& levels, const GiveUp& give_up) = 0;
  // The attributes from the one that pivots take first to the last. Nodes that agree in the levels
  // of the first ones share their way.
  [[nodiscard]] virtual const std::vector<std::size_t>& order() const = 0;

  // memory_bytes as in OptimalOptions. What it is given must outlive it. Throws Error when the
  // columns do not fit into the widest key (1,024 bits).
  [[nodiscard]] static std::unique_ptr<NodeClasses> make(const ProtectionInput& input,
                                                         const std::vector<LevelCodes>& codes,
                                                         const Models& models,
                                                         std::size_t memory_bytes);
};

}  // namespace pratique::tables::internal
