// Groups come from an engine in whatever order its threads made them. A method may break ties by
// that order, and the same command must give the same bytes: so groups are put in the order of
// their values.
#pragma once

#include "pratique/data/table.h"

namespace pratique {

// Codes are then in the order of the values' bytes, and groups in that of their codes. Equal groups
// become one.
void order_by_values(GroupedTable& grouped);

}  // namespace pratique
