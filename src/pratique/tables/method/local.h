// Local recoding after full-domain search: records that the best node would suppress are not thrown
// away but grouped again.
//
// 1. Rounds. The best full-domain node for the records that are left (optimal.h), with suppression
//    free: its classes that satisfy the models keep that node's levels, the others go into the next
//    round. A suppressed record costs a round not a whole record but what a record is going to lose
//    in later rounds, about: `suppressed_cell`. That costs more from round to round, so that levels
//    rise slowly. (He who charges the first round with the whole record gets coarse levels for all,
//    to save records that can still be saved.)
// 2. Leftovers. Each group that no round took joins the class that it makes lose least, whose cells
//    rise to the lowest nodes over both; where no such class satisfies the models, its nearest
//    classes become one with it until that does.
// 3. Classes that print the same cells are one class to any reader: they are made one, and checked
//    again.
// Every cell is a label of its hierarchy. Every class satisfies every model, whether monotone or
// not. No record is lost but where `suppression` allows it. What is left after any round may stay
// out where that is so little: of all that is allowed, what loses least is taken, so that more
// suppression is never worse. The rounds are the same whatever is allowed.
//
// With a time limit, each round may take its part of what is left; when it is over, what no round
// took are leftovers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/tables/method/lattice.h"
#include "pratique/tables/method/optimal.h"
#include "pratique/tables/model/model.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

struct LocalOptions {
  double suppression = 0;                 // the share of records that may be left out
  double suppressed_cell = 0.05;          // in the first round; 1 keeps to the levels of `optimal`
  double growth = 1.3;                    // from round to round, until a round has charged 1
  std::optional<double> time_limit = {};  // seconds
  // In lattices too large to search (optimal.h), of one round.
  std::uint64_t best_effort_nodes = 1000;
  std::optional<Levels> start = {};  // of a round before the first
  // When the time is over before the leftovers have joined classes, there is no recoding. Without,
  // they join, however long that takes.
  bool may_give_up = false;
};

struct LocalRound {
  Levels levels;
  std::uint64_t records = 0;
  std::uint64_t classes = 0;
};

struct LocalResult {
  Recoding recoding;
  std::vector<LocalRound> rounds;
  std::vector<std::uint32_t> round_of;  // by group: that took it; their number, where none did
  std::uint64_t leftovers = 0;          // records that were to join a class after the last round
  bool exact = true;                    // every round's levels are the best for it
  bool gave_up = false;                 // LocalOptions::may_give_up
};

// Losses are those of LM (metrics.h). Throws Error (a check that failed) when no class satisfies
// the models, or more records than may stay out fit into none: that happens only where a model
// breaks for all records as one class, and it says which, and by how much.
[[nodiscard]] LocalResult local_recoding(const ProtectionInput& input, const Models& models,
                                         const LocalOptions& options = {},
                                         Progress& progress = Progress::silent());

}  // namespace pratique::tables
