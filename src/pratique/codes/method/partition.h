// The method for complete k-anonymity (model/complete.h; He, Naughton, PVLDB 2009).
//
//   partition   starts with one part, in which every record is the root. In a part, all records
//               show the same nodes; the node whose children would give back most is opened, and
//               the records go to new parts by the children that they have. What is left in parts
//               under k stays together with the node closed, and where that are fewer than k, the
//               largest parts give some of theirs, or all. Patients with equal sets stay together.
#pragma once

#include "pratique/codes/method/protection.h"

namespace pratique::codes {

[[nodiscard]] Recoding anonymise_by_partition(const Task& task, Progress& progress);

}  // namespace pratique::codes
