// Bounds of what a question adds up or ranks, found privately where none were declared.
//
// The rows that WHERE keeps are bounded per person, drawn at random, and the values of every
// aggregate without bounds give its bounds (bounds/found_bounds.h), each for an equal part of the
// epsilon that is for finding. Sequential composition with the answer itself: together they cost
// what both cost.
#pragma once

#include <string>
#include <vector>

#include "pratique/dp/query/answer.h"

namespace pratique::dp {

// An aggregate whose bounds are missing. `name`: its column where it is one, else its alias; the
// same bounds serve all aggregates of one name.
struct UnboundedAggregate {
  std::string name;
  std::size_t index = 0;  // among the question's aggregates
};
[[nodiscard]] std::vector<UnboundedAggregate> unbounded_aggregates(
    const Question& question, const std::vector<Domain>& declared);

struct FoundDomain {
  Domain domain;
  bool above_noise = true;
};
[[nodiscard]] std::vector<FoundDomain> find_domains(const Question& question,
                                                    const std::vector<UnboundedAggregate>& missing,
                                                    const QueryRows& rows, std::uint64_t max_rows,
                                                    Epsilon epsilon, Noise& noise);

}  // namespace pratique::dp
