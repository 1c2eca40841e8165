// What the manifest of a release does not tell. Whoever knows all of a table but one value could
// try values until the table's hash fits, or a figure about it; so the plain hashes and sizes of
// what was read, and the figures about the original, stay in a private manifest with mode 0600,
// apart from the release. The manifest that leaves has a commitment to each input instead: an HMAC
// under a key that is drawn for each release and lies in the private manifest.
//
//   format      1
//   key         64 hexadecimal digits
//   inputs[]    as in the manifest, with path, sha256, bytes
//   parameters{}  what options came to by values that may not have left: none before 0.2
//   results{}, figures[]   all of them
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/manifest/manifest.h"

namespace pratique {

struct PrivateManifest {
  static constexpr int kFormat = 1;

  std::string key = {};
  std::vector<ManifestInput> inputs = {};
  JsonValue parameters = {};
  JsonValue results = {};
  std::vector<ResultFigure> figures = {};

  // With a key from the operating system's randomness.
  [[nodiscard]] static PrivateManifest draw();
  // Throws Error::input where it is none.
  [[nodiscard]] static PrivateManifest parse(std::string_view text, const std::string& place);
  // The one called `name` in the first of the folders that has it; none where no folder does, or
  // none that may be read.
  [[nodiscard]] static std::optional<PrivateManifest> find(const std::string& name,
                                                           const std::vector<std::string>& folders);

  [[nodiscard]] std::string to_text() const;
  // Follows from the key, and tells nothing of it.
  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::string commitment(const ManifestInput& input) const;
  // Fills in what `manifest` leaves out. Figures that it has are left as it tells them. False, and
  // nothing is filled in, where it commits to other files.
  [[nodiscard]] bool complete(Manifest& manifest) const;
  // Writes it to the first of the folders in which that can be done, making the folder (0700).
  // Returns where.
  std::string write(const std::vector<std::string>& folders) const;
};

// Beside a file that was read, or beside the one that a link leads to: FOLDER/.pratique/private.
[[nodiscard]] std::string private_folder_beside(const std::string& input);
// The user's own, for standard input and folders that cannot be written; empty where there is none.
[[nodiscard]] std::string private_folder_of_user();

}  // namespace pratique
