// An identifier that stands in several rows is one of people with several rows, or says nothing
// about people: whoever knows the file decides.
#pragma once

#include <string>
#include <vector>

#include "pratique/kind/run.h"

namespace pratique::tables::flow {

// Throws where a column repeats that may say whose the rows are. Of `identifiers` it is enough that
// they look like numbers of people; `others`, of which nobody said what they are, must name people.
void ask_whose_rows(const Source& source, const std::vector<std::string>& identifiers,
                    const std::vector<std::string>& others, const Run& run);

}  // namespace pratique::tables::flow
