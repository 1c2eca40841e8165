// The page of a list with names in the report.
#pragma once

#include "pratique/kind/kind.h"

namespace pratique::release {

void describe_fusion(PageContext& context);

}  // namespace pratique::release
