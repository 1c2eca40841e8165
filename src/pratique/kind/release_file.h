// A release on disk and the manifest beside it, for those who read them later: the report and the
// ledger.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"
#include "pratique/manifest/manifest.h"
#include "pratique/manifest/private_manifest.h"

namespace pratique::release {

// A path in a home folder as ~/PATH: whose home it is, is nobody's business.
[[nodiscard]] std::string without_home(std::string_view text);

// What a recorded file is now.
enum class FileState { same, changed, missing };
[[nodiscard]] FileState file_state(const std::string& path, const std::string& recorded_sha256);
[[nodiscard]] std::string_view name_of(FileState state);

class ReleaseFile {
 public:
  // The manifest must be there; the released file need not. What the manifest does not tell is
  // filled in from the private manifest, where that is in `private_folder`, or, without one, at a
  // place where it is made unless somebody says otherwise.
  static ReleaseFile read(const std::string& path, const std::string& private_folder = {});
  // As whoever has the release and its manifest alone.
  static ReleaseFile read_as_released(const std::string& path);
  static Error malformed(const std::string& path);

  std::string path = {};

  [[nodiscard]] const Manifest& manifest() const { return manifest_; }
  // Nothing about the original is missing in manifest().
  [[nodiscard]] bool complete() const { return complete_; }
  // Another private manifest about the same inputs, where that of this release would be.
  [[nodiscard]] std::optional<PrivateManifest> find_private(const std::string& name) const;
  [[nodiscard]] const std::string& manifest_sha256() const { return manifest_sha256_; }
  // Of the released file, as recorded.
  [[nodiscard]] const std::string& sha256() const { return manifest_.output().sha256; }
  [[nodiscard]] const std::string& kind() const { return manifest_.kind; }
  [[nodiscard]] std::uint64_t k() const { return manifest_.k(); }
  // Ready for a shell: what made it (empty where no command did), and what verifies it.
  [[nodiscard]] std::string command_line() const;
  [[nodiscard]] std::string verify_command_line() const;

  // What each file of the release is now, in the order of the manifest's outputs. The names of
  // those beside the first begin with its name; one that is recorded otherwise is missing.
  [[nodiscard]] std::vector<FileState> states() const;
  // Where the release was made, from which the recorded paths are seen: out/a.csv, which lies at
  // ../x/out/a.csv now, was made in ../x. None where that is here, or cannot be told.
  [[nodiscard]] std::optional<std::string> folder_of_run() const;

  // None when it is not there, or not with the recorded hash.
  [[nodiscard]] std::optional<Source> open(Engine& engine, Progress& progress) const;
  // The first input; at its recorded path, seen from here or from where the release was made.
  [[nodiscard]] std::optional<Source> open_original(Engine& engine, Progress& progress) const;
  // Where a file that was read may be now: its recorded path, seen from either.
  [[nodiscard]] std::vector<std::string> places_of(const std::string& recorded) const;
  // Where an input, named by its recorded path, still lies with its recorded hash; none where that
  // is not known.
  [[nodiscard]] std::optional<std::string> find_input(const std::string& recorded) const;

 private:
  void complete_from(const std::string& private_folder);

  Manifest manifest_;
  bool complete_ = true;
  std::string private_folder_;
  std::string manifest_sha256_;
};

}  // namespace pratique::release
