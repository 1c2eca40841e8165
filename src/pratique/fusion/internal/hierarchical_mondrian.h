// Mondrian along hierarchies, as the studies of 2006 to 2009 ran it (LeFevre, DeWitt and
// Ramakrishnan 2006, with user-defined hierarchies): a partition shows one node per attribute, and
// a cut replaces a node by all of its children at once, when every part that is not empty satisfies
// the models. The attribute whose node covers the largest share of its leaves is tried first.
//
// Parts are boxes that do not overlap, so that everybody is located exactly; and since a cut cannot
// be chosen finer than the hierarchy, classes come out much larger than k (Ganta 2009, section
// 3.4.3). tables/method/mondrian.h cuts better; this one is here to repeat the study.
#pragma once

#include "pratique/tables/attribute.h"
#include "pratique/tables/model/model.h"
#include "pratique/tables/recoding.h"

namespace pratique::fusion::internal {

// Throws Error::check when the table as a whole breaks a model.
[[nodiscard]] tables::Recoding hierarchical_mondrian(const tables::ProtectionInput& input,
                                                     const tables::Models& models);

}  // namespace pratique::fusion::internal
