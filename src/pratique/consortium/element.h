// Elements in the form in which all sites hash them, and their way into the group.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pratique/consortium/configuration.h"
#include "pratique/crypto/ristretto.h"

namespace pratique::consortium {

// Samples and people are hashed with different tags: nobody who sees points can compare the two.
enum class List : std::uint8_t { samples = 0, people = 1 };

// What the element is called. Throws Error::input where the text is not UTF-8 or empty; `place`
// names it, not the value.
[[nodiscard]] std::string canonical(std::string_view element, const CanonicalForm& form,
                                    const std::string& place);

// RFC 9380, with a tag that holds the session, so that no value is the same in two sessions.
[[nodiscard]] Point hash_to_group(std::string_view element, List list, const Sha256Digest& session);
// The dummy that all sites have alike (stranon); no element is hashed to it.
[[nodiscard]] Point common_dummy(List list, const Sha256Digest& session);

}  // namespace pratique::consortium
