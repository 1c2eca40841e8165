#include "pratique/release/manifest.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
#include "pratique/release/internal/recorded_command.h"
#include "pratique/verify/release_verifier.h"

namespace pratique::release {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kUsualK = 5;

std::string shell_quoted(const std::string& argument) {
  const bool plain =
      !argument.empty() && argument.find_first_not_of(
                               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_-./,:=@%+^") == std::string::npos;
  if (plain) return argument;
  std::string out = "'";
  for (const char c : argument) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

// Where /home/NAME or /Users/NAME stands in a text, and how long it is.
std::optional<std::pair<std::size_t, std::size_t>> find_home(std::string_view text) {
  for (const std::string_view homes : {"/home/", "/Users/"}) {
    const std::size_t at = text.find(homes);
    if (at == std::string_view::npos) continue;
    const std::size_t end = text.find('/', at + homes.size());
    const bool within_path = at > 0 && text[at - 1] != '=' && text[at - 1] != ',';
    if (end == std::string_view::npos || end == at + homes.size() || within_path) continue;
    return std::pair{at, end - at};
  }
  return std::nullopt;
}

std::string shell_word(const std::string& argument) {
  const auto home = find_home(argument);
  if (!home) return shell_quoted(argument);
  const auto [at, size] = *home;
  const std::string before = at == 0 ? std::string() : shell_quoted(argument.substr(0, at));
  return before + "\"$HOME\"" + shell_word(argument.substr(at + size));
}

bool is_file_with_hash(const std::string& path, const std::string& sha256) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && sha256_file(path) == sha256;
}

}  // namespace

std::string without_home(std::string_view text) {
  const auto home = find_home(text);
  if (!home) return std::string(text);
  const auto [at, size] = *home;
  return std::string(text.substr(0, at)) + "~" + without_home(text.substr(at + size));
}

Error ReleaseFile::malformed(const std::string& path) {
  return Error::input("this manifest is not as pratique writes it")
      .at(verify::manifest_path(path))
      .hint("It was changed by hand or comes from another version of pratique.");
}

ReleaseFile ReleaseFile::read(const std::string& path) {
  const std::string beside = verify::manifest_path(path);
  std::error_code ignored;
  if (!fs::exists(beside, ignored)) {
    throw Error::input("there is no manifest beside this release")
        .at(beside)
        .hint("Name the released file; protect wrote its manifest beside it.");
  }
  const std::string text = read_file(beside);
  ReleaseFile file;
  file.path = path;
  file.manifest_sha256_ = sha256_hex(text);
  file.manifest_ = std::make_shared<const Json>(parse_json(text, beside));
  try {
    const Json& manifest = *file.manifest_;
    (void)manifest.at("output").at("sha256").get<std::string>();
    for (const auto& word : manifest.at("command")) (void)word.get<std::string>();
    for (const auto& claim : manifest.at("claims")) (void)claim.at("model").get<std::string>();
    const bool objects =
        manifest.at("results").is_object() && manifest.at("parameters").is_object();
    if (!objects || !manifest.at("claims").is_array()) throw malformed(path);
    for (const auto& input : manifest.at("inputs")) {
      (void)input.at("path").get<std::string>();
      (void)input.at("sha256").get<std::string>();
    }
  } catch (const Json::exception&) {
    throw malformed(path);
  }
  return file;
}

std::string ReleaseFile::sha256() const {
  return manifest_->at("output").at("sha256").get<std::string>();
}

std::string ReleaseFile::kind() const {
  const Json& command = manifest_->at("command");
  return command.empty() ? std::string() : command.front().get<std::string>();
}

std::uint64_t ReleaseFile::k() const {
  std::uint64_t largest = 0;
  for (const auto& claim : manifest_->at("claims")) {
    if (claim.contains("k") && claim["k"].is_number_unsigned()) {
      largest = std::max(largest, claim["k"].get<std::uint64_t>());
    }
  }
  return largest == 0 ? kUsualK : largest;
}

std::string ReleaseFile::command_line() const {
  std::string line = "pratique";
  for (const auto& word : manifest_->at("command"))
    line += " " + shell_word(word.get<std::string>());
  return line;
}

std::string ReleaseFile::verify_command_line() const {
  return "pratique verify " + shell_word(path);
}

std::vector<std::string> ReleaseFile::input_hashes() const {
  std::vector<std::string> hashes;
  for (const auto& input : manifest_->at("inputs")) {
    if (!input.contains("role")) hashes.push_back(input.at("sha256").get<std::string>());
  }
  return hashes;
}

std::optional<Source> ReleaseFile::open(Engine& engine, Progress& progress) const {
  if (!is_file_with_hash(path, sha256())) return std::nullopt;
  const Json& output = manifest_->at("output");
  if (output.value("format", "") == "sets") return engine.open_sets(path, progress);
  CsvOptions options;
  const std::string delimiter = output.value("delimiter", "");
  if (delimiter.size() == 1) options.delimiter = delimiter.front();
  return engine.open(path, options, progress);
}

std::optional<Source> ReleaseFile::open_original(Engine& engine, Progress& progress) const {
  const Json& inputs = manifest_->at("inputs");
  if (inputs.empty()) return std::nullopt;
  const auto place = find_input(inputs.front().at("path").get<std::string>());
  if (!place) return std::nullopt;
  return manifest_->at("output").value("format", "") == "sets"
             ? engine.open_sets(*place, progress)
             : engine.open(*place, recorded_csv_options(*manifest_), progress);
}

std::optional<std::string> ReleaseFile::find_input(const std::string& recorded) const {
  for (const auto& input : manifest_->at("inputs")) {
    if (input.at("path") != recorded) continue;
    for (auto& place : places_of(recorded)) {
      if (is_file_with_hash(place, input.at("sha256").get<std::string>())) return std::move(place);
    }
  }
  return std::nullopt;
}

std::vector<std::string> ReleaseFile::places_of(const std::string& recorded) const {
  std::vector<std::string> places = {recorded};
  // release/out.csv, found as ../demo/release/out.csv, was made in ../demo.
  const std::string made = manifest_->at("output").value("path", "");
  if (!made.empty() && path.size() > made.size() && path.ends_with("/" + made)) {
    places.push_back(path.substr(0, path.size() - made.size()) + recorded);
  }
  return places;
}

}  // namespace pratique::release
