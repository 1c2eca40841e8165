// Columns of a released table that look as if they told who people are: by what they are called, or
// by what half of their cells are. A release has such a column only where somebody let it go by its
// name; this is found in the file, whatever its manifest says. It finds less than whoever made the
// release looked for, so that no honest one is suspected.
#pragma once

#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"

namespace pratique::verify {

struct IdentifyingColumn {
  std::string column;
  std::string why;  // "is called 'ssn'"
};

[[nodiscard]] std::vector<IdentifyingColumn> identifying_columns(
    Engine& engine, const Source& source, const std::vector<std::string>& columns,
    Progress& progress);

// Of these, those that hold more than pseudonyms (32 hexadecimal digits) or numbers that this
// release alone uses.
[[nodiscard]] std::vector<std::string> columns_without_pseudonyms(
    Engine& engine, const Source& source, const std::vector<std::string>& columns,
    Progress& progress);

}  // namespace pratique::verify
