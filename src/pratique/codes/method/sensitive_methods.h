// Models that keep sensitive codes from being inferred. Public codes may be generalised, each to
// one label in all records that covers no sensitive code; a sensitive code is shown as it is, or in
// no record at all.
//
// (h,k,p)-coherence (Xu, Wang, Fu, Yu, KDD 2008): of whatever 1 to p public codes are known of a
// patient, at least k records match, or none, and of those that match at most one in h has any
// given sensitive code.
//
// rho-uncertainty (Cao, Karras, Raissi, Tan, PVLDB 2010): whatever codes are known of a patient,
// any number of them, public and sensitive, or none at all, less than a share rho of the records
// that match has any given further sensitive code. It does not hold off re-identification.
//
// Both look at labels instead of codes: codes under one label match the same records.
#pragma once

#include "pratique/codes/method/protection.h"

namespace pratique::codes {

// Public codes that break it are generalised, and suppressed where that loses less.
[[nodiscard]] Recoding make_coherent(const Task& task, Progress& progress);
// They are suppressed in all records.
[[nodiscard]] Recoding make_coherent_by_suppression(const Task& task, Progress& progress);
// Public codes are generalised, sensitive ones suppressed, whichever loses less.
[[nodiscard]] Recoding make_uncertain(const Task& task, Progress& progress);

void claim_coherence(const Parameters& parameters, Json& claim);
void claim_uncertainty(const Parameters& parameters, Json& claim);

}  // namespace pratique::codes
