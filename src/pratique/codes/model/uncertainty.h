// rho-uncertainty (Cao, Karras, Raissi, Tan, PVLDB 2010): whatever codes are known of a patient,
// any number of them, public and sensitive, or none at all, less than a share rho of the records
// that match has any given further sensitive code. It does not hold off re-identification, and has
// no k.
#pragma once

#include "pratique/codes/model/model.h"

namespace pratique::codes {

extern const Model uncertainty_model;  // uncertainty

}  // namespace pratique::codes
