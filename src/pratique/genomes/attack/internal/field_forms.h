// The ways in which the values of a register's column may have been written where pseudonyms were
// made: as they stand there, without punctuation, a date in every usual form, nine digits with
// dashes.
#pragma once

#include <string>
#include <vector>

#include "pratique/data/table.h"

namespace pratique::genomes {

struct FieldForm {
  std::string words = {};                // empty: as written
  std::vector<std::string> values = {};  // by code
};

// As written first; only forms in which some value differs from those before.
[[nodiscard]] std::vector<FieldForm> forms_of(const Column& column);

}  // namespace pratique::genomes
