// The page of a table in the report.
#pragma once

#include "pratique/kind/kind.h"

namespace pratique::release {

void describe_table(PageContext& context);
// Columns, classes and distributions of what is a table, whichever kind it is of.
void describe_columns(PageContext& context);
// Says in the verdict how many are alone where Safe Harbor is claimed and no model has a k: it
// lists what is to be removed, and bounds no risk.
void count_alone_under_safe_harbor(PageContext& context);
// Says so where rows were counted as people because somebody said that they are.
void remark_on_rows(PageContext& context);

}  // namespace pratique::release
