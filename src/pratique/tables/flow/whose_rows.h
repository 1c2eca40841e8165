// An identifier that stands in several rows is one of people with several rows, or says nothing
// about people: whoever knows the file decides.
#pragma once

#include <string>
#include <vector>

#include "pratique/kind/run.h"

namespace pratique::tables::flow {

// Throws where a column repeats, spellings of one value joined, that may say whose the rows are. Of
// `identifiers` it is enough that their values may be of people, whatever they are called
// (columns/role_advice.h); `others`, of which nobody said that they are, must name people.
void ask_whose_rows(const Source& source, const std::vector<std::string>& identifiers,
                    const std::vector<std::string>& others, const Run& run);

// The same of a population, whose rows are counted as people: `person` names the column that says
// whose a row of the table is, or is empty. `what` it is called, and the option that counts its
// people, where there is one.
void require_a_row_per_person(const Source& population, const std::string& person, const Run& run,
                              const std::string& what = "population",
                              const std::string& option = {});

}  // namespace pratique::tables::flow
