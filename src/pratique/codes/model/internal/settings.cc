#include "pratique/codes/model/internal/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "pratique/core/error.h"
#include "pratique/core/file.h"

namespace pratique::codes {

void read_sensitive(const std::string& path, const CodeSets& sets, Parameters& parameters) {
  const CodeSets listed = parse_code_sets(read_file(path), path);
  std::set<std::string> sensitive;
  for (const auto entry : listed.codes.values()) {
    const auto named = codes_named(entry, sets.codes, parameters.spelling, path);
    for (const Code code : named) sensitive.emplace(sets.codes.value(code));
    // Nobody has it; no label may cover it all the same.
    if (named.empty()) sensitive.insert(parameters.spelling->of(entry));
  }
  parameters.sensitive.assign(sensitive.begin(), sensitive.end());
}

void check_k(const Parameters& parameters, const CodeSets& sets) {
  if (parameters.k <= sets.patients()) return;
  const bool single = sets.patients() == 1;
  throw Error::input(fmt::format("k is {}, but there {} only {} patient{}", parameters.k,
                                 single ? "is" : "are", sets.patients(), single ? "" : "s"))
      .hint("Choose a smaller --k; nobody can be hidden among more patients than there are.");
}

void check_sensitive(std::string_view model, const Parameters& parameters, const CodeSets& sets) {
  const auto& sensitive = parameters.sensitive;
  if (std::any_of(sensitive.begin(), sensitive.end(),
                  [&](const auto& code) { return sets.codes.find(code).has_value(); })) {
    return;
  }
  throw Error::input(sensitive.empty() ? fmt::format("the model {} needs sensitive codes", model)
                                       : "no patient has one of the sensitive codes")
      .hint("Give --sensitive FILE, with one code per line, written as in the data.");
}

}  // namespace pratique::codes
