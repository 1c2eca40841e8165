// t-closeness (Li, Li, Venkatasubramanian 2007): in every class, the distribution P of the
// sensitive attribute is within distance t of Q, its distribution in the table. The table is the
// released one: what a class tells is told beside the others that left. Was Q of the original, and
// published so that somebody can check, it would tell the values of the suppressed: Q less the
// file. Search begins with the original's, since it does not know yet what is going to leave
// (method/protection.h).
//
// The distance is the earth mover's: the least work that makes Q of P, where moving a share from
// one value to another costs (section 5 of the paper)
//   equal          1. EMD = half the sum of |p - q|.
//   ordered        |i - j| / (m - 1) for the i-th and j-th of m values in the order of numbers, of
//                  dates, or of the leaves of a hierarchy. EMD = the sum of |cumulative p - q| over
//                  m - 1. Texts of one number are one value; missing stands last.
//   hierarchical   level of the lowest node over both / level of the root. EMD = the sum over inner
//                  nodes of level / root level * min(what children have too much, too little).
// The values of the domain are those of the table.
//
// Monotone for all three: EMD is convex in P, and the P of a union is a mixture.
//
// The claim carries the order where numbers and dates do not give it (`order`) and the values'
// paths in the hierarchy (`paths`); Q is in the file.
#pragma once

#include <cstdint>
#include <memory>

#include "pratique/data/hierarchy.h"
#include "pratique/data/table.h"
#include "pratique/tables/model/model_kind.h"

namespace pratique::tables {

enum class GroundDistance { equal, ordered, hierarchical };

// `column` and `counts` are the table to compare with, grouped. Throws Error when the distance
// needs a hierarchy and there is none, or the hierarchy lacks values.
[[nodiscard]] std::unique_ptr<Model> t_closeness(double t, GroundDistance distance,
                                                 const ModelAttribute& attribute,
                                                 const Column& column,
                                                 const std::vector<std::uint64_t>& counts,
                                                 const Hierarchy* hierarchy);

// --t T[@COLUMN], --distance equal | ordered | hierarchical, [@COLUMN]
extern const ModelKind t_closeness_kind;

}  // namespace pratique::tables
