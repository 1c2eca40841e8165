#include "pratique/codes/model/internal/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "pratique/codes/released_labels.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"

namespace pratique::codes {

namespace {

// An entry of a list in the spelling of the data, a star at its end included.
std::string entry_as_written(std::string_view entry, const Dictionary& codes,
                             const std::optional<Spelling>& spelling) {
  if (!spelling || codes.find(entry)) return std::string(entry);
  const bool begins = entry.size() > 1 && entry.ends_with('*');
  if (!begins) return spelling->of(entry);
  const auto text = entry.substr(0, entry.size() - 1);
  return spelling->of(text.substr(0, text.find_last_not_of('.') + 1)) + "*";
}

}  // namespace

void read_sensitive(const std::string& path, const CodeSets& sets, Parameters& parameters) {
  const CodeSets listed = parse_code_sets(read_file(path), path);
  std::set<std::string> sensitive;
  std::set<std::string> entries;
  for (const auto entry : listed.codes.values()) {
    const auto named = codes_named(entry, sets.codes, parameters.spelling, path);
    std::set<std::string> codes;
    for (const Code code : named) codes.emplace(sets.codes.value(code));
    const std::string written = entry_as_written(entry, sets.codes, parameters.spelling);
    // Nobody has it; no label may cover it all the same.
    if (named.empty()) codes.insert(written);
    sensitive.insert(codes.begin(), codes.end());
    // What leaves says what was asked for, and not which of it the data has.
    if (std::ranges::all_of(sets.codes.values(), [&](std::string_view code) {
          return is_listed({written}, code) == codes.contains(std::string(code));
        })) {
      entries.insert(written);
    } else {
      entries.insert(codes.begin(), codes.end());
    }
  }
  parameters.sensitive.assign(sensitive.begin(), sensitive.end());
  parameters.sensitive_entries.assign(entries.begin(), entries.end());
}

void check_k(const Parameters& parameters, const CodeSets& sets) {
  if (parameters.k <= sets.patients()) return;
  const bool single = sets.patients() == 1;
  throw Error::input(fmt::format("k is {}, but there {} only {} patient{}", parameters.k,
                                 single ? "is" : "are", sets.patients(), single ? "" : "s"))
      .hint("Choose a smaller --k; nobody can be hidden among more patients than there are.");
}

const std::vector<std::string>& listed_sensitive(const Parameters& parameters) {
  return parameters.sensitive_entries.empty() ? parameters.sensitive : parameters.sensitive_entries;
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
