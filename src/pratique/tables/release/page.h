// The page of a table in the report.
#pragma once

#include "pratique/kind/kind.h"

namespace pratique::release {

void describe_table(PageContext& context);
// Columns, classes and distributions of what is a table, whichever kind it is of.
void describe_columns(PageContext& context);

}  // namespace pratique::release
