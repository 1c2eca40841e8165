// Claims that rest on a private file, such as a privacy policy, name it by its path and a
// commitment: an HMAC of its hash and size under a key that lies in the private manifest
// (manifest/private_manifest.h), so that nobody else can try what the file may hold. Whoever is
// given the private manifest and the file checks the claim.
#pragma once

#include <string>

#include "pratique/core/json.h"

namespace pratique::verify {

// The claims of a manifest with the SHA-256 of each file that they commit to; "" where the private
// manifest has another file under that path. Looks for the private manifest in `private_folder`
// or, where that is empty, where it is put unless somebody says otherwise. Throws Error::input
// where a claim needs it and it is not there.
[[nodiscard]] Json with_committed_hashes(const Json& manifest, const std::string& place,
                                         const std::string& private_folder);

// The key of the private manifest, looked for in the same places; empty where it is not there.
[[nodiscard]] std::string private_key(const Json& manifest, const std::string& private_folder);

}  // namespace pratique::verify
