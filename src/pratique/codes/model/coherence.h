// (h,k,p)-coherence (Xu, Wang, Fu, Yu, KDD 2008): of whatever 1 to p public codes are known of a
// patient, at least k records match, or none, and of those that match at most one in h has any
// given sensitive code.
#pragma once

#include "pratique/codes/model/model.h"

namespace pratique::codes {

extern const Model coherence_model;  // coherence

}  // namespace pratique::codes
