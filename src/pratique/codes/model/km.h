// k^m-anonymity (Terrovitis, Mamoulis, Kalnis, PVLDB 2008), of released items: whatever at most m
// items (codes, or labels over them) stand together in a record stand together in at least k. So of
// whatever at most m codes an adversary knows of a patient, no record shows them, or at least k do
// by the same items. With one label for a code in all records this is the paper's definition; where
// a code has several, it is more: k records of the root would match everything, and hide nobody.
//
// (k, k^m)-anonymity (Poulis, Loukides, Gkoulalas-Divanis, Skiadopoulos, ECML PKDD 2013): the same
// of whoever knows a patient's quasi-identifiers and up to m codes.
#pragma once

#include "pratique/codes/model/model.h"

namespace pratique::codes {

extern const Model km_model;               // km
extern const Model table_and_codes_model;  // table+codes

}  // namespace pratique::codes
