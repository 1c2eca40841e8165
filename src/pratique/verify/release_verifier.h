// `pratique verify`: a released file against the claims in the manifest beside it.
//
// The file's SHA-256 must be the manifest's, and every claim must follow from the file as it is on
// disk. A manifest without claims proves nothing and does not pass. A release of several files
// (outputs[] of the manifest) is named by its first; the names of the others begin with that name,
// and each must be there with its SHA-256. `output` is the first of outputs[], which manifests of
// format 2 always have; a format that is not known is refused.
#pragma once

#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"
#include "pratique/verify/claims.h"

namespace pratique::verify {

struct Verification {
  std::string release;
  std::uint64_t rows = 0;
  bool hash_matches = false;  // of every file
  bool rows_match = false;
  std::vector<ClaimResult> claims;
  // Columns that left as they are although they look like identifiers, as the manifest says.
  std::vector<std::string> allowed;
  // Whoever made it says that every row is somebody else's, although an identifier repeated.
  bool rows_are_people = false;
  // What the manifest's format does not let anybody check; empty where it is of a later one.
  std::string warning;

  [[nodiscard]] bool holds() const;
};

// PATH.manifest.json
[[nodiscard]] std::string manifest_path(const std::string& release);

// A claim that rests on a private file needs the private manifest, too: in `private_folder` or,
// where that is empty, where it is put unless somebody says otherwise. It also shows whether files
// of people that other claims are about are those of then.
[[nodiscard]] Verification verify_release(Engine& engine, const std::string& release,
                                          Progress& progress,
                                          const std::string& private_folder = {});

// JSON keys: warning, allowed[], rows_are_people (where there are any), release, holds,
// hash_matches, rows, rows_match, claims[] (model, attribute, standing, confidence, required,
// achieved, holds, explanation); confidence where it is tested.
[[nodiscard]] Json to_json(const Verification& verification);

}  // namespace pratique::verify
