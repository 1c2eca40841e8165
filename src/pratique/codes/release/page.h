// The page of sets of codes in the report.
#pragma once

#include "pratique/kind/kind.h"

namespace pratique::release {

void describe_codes(PageContext& context);

}  // namespace pratique::release
