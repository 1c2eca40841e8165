#include "pratique/kind/release_file.h"

#include <filesystem>

#include "pratique/core/file.h"
#include "pratique/core/joint_commit.h"
#include "pratique/crypto/hash.h"
#include "pratique/engine/source_name.h"
#include "pratique/kind/artefact.h"
#include "pratique/kind/shell_quoted.h"

namespace pratique::release {
namespace {

namespace fs = std::filesystem;

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

// How CSV was read. An old manifest does not record it: it is detected again.
CsvOptions recorded_csv_options(const Manifest& manifest) {
  CsvOptions options;
  const std::string delimiter = manifest.option_text("delimiter").value_or("");
  if (delimiter == "tab") options.delimiter = '\t';
  if (delimiter.size() == 1) options.delimiter = delimiter.front();
  options.encoding = manifest.option_text("encoding");
  return options;
}

bool is_file_with_hash(const std::string& path, const std::string& sha256) {
  return file_state(path, sha256) == FileState::same;
}

}  // namespace

FileState file_state(const std::string& path, const std::string& recorded_sha256) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return FileState::missing;
  return sha256_file(path) == recorded_sha256 ? FileState::same : FileState::changed;
}

std::string_view name_of(FileState state) {
  switch (state) {
    case FileState::same:
      return "same";
    case FileState::changed:
      return "changed";
    case FileState::missing:
      break;
  }
  return "missing";
}

std::string without_home(std::string_view text) {
  const auto home = find_home(text);
  if (!home) return std::string(text);
  const auto [at, size] = *home;
  return std::string(text.substr(0, at)) + "~" + without_home(text.substr(at + size));
}

Error ReleaseFile::malformed(const std::string& path) {
  return Manifest::malformed(Manifest::path_of(path));
}

ReleaseFile ReleaseFile::read(const std::string& path, const std::string& private_folder) {
  ReleaseFile file = read_as_released(path);
  if (!file.complete_) file.complete_from(private_folder);
  return file;
}

std::optional<PrivateManifest> ReleaseFile::find_private(const std::string& name) const {
  std::vector<std::string> folders = {private_folder_};
  if (private_folder_.empty()) {
    for (const auto& input : manifest_.inputs) {
      for (const auto& place : places_of(input.path))
        folders.push_back(private_folder_beside(parse_source_name(place).file));
    }
    folders.push_back(private_folder_of_user());
  }
  return PrivateManifest::find(name, folders);
}

void ReleaseFile::complete_from(const std::string& private_folder) {
  private_folder_ = private_folder;
  const auto kept = find_private(manifest_.private_name);
  complete_ = kept && kept->complete(manifest_);
  if (kept && !complete_) {
    throw Error::input("the inputs in this manifest are not those of its private manifest")
        .at(Manifest::path_of(path))
        .hint("One of the two was changed after the release was made.");
  }
}

ReleaseFile ReleaseFile::read_as_released(const std::string& path) {
  finish_interrupted(path);
  const std::string beside = Manifest::path_of(path);
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
  file.manifest_ = Manifest::parse(text, beside);
  file.complete_ = file.manifest_.private_name.empty();
  return file;
}

std::string ReleaseFile::command_line() const {
  const auto words = manifest_.words();
  if (words.empty()) return {};
  std::string line = "pratique";
  for (const auto& word : words) line += " " + shell_word(word);
  return line;
}

std::string ReleaseFile::verify_command_line() const {
  return "pratique verify " + shell_word(path);
}

std::optional<Source> ReleaseFile::open(Engine& engine, Progress& progress) const {
  if (!is_file_with_hash(path, sha256())) return std::nullopt;
  return open_output(engine, path, manifest_.output(), progress);
}

std::optional<Source> ReleaseFile::open_original(Engine& engine, Progress& progress) const {
  if (manifest_.inputs.empty()) return std::nullopt;
  const auto place = find_input(manifest_.inputs.front().path);
  if (!place) return std::nullopt;
  // A table that was counted from what is none says so.
  const Json read_as = manifest_.parameters->value("read_as", Json());
  return is_sets(manifest_.output()) || read_as == "genotypes"
             ? engine.open_sets(*place, progress)
             : engine.open(*place, recorded_csv_options(manifest_), progress);
}

std::optional<std::string> ReleaseFile::find_input(const std::string& recorded) const {
  for (const auto& input : manifest_.inputs) {
    if (input.path != recorded) continue;
    for (auto& place : places_of(recorded)) {
      if (is_file_with_hash(parse_source_name(place).file, input.sha256)) return std::move(place);
    }
  }
  return std::nullopt;
}

std::vector<std::string> ReleaseFile::places_of(const std::string& recorded) const {
  std::vector<std::string> places = {recorded};
  if (const auto folder = folder_of_run(); folder && fs::path(recorded).is_relative())
    places.push_back((fs::path(*folder) / recorded).string());
  return places;
}

std::vector<FileState> ReleaseFile::states() const {
  std::vector<FileState> states = {file_state(path, sha256())};
  const std::string& first = manifest_.output().path;
  for (std::size_t f = 1; f < manifest_.outputs.size(); ++f) {
    const ManifestOutput& output = manifest_.outputs[f];
    const bool beside = output.path.size() > first.size() && output.path.starts_with(first) &&
                        output.path.find('/', first.size()) == std::string::npos;
    states.push_back(beside ? file_state(path + output.path.substr(first.size()), output.sha256)
                            : FileState::missing);
  }
  return states;
}

std::optional<std::string> ReleaseFile::folder_of_run() const {
  const fs::path recorded = fs::path(manifest_.output().path).lexically_normal();
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  if (failed || recorded.empty() || recorded.is_absolute()) return std::nullopt;
  const std::string lies_at = (here / path).lexically_normal().string();
  const std::string ending = "/" + recorded.string();
  if (!lies_at.ends_with(ending)) return std::nullopt;
  const fs::path folder = lies_at.substr(0, lies_at.size() - ending.size()) + "/";
  if (folder == here / "") return std::nullopt;
  return folder.string();
}

}  // namespace pratique::release
