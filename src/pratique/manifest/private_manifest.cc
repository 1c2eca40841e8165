#include "pratique/manifest/private_manifest.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
#include "pratique/crypto/random.h"
#include "pratique/manifest/internal/manifest_reader.h"

namespace pratique {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKeyDigits = 64;
constexpr std::size_t kNameDigits = 32;
constexpr std::string_view kHiddenFolder = ".pratique";

bool is_hexadecimal(std::string_view text, std::size_t digits) {
  return text.size() == digits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string keyed(const std::string& key, const std::string& message) {
  const auto bytes = std::span(reinterpret_cast<const std::uint8_t*>(key.data()), key.size());
  return to_hex(hmac_sha256(bytes, message));
}

// What both have is as `told` has it; objects have the members of both, and so have those in lists.
void lay_over(Json& all, const Json& told) {
  if (all.is_object() && told.is_object()) {
    for (const auto& [key, value] : told.items()) lay_over(all[key], value);
  } else if (all.is_array() && told.is_array() && all.size() == told.size()) {
    for (std::size_t i = 0; i < all.size(); ++i) lay_over(all[i], told[i]);
  } else {
    all = told;
  }
}

// Files that a claim commits to, with the hashes that they had.
void name_hashes(Json& claims, const std::vector<ManifestInput>& inputs) {
  if (claims.is_object() && claims.contains("path") && claims.contains("commitment")) {
    for (const auto& input : inputs) {
      if (claims["path"] == input.path && claims["commitment"] == input.commitment)
        claims["sha256"] = input.sha256;
    }
  }
  if (!claims.is_structured()) return;
  for (auto& inner : claims) name_hashes(inner, inputs);
}

// Ours, and no link that leads elsewhere.
void require_own_folder(const std::string& folder) {
  struct stat status {};
  if (lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
    throw Error::input("the folder for the private manifest cannot be made").at(folder);
  }
  if (status.st_uid != geteuid()) {
    throw Error::input("the folder for the private manifest belongs to somebody else").at(folder);
  }
}

// What lies in it has mode 0600. Whoever owns .pratique could put another folder into its place.
void make_private(const std::string& folder) {
  const fs::path parent = fs::path(folder).parent_path();
  std::error_code failed;
  fs::create_directories(parent.parent_path(), failed);
  (void)mkdir(parent.c_str(), S_IRWXU);
  if (parent.filename() == kHiddenFolder) require_own_folder(parent);
  (void)mkdir(folder.c_str(), S_IRWXU);
  require_own_folder(folder);
}

}  // namespace

PrivateManifest PrivateManifest::draw() {
  PrivateManifest drawn;
  for (int part = 0; part < 4; ++part) drawn.key += fmt::format("{:016x}", secure_u64());
  return drawn;
}

PrivateManifest PrivateManifest::parse(std::string_view text, const std::string& place) {
  const Json json = parse_json(text, place);
  const ManifestReader reader(json, "", place);
  if (reader.whole("format") != kFormat) {
    throw reader.wrong("format", fmt::format("is not {}", kFormat));
  }
  PrivateManifest parsed;
  parsed.key = reader.text("key");
  if (!is_hexadecimal(parsed.key, kKeyDigits)) throw reader.wrong("key", "is not a key");
  reader.each("inputs", [&](const ManifestReader& input) {
    parsed.inputs.push_back({.path = input.text("path"),
                             .sha256 = input.text("sha256"),
                             .bytes = input.whole("bytes"),
                             .role = input.text_or_none("role")});
  });
  if (json.contains("parameters")) parsed.parameters = reader.object("parameters");
  parsed.results = reader.object("results");
  reader.each("figures",
              [&](const ManifestReader& figure) { parsed.figures.push_back(read_figure(figure)); });
  return parsed;
}

std::optional<PrivateManifest> PrivateManifest::find(const std::string& name,
                                                     const std::vector<std::string>& folders) {
  if (!is_hexadecimal(name, kNameDigits)) return std::nullopt;  // leads nowhere else
  for (const auto& folder : folders) {
    const std::string path = folder + "/" + name + ".json";
    std::error_code failed;
    if (folder.empty() || !fs::is_regular_file(path, failed)) continue;
    if (access(path.c_str(), R_OK) != 0) continue;
    auto kept = parse(read_file(path), path);
    if (kept.name() == name) return kept;
  }
  return std::nullopt;
}

std::string PrivateManifest::to_text() const {
  Json files_read = Json::array();
  for (const auto& input : inputs) {
    files_read.push_back({{"path", input.path}, {"sha256", input.sha256}, {"bytes", input.bytes}});
    if (!input.role.empty()) files_read.back()["role"] = input.role;
  }
  return pratique::to_text(Json{{"format", kFormat},
                                {"key", key},
                                {"inputs", std::move(files_read)},
                                {"parameters", *parameters},
                                {"results", *results},
                                {"figures", to_json(figures)}});
}

std::string PrivateManifest::name() const {
  return keyed(key, "pratique private manifest 1\n").substr(0, kNameDigits);
}

std::string PrivateManifest::commitment(const ManifestInput& input) const {
  return keyed(key, fmt::format("pratique input 1\n{}\n{}\n", input.sha256, input.bytes));
}

bool PrivateManifest::complete(Manifest& manifest) const {
  if (manifest.inputs.size() != inputs.size()) return false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (manifest.inputs[i].path != inputs[i].path ||
        manifest.inputs[i].commitment != commitment(inputs[i])) {
      return false;
    }
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    manifest.inputs[i].sha256 = inputs[i].sha256;
    manifest.inputs[i].bytes = inputs[i].bytes;
  }
  Json all = *results;
  lay_over(all, *manifest.results);
  manifest.results = all;
  manifest.figures = figures;
  Json settings = *parameters;
  lay_over(settings, *manifest.parameters);
  manifest.parameters = settings;
  Json claims = *manifest.claims;
  name_hashes(claims, manifest.inputs);
  manifest.claims = claims;
  return true;
}

std::string PrivateManifest::write(const std::vector<std::string>& folders) const {
  std::optional<Error> first;
  for (const auto& folder : folders) {
    if (folder.empty()) continue;
    std::string path = folder + "/" + name() + ".json";
    try {
      make_private(folder);
      AtomicFile file(path, 0600);
      file.write(to_text());
      file.commit();
      return path;
    } catch (const Error& error) {
      if (!first) first = error;
    }
  }
  Error none = first.value_or(Error::input("there is no place for the private manifest"));
  throw none.hint(
      "It has what the manifest must not tell. Name a folder for it with --private, apart from "
      "the release.");
}

std::string private_folder_beside(const std::string& input) {
  std::error_code failed;
  fs::path file = input;
  if (fs::is_symlink(file, failed)) {
    const fs::path real = fs::canonical(file, failed);
    if (!failed) file = real;
  }
  const fs::path folder = file.parent_path();
  return ((folder.empty() ? fs::path(".") : folder) / kHiddenFolder / "private").string();
}

std::string private_folder_of_user() {
  for (const auto& [variable, inner] :
       {std::pair{"XDG_STATE_HOME", ""}, std::pair{"HOME", "/.local/state"}}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value == '/') return std::string(value) + inner + "/pratique/private";
  }
  return {};
}

}  // namespace pratique
