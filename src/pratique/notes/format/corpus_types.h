// What other corpora call our types of identifiers (docs/notes.md has the table): PERSON is a name
// whoever marked it, and goes where names go.
#pragma once

#include <string>
#include <string_view>

namespace pratique::notes {

// One of span_types(); id for what nobody here knows, so that it goes.
[[nodiscard]] std::string our_type(std::string_view type);

}  // namespace pratique::notes
