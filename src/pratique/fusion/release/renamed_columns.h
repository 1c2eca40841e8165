// Columns that releases of the same people have in common under different names. A sensitive column
// that is called otherwise would be taken for another attribute, and nothing would be intersected.
//
// A column is the same as one of the added release, whose name it then gets, when neither release
// has a column of the other's name, one of the two is sensitive and neither a quasi-identifier, and
// at least two values and half of the values of the smaller are in both, but for case and blanks.
// Of several, those that share most.
//
// A sensitive column of an earlier release that stays without a counterpart, where the added
// release has one that stays without, may be the same written otherwise: nobody can tell, and that
// is said (`unmatched`). --same-column THERE=HERE tells; THERE=THERE says that it is another.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pratique/kind/sequence.h"

namespace pratique::release {

struct RenamedColumns {
  std::map<std::string, std::string> same;  // from the name there to the name here
  std::vector<NotAttacked> unmatched;
};

[[nodiscard]] RenamedColumns find_renamed(Engine& engine, const SequenceRequest& request,
                                          Progress& progress);

}  // namespace pratique::release
