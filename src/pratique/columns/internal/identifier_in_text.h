// Whether a text holds one of the identifiers of Safe Harbor that can be told by its shape,
// anywhere in it: an address of e-mail, the web, IP or hardware, a telephone or social security
// number, a vehicle's number, a date more precise than a year, an age over 89, a ZIP code or
// street, a number that is called one of a record, account, policy or licence.
#pragma once

#include <string_view>

namespace pratique::columns::internal {

[[nodiscard]] bool has_identifier_in_text(std::string_view text);
// Whether a title and a name stand in it: Dr. House.
[[nodiscard]] bool names_somebody(std::string_view text);

}  // namespace pratique::columns::internal
