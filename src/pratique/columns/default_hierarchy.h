// Which hierarchy a quasi-identifier takes where nobody gave it one, by its name and its values:
//
//   date        dates down to the month or day, in any form (data/date_form.h)
//   prefix      postcodes, by the name of the column or as digits of one length with a leading zero
//   icd9, icd10, atc   codes of one of these, where the name of the column says so, or letters and
//               points do
//   interval:W,2W,4W,8W   numbers. W is 1, 2 or 5 times a power of ten, so that some 8 to 16
//               intervals of it hold all; whole numbers have at least 2. Two whole numbers less
//               than 3 apart (0 and 1) are flat: nothing lies between showing and hiding them
//               Ranges of one width W that begin at its multiples ([70-80), 70-79) take
//               interval:2W,4W,8W, and W first where some are parts of these
//   flat        everything else
//
// It fits every value. Dates that do not show which number is the month are an Error where the tree
// is made.
#pragma once

#include <string>

#include "pratique/data/dictionary.h"

namespace pratique::columns {

[[nodiscard]] std::string default_hierarchy(const std::string& column, const Dictionary& values);

}  // namespace pratique::columns
