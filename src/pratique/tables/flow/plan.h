// What the map of risk against utility will cost, told before it is drawn: every method is tried on
// samples of the table, at one k, and what it takes there is carried on to all records.
//
// A pilot takes a moment at most: a search that has not ended by then is asked to settle. Two
// samples, of 1,500 and 6,000 records, show how the time grows; between a power of 0.7 and of 1 of
// the records, all that was measured does. No search takes longer than its time limit.
#pragma once

#include <optional>
#include <span>

#include "pratique/kind/run.h"
#include "pratique/tables/flow/explore.h"

namespace pratique::tables::flow {

// One setting of a method on a sample.
struct Pilot {
  double records = 0;
  double seconds = 0;
  bool cut_short = false;  // it was asked to settle
};

struct TimeLimit {
  double seconds = 0;
  bool asked_for = false;  // a search of a large lattice takes all of it then
};

// For so many records. Pilots are ordered by their records, and there is at least one.
[[nodiscard]] double predicted_seconds(std::span<const Pilot> pilots, double records,
                                       std::optional<TimeLimit> limit);

// settings, seconds (in all), reading (of these, for the table), methods[] (method, seconds of one
// setting, time_limit where it has one)
[[nodiscard]] Outcome plan(const ExploreRequest& request, const Run& run);

}  // namespace pratique::tables::flow
