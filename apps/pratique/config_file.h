// --config FILE: a YAML file that holds any option of a verb by its name, so that a run can be
// repeated without its words. For verbs that read tables it also holds roles, hierarchies and
// models (data/schema.h).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "verb.h"

namespace pratique::app {

// The parts of values that are separated by commas; other values as they are.
[[nodiscard]] std::vector<std::string> in_parts(const Option& option,
                                                const std::vector<std::string>& values);

// Sets the options that the file names, but for those of `given`, and says which it named. Throws
// Error, placed at FILE:LINE:COLUMN, for a key that is no option and for a value that does not fit.
std::set<std::string> apply_config(const Verb& verb, const std::string& path,
                                   const std::set<std::string>& given);

}  // namespace pratique::app
