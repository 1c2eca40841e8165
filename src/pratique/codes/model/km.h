// k^m-anonymity (Terrovitis, Mamoulis, Kalnis, PVLDB 2008): of whatever at most m codes an
// adversary knows of a patient, at least k released records match, or none.
//
// (k, k^m)-anonymity (Poulis, Loukides, Gkoulalas-Divanis, Skiadopoulos, ECML PKDD 2013): the same
// of whoever knows a patient's quasi-identifiers and up to m codes.
#pragma once

#include "pratique/codes/model/model.h"

namespace pratique::codes {

extern const Model km_model;               // km
extern const Model table_and_codes_model;  // table+codes

}  // namespace pratique::codes
