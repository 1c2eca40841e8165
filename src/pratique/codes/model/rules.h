// PS-rules (Loukides, Gkoulalas-Divanis, Shao, DEXA 2010): a rule I -> J is protected when at least
// k released records match the codes I, or none, and at most a share c of those have all of J.
#pragma once

#include "pratique/codes/model/model.h"

namespace pratique::codes {

extern const Model rules_model;  // rules

}  // namespace pratique::codes
