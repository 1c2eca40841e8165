// Methods for k^m-anonymity (model/km.h; Terrovitis, Mamoulis, Kalnis, PVLDB 2008).
//
//   apriori    every code gets the same node of the tree in all records (global, full subtree).
//              Sizes 1 to m by turns: among the nodes above the present cut, the one that mends
//              most rare sets for the least loss is raised, until no set is rare; then nodes are
//              lowered again where nothing becomes rare.
//              A coarser cut of a k^m-anonymous release is k^m-anonymous, so any cut that is
//              reached can be reached from both sides.
//   local      starts from apriori and gives codes back record by record: the records that hold a
//              raised node A are parted into those that keep A and those that get its children;
//              in either part, whatever m - 1 items occur beside it occur at least k times.
//              Where --suppression allows it, both remove codes from single records
//              (internal/removal.h), and local does so only where that loses less.
//   suppress   codes by falling frequency; a code goes from all records when it would be the least
//              frequent of a rare set of codes that are kept (Vinterbo et al., AMIA 2001).
#pragma once

#include "pratique/codes/method/protection.h"

namespace pratique::codes {

[[nodiscard]] Recoding anonymise_by_apriori(const Task& task, Progress& progress);
[[nodiscard]] Recoding anonymise_locally(const Task& task, Progress& progress);
[[nodiscard]] Recoding suppress_rare_codes(const Task& task, Progress& progress);

}  // namespace pratique::codes
