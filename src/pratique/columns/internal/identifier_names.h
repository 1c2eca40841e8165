// What the name of a column says that it holds: one of the 18 identifiers of HIPAA's Safe Harbor
// method, by lists of words in English and the languages of its neighbours.
#pragma once

#include <optional>
#include <string_view>

#include "pratique/columns/internal/column_name.h"
#include "pratique/columns/safe_harbor.h"

namespace pratique::columns::internal {

struct NameRule {
  SafeHarborIdentifier identifier;
  std::string_view phrase;  // what the name says
};

// The rule with the longest phrase that the name has.
[[nodiscard]] std::optional<NameRule> rule_of_name(const ColumnName& name,
                                                   const ColumnContent& content);

// Whether it says of what thing a name is: a drug, a ward.
[[nodiscard]] bool is_of_things(const ColumnName& name);

// Postcodes in any language, of which three digits may leave; those of a county (037) may not.
[[nodiscard]] bool is_of_postcodes(std::string_view phrase);

}  // namespace pratique::columns::internal
