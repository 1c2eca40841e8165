// --config FILE: a YAML file that holds any option of a verb by its name, so that a run can be
// repeated without its words. One file serves all verbs of a noun: what is an option of another of
// them is passed over. For verbs that read tables it also holds roles, hierarchies and models
// (data/schema.h).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "verb.h"

namespace pratique::app {

// What the words of an option say: where it takes a list, \, is a comma within an item.
[[nodiscard]] std::vector<std::string> in_parts(const Option& option,
                                                const std::vector<std::string>& words);

// Sets the options that the file names, but for those of `given`, and says which it named. Throws
// Error, placed at FILE:LINE:COLUMN, for a key that is no option, for a value that does not fit and
// for what is said twice.
std::set<std::string> apply_config(const CommandLine& program, const Verb& verb, const Verb& common,
                                   const std::string& path, const std::set<std::string>& given);

}  // namespace pratique::app
