#include "replaceable.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/guarded_file.h"
#include "pratique/core/joint_commit.h"
#include "pratique/crypto/hash.h"
#include "pratique/manifest/manifest.h"

namespace pratique::app {
namespace {

namespace fs = std::filesystem;

bool has_content(const std::string& path) {
  std::error_code none;
  return fs::is_regular_file(path, none) && !fs::is_empty(path, none);
}

bool has_sign(const std::string& path, const std::vector<std::string>& signs) {
  constexpr std::size_t kBeginning = 2048;
  std::string beginning(kBeginning, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<std::size_t>(file.gcount()));
  return std::any_of(signs.begin(), signs.end(), [&](const std::string& sign) {
    return beginning.find(sign) != std::string::npos;
  });
}

bool is_release_with_manifest(const std::string& path) {
  try {
    finish_interrupted(path);
    const FolderLock lock(path);  // another run may be giving both their names
    return Manifest::read(Manifest::path_of(path)).output().sha256 == sha256_file(path);
  } catch (const Error&) {
    return false;
  }
}

Error not_ours(const std::string& path) {
  return Error::input("a file with this name exists, and this command did not write it")
      .at(path)
      .hint("Choose another name, or replace it with --force.");
}

// Not even --force replaces what is read.
void refuse_input(const Verb& verb, const std::string& path) {
  for (const auto& option : verb.options) {
    if (option.type != ValueType::file_read) continue;
    const Json value = option.value();
    for (const auto& input : value.is_array() ? value : Json::array({value})) {
      if (input.is_string() && same_file(input.get<std::string>(), path)) {
        throw Error::input("the output is the same file as an input")
            .at(path)
            .hint("Choose another name; the original must stay as it is.");
      }
    }
  }
}

}  // namespace

void require_replaceable(const Verb& verb, bool force) {
  for (const auto& option : verb.options) {
    const Json value = option.value();
    for (const auto& [name, sign] : option.files) {
      if (force || !value.is_string() || value.get<std::string>().empty()) continue;
      const std::string inner = (fs::path(value.get<std::string>()) / name).string();
      if (has_content(inner) && !has_sign(inner, {sign})) throw not_ours(inner);
    }
    if (option.type != ValueType::file_written || !value.is_string()) continue;
    const auto path = value.get<std::string>();
    const std::string manifest = Manifest::path_of(path);
    refuse_replacing_guarded(path);
    if (verb.makes_release) refuse_replacing_guarded(manifest);
    refuse_input(verb, path);
    if (option.fresh) {
      std::error_code none;
      if (!fs::exists(fs::symlink_status(path, none))) continue;
      throw Error::input("a file with this name exists, and nothing is replaced here")
          .at(path)
          .hint("Choose another name.");
    }
    if (force) continue;
    const bool ours = !has_content(path) || has_sign(path, option.signs) ||
                      (verb.makes_release && is_release_with_manifest(path));
    if (!ours) throw not_ours(path);
    // The manifest of a release that is gone may be replaced, but not somebody's own file.
    if (verb.makes_release && has_content(manifest) &&
        !has_sign(manifest, {"\"tool\": \"pratique\""})) {
      throw not_ours(manifest);
    }
  }
}

}  // namespace pratique::app
