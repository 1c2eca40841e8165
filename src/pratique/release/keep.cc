#include "pratique/release/keep.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"

namespace pratique::release {
namespace {

namespace fs = std::filesystem;

Error name_taken(const std::string& path) {
  return Error::input("a file with this name exists, and a release never replaces another")
      .at(path)
      .hint("Choose another name.");
}

// Removes what was given a name, unless all of it was.
class NewFiles {
 public:
  NewFiles() = default;
  ~NewFiles() {
    for (const auto& path : written_) unlink(path.c_str());
  }
  NewFiles(const NewFiles&) = delete;
  NewFiles& operator=(const NewFiles&) = delete;

  void write(AtomicFile& file, const std::string& path) {
    if (!file.commit_as_new()) throw name_taken(path);
    written_.push_back(path);
  }
  [[nodiscard]] std::vector<std::string> finish() { return std::exchange(written_, {}); }

 private:
  std::vector<std::string> written_;
};

unsigned mode_of(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? status.st_mode & 0777U : 0600U;
}

void require_same_ending(const std::string& candidate, const std::string& name) {
  const std::string ending = lower(fs::path(candidate).extension().string());
  if (lower(fs::path(name).extension().string()) == ending) return;
  throw Error::input(
      fmt::format("the candidate is a file {}, and its name does not end so", ending))
      .at(name)
      .hint(fmt::format("Name it {}{}.", fs::path(name).stem().string(), ending));
}

// The words of a command with the new name in place of the old.
void rename_in(std::vector<std::string>& words, const std::string& old, const std::string& now) {
  for (auto& word : words) {
    if (word == old) word = now;
    if (word == "--out=" + old) word = "--out=" + now;
  }
}

}  // namespace

Kept keep(const std::string& candidate, const std::string& name) {
  auto manifest = Manifest::beside(candidate);
  if (!manifest) {
    throw Error::input("no manifest lies beside this file, so nothing says how it was made")
        .at(candidate)
        .hint("Name a file that protect wrote.");
  }
  require_same_ending(candidate, name);
  const std::string recorded = manifest->output().path;
  for (const auto& output : manifest->outputs) {
    if (!output.path.starts_with(recorded)) throw Manifest::malformed(Manifest::path_of(candidate));
  }
  std::vector<std::string> names;
  for (const auto& output : manifest->outputs)
    names.push_back(name + output.path.substr(recorded.size()));
  names.push_back(Manifest::path_of(name));
  // Said before anything is copied; what counts is that no commit below replaces anything.
  for (const auto& path : names) {
    if (fs::exists(fs::symlink_status(path))) throw name_taken(path);
  }

  NewFiles files;
  for (std::size_t i = 0; i < manifest->outputs.size(); ++i) {
    auto& output = manifest->outputs[i];
    const std::string source = candidate + output.path.substr(recorded.size());
    AtomicFile copy(names[i], mode_of(source), AtomicFile::Existing::keep);
    Sha256 hash;
    read_in_blocks(source, [&](std::string_view block) {
      hash.update(block);
      copy.write(block);
    });
    const auto digest = hash.finish();
    if (to_hex(digest) != output.sha256) {
      throw Error::check("this file is not what its manifest says: it was changed since")
          .at(source)
          .hint("Make the candidate again.");
    }
    files.write(copy, names[i]);
    output.path = names[i];
  }
  rename_in(manifest->command, recorded, name);
  Json options = *manifest->options;
  if (options.is_object() && options.contains("out")) options["out"] = name;
  manifest->options = JsonValue(options);
  AtomicFile file(names.back(), mode_of(Manifest::path_of(candidate)), AtomicFile::Existing::keep);
  file.write(manifest->to_text());
  files.write(file, names.back());
  return {files.finish(), manifest->output().sha256};
}

}  // namespace pratique::release
