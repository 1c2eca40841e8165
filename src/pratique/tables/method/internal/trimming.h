// Records that cost their class more than themselves: where some may be left out, it is these.
//
// To leave a record out costs all of it, a loss of 1 in each cell; what that gains is the wider
// cells of the others in its class. The records of a group go together. Of all groups, that which
// gains most per record goes first, and its class is looked at again; the first that no longer fits
// into what may be left out ends it. So the records left out with a smaller limit are left out with
// a larger one too, and more suppression is never worse.
#pragma once

#include "pratique/tables/method/internal/loss_space.h"
#include "pratique/tables/method/internal/partition.h"

namespace pratique::tables {

// Takes items out of the classes, which go on satisfying the models, and gives the number of
// records taken: `most` at most.
[[nodiscard]] std::uint64_t trim(std::vector<Items>& classes, const ProtectionInput& input,
                                 const Models& models, const LossSpace& space, std::uint64_t most);

}  // namespace pratique::tables
