#include "pratique/verify/internal/private_files.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"

namespace pratique::verify {
namespace {

std::string member(const Json& object, const char* key) {
  const bool there = object.is_object() && object.contains(key) && object[key].is_string();
  return there ? object[key].get<std::string>() : std::string();
}

std::string keyed_hash(const std::string& key, const std::string& message) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(key.data());
  return to_hex(hmac_sha256(std::span(bytes, key.size()), message));
}

std::vector<std::string> usual_folders(const Json& manifest) {
  std::vector<std::string> folders;
  for (const auto& input : manifest.value("inputs", Json::array())) {
    std::filesystem::path file = member(input, "path");
    std::error_code failed;
    if (std::filesystem::is_symlink(file, failed)) {
      const auto real = std::filesystem::canonical(file, failed);
      if (!failed) file = real;
    }
    const std::filesystem::path beside = file.parent_path();
    folders.push_back(((beside.empty() ? "." : beside) / ".pratique" / "private").string());
  }
  for (const auto& [variable, inner] :
       {std::pair{"XDG_STATE_HOME", ""}, std::pair{"HOME", "/.local/state"}}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value == '/')
      folders.push_back(std::string(value) + inner + "/pratique/private");
  }
  return folders;
}

std::optional<Json> find_private(const Json& manifest, const std::string& private_folder) {
  const std::string name = member(manifest, "private");
  // A name that leads nowhere else.
  if (name.empty() || name.find_first_not_of("0123456789abcdef") != std::string::npos)
    return std::nullopt;
  const auto folders =
      private_folder.empty() ? usual_folders(manifest) : std::vector{private_folder};
  for (const auto& folder : folders) {
    const std::string path = folder + "/" + name + ".json";
    std::error_code failed;
    if (std::filesystem::is_regular_file(path, failed)) return read_json_file(path);
  }
  return std::nullopt;
}

// Of the file that the private manifest has under this path, where the commitment is to it.
std::string hash_of(const Json& privately, const Json& file) {
  const std::string key = member(privately, "key");
  for (const auto& input : privately.value("inputs", Json::array())) {
    if (member(input, "path") != member(file, "path")) continue;
    std::string sha256 = member(input, "sha256");
    const Json bytes = input.value("bytes", Json());
    if (!bytes.is_number_unsigned()) continue;
    const std::string message =
        fmt::format("pratique input 1\n{}\n{}\n", sha256, bytes.get<std::uint64_t>());
    if (keyed_hash(key, message) == member(file, "commitment")) return sha256;
  }
  return {};
}

}  // namespace

std::string private_key(const Json& manifest, const std::string& private_folder) {
  const auto privately = find_private(manifest, private_folder);
  return privately ? member(*privately, "key") : std::string();
}

Json with_committed_hashes(const Json& manifest, const std::string& place,
                           const std::string& private_folder) {
  Json claims = manifest.at("claims");
  std::optional<Json> privately;
  for (auto& claim : claims) {
    if (!claim.is_object() || !claim.contains("privacy")) continue;
    Json& file = claim["privacy"];
    if (member(file, "commitment").empty()) continue;
    if (!privately) privately = find_private(manifest, private_folder);
    if (!privately) {
      throw Error::input(
          "a claim rests on a private file, and the private manifest that says which is not here")
          .at(place)
          .hint("Ask whoever made the release for both, and name the folder with --private.");
    }
    file["sha256"] = hash_of(*privately, file);
  }
  return claims;
}

}  // namespace pratique::verify
