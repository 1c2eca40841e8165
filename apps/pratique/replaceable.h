// A document that is written anew takes the place of an earlier one of its kind, and of nothing
// else: a slip in a name must not cost patient data, a ledger or a key.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace pratique::app {

// Throws where a file without any of the `signs` near its beginning has this name already.
void require_replaceable(const std::string& path, std::string_view kind,
                         std::initializer_list<std::string_view> signs);

}  // namespace pratique::app
