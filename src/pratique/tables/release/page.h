// The page of a table in the report.
#pragma once

#include "pratique/kind/kind.h"

namespace pratique::release {

void describe_table(PageContext& context);
// Columns, classes and distributions of what is a table, whichever kind it is of.
void describe_columns(PageContext& context);
// Says so where rows were counted as people because somebody said that they are.
void remark_on_rows(PageContext& context);

}  // namespace pratique::release
