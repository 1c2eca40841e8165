// The page of a release that claims Safe Harbor: the 18 identifiers, one by one.
#pragma once

#include "pratique/kind/kind.h"

namespace pratique::release {

// Nothing for a release without the claim. Which columns of the original look like an identifier is
// told only where the original is at hand.
void add_safe_harbor_identifiers(PageContext& context);

}  // namespace pratique::release
