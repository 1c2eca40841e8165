// k-unlinkability where either side's lists may be incomplete (Malin 2006, definitions 6 and 20).
//
// At each location the longer list is complete, and both are where they are equally long. Two
// trails link unless one shows an absence where the other was seen. Whoever was seen where the
// other side's list is complete has a counterpart; anybody else may have none that is listed. Which
// pairs can then be true? Let every sample and every person be matched, where a sample that needs
// no person may go to one of as many unlisted people as there are samples, a person that needs no
// sample to one of as many unlisted samples as there are people, and unlisted to unlisted. The
// perfect matchings of this graph are the possible worlds, however many pairs they have. The
// partners of an element are those it has in one of them, and one more where it may be nobody's
// who is listed: there is somebody else then.
#pragma once

#include "pratique/core/progress.h"
#include "pratique/verify/internal/link_graph.h"
#include "pratique/verify/internal/trail_lists.h"

namespace pratique::verify {

// Left: lists.samples. Right: lists.people.
[[nodiscard]] Partners partners_of_both(const TrailLists& lists, Progress& progress);

}  // namespace pratique::verify
