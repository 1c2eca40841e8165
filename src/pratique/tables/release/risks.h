// How likely an adversary is to be right about whose record it is, in the figures of the literature
// (attack/assess.h): the prosecutor knows that somebody is in the table, the journalist does not
// and looks in a population, the marketer tries everybody.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/kind/release_report.h"

namespace pratique::release {

// `class_sizes` are the released file's; `population` is what was found in one when the release was
// made (attack/population_exposure.h), or null. Without one nobody outside the table hides a
// record, so that the journalist is as strong as the prosecutor.
void add_risks_of_classes(const std::vector<std::uint64_t>& class_sizes, const Json& population,
                          ReleaseReport& report);
// Of whoever knows the columns that no model holds, and of whoever knows the quasi-identifiers,
// too.
void add_risks_of_unheld_columns(const std::string& columns,
                                 const std::vector<std::uint64_t>& by_columns,
                                 const std::vector<std::uint64_t>& by_all, ReleaseReport& report);

}  // namespace pratique::release
