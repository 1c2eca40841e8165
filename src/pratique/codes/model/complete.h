// Complete k-anonymity (He, Naughton, PVLDB 2009): every released set of codes is that of at least
// k patients, so whatever codes are known of a patient, all of them even, at least k records match.
#pragma once

#include "pratique/codes/model/model.h"

namespace pratique::codes {

extern const Model complete_model;  // complete

}  // namespace pratique::codes
