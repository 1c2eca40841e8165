#include "pratique/kind/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/ascii.h"
#include "pratique/core/clock.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/guarded_file.h"
#include "pratique/core/joint_commit.h"
#include "pratique/core/version.h"
#include "pratique/crypto/hash.h"
#include "pratique/engine/one_reading.h"
#include "pratique/engine/source_name.h"
#include "pratique/manifest/manifest.h"
#include "pratique/manifest/private_manifest.h"
#include "pratique/verify/columns_together.h"

namespace pratique::release {
namespace {

ManifestInput input_of(const std::string& name, const SourceIdentity& identity, std::string role) {
  return {name, identity.sha256, identity.bytes, std::move(role)};
}

// The members of `results` that one of the keys, or the beginning of one, names; `within` are the
// keys around it. Members of a list share one.
Json told_of(const Json& results, std::span<const std::string_view> keys,
             const std::string& within) {
  if (results.is_array()) {
    Json list = Json::array();
    for (const auto& element : results) list.push_back(told_of(element, keys, within));
    return list;
  }
  Json object = Json::object();
  if (!results.is_object()) return object;
  for (const auto& [key, value] : results.items()) {
    const std::string name = within + key;
    if (std::find(keys.begin(), keys.end(), name) != keys.end()) {
      object[key] = value;
    } else if (std::any_of(keys.begin(), keys.end(),
                           [&](std::string_view told) { return told.starts_with(name + "."); })) {
      object[key] = told_of(value, keys, name + ".");
    }
  }
  return object;
}

bool is_folder_of(const std::string& path, const std::string& folder) {
  const auto parent = std::filesystem::path(path).parent_path();
  return same_file(folder, parent.empty() ? "." : parent.string());
}

// Where the private manifest may go, the best first; never beside the release.
std::vector<std::string> private_folders(const std::vector<Source>& inputs,
                                         const std::string& private_folder,
                                         const std::string& path) {
  if (!private_folder.empty()) return {private_folder};
  std::vector<std::string> folders;
  for (const auto& input : inputs) {
    const std::string file = parse_source_name(input.name).file;
    std::error_code ignored;
    if (!folders.empty() || !std::filesystem::is_regular_file(file, ignored)) continue;
    folders.push_back(private_folder_beside(file));
  }
  folders.push_back(private_folder_of_user());
  std::erase_if(folders, [&](const std::string& folder) { return is_folder_of(path, folder); });
  return folders;
}

std::filesystem::path whole_path(const std::string& path) {
  std::error_code failed;
  return std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
}

bool lies_within(const std::string& path, const std::filesystem::path& folder) {
  const auto inner = whole_path(path).lexically_relative(folder);
  return !inner.empty() && *inner.begin() != "..";
}

// A folder that holds the original is not handed out; any other may be, with all that is in it.
void refuse_private_beside(const std::string& path, const Origin& origin) {
  if (origin.private_folder.empty()) return;
  const auto folder = whole_path(path).parent_path();
  const bool with_original =
      !is_folder_of(path, origin.private_folder) &&
      std::any_of(origin.inputs.begin(), origin.inputs.end(), [&](const Source& input) {
        const std::string file = parse_source_name(input.name).file;
        std::error_code ignored;
        return std::filesystem::is_regular_file(file, ignored) && lies_within(file, folder);
      });
  if (with_original || !lies_within(origin.private_folder, folder)) return;
  throw Error::input("the private manifest would lie beside the release, and leave with it")
      .at(origin.private_folder)
      .hint("Name a folder with --private that is neither the release's nor inside it.");
}

// A spreadsheet's name for what is CSV would open as damaged, or not at all.
void refuse_other_formats(const std::string& path) {
  constexpr std::array<std::string_view, 10> kOtherEndings = {
      ".xlsx", ".xls", ".ods", ".docx", ".pdf", ".sav", ".dta", ".sas7bdat", ".zip", ".gz"};
  const std::string ending = lower(std::filesystem::path(path).extension());
  if (std::find(kOtherEndings.begin(), kOtherEndings.end(), ending) == kOtherEndings.end()) return;
  throw Error::input(fmt::format("a release cannot be written as {}", ending))
      .at(path)
      .hint("Name it .csv, which spreadsheets open, or .parquet.");
}

void refuse_files_read(const std::vector<std::string>& written, const std::vector<Source>& inputs,
                       const std::vector<std::string>& other_files) {
  std::vector<std::string> read = other_files;
  for (const auto& input : inputs) read.insert(read.end(), input.files.begin(), input.files.end());
  read.emplace_back("/dev/stdin");
  for (const auto& path : written) {
    for (const auto& file : read) {
      if (same_file(path, file)) {
        throw Error::input("the output is the same file as an input")
            .at(path)
            .hint("Choose another name with --out; the original must stay as it is.");
      }
    }
  }
}

// A file beside the first is named by nobody, so it takes the place only of one of the release that
// was there.
void refuse_replacing_others(const std::string& name, const std::string& release) {
  std::error_code none;
  if (!std::filesystem::exists(name, none)) return;
  const auto earlier = Manifest::beside(release);
  if (earlier && std::any_of(earlier->outputs.begin(), earlier->outputs.end(),
                             [&](const ManifestOutput& output) {
                               return std::filesystem::path(output.path).filename() ==
                                      std::filesystem::path(name).filename();
                             }))
    return;
  throw Error::input("a file with this name exists, and it is not part of a release")
      .at(name)
      .hint("Move it, or choose another name with --out.");
}

// Files beside the release that was here before, as that release wrote them, which the new one does
// not have: values of an older anatomy beside a table that is none would pass for its own.
std::vector<std::string> left_over(const std::string& release,
                                   const std::vector<ArtefactFile>& files) {
  std::vector<std::string> names;
  std::error_code none;
  if (!std::filesystem::exists(Manifest::path_of(release), none)) return names;
  try {
    const Manifest earlier = Manifest::read(Manifest::path_of(release));
    const std::filesystem::path place(release);
    for (const auto& output : earlier.outputs) {
      const std::string file = std::filesystem::path(output.path).filename().string();
      const std::string name = (place.parent_path() / file).string();
      const bool beside = file.starts_with(place.filename().string() + ".");
      const bool written_again = std::any_of(files.begin(), files.end(), [&](const auto& mine) {
        return place.filename().string() + mine.ending == file;
      });
      if (beside && !written_again && std::filesystem::is_regular_file(name, none) &&
          sha256_file(name) == output.sha256)
        names.push_back(name);
    }
  } catch (const Error&) {
    return {};  // a manifest that cannot be read tells of no files
  }
  return names;
}

// What the verifier says of each claim; throws where one does not hold.
std::vector<verify::ClaimResult> verify_all(Engine& engine, const Source& written,
                                            const std::vector<std::string>& beside,
                                            const Json& claims, const std::string& path,
                                            const PrivateManifest& kept, Progress& progress) {
  std::vector<verify::ClaimResult> results;
  OneReading reading(engine, written, verify::columns_read_together(claims));
  for (const auto& claim : claims) {
    results.push_back(verify::verify_claim(reading, written, claim, progress, beside, kept.key));
    const auto& result = results.back();
    if (!result.holds) {
      throw Error::check(
          fmt::format("the release does not satisfy {}: {}", result.model, result.explanation))
          .at(path)
          .hint("Nothing was written. Ask for less, or allow more generalisation or suppression.");
    }
  }
  return results;
}

// A private file that a claim names by its hash is committed to instead: whoever knows most of it
// could try the rest until the hash fits.
Json with_commitments(Json claims, const PrivateManifest& kept) {
  for (auto& claim : claims) {
    if (!claim.contains("privacy") || !claim["privacy"].is_object()) continue;
    Json& file = claim["privacy"];
    for (const auto& input : kept.inputs) {
      if (file.value("path", "") != input.path || file.value("sha256", "") != input.sha256)
        continue;
      file = {{"path", input.path}, {"commitment", kept.commitment(input)}};
      break;
    }
  }
  return claims;
}

// Inputs that a claim names without a hash, with a commitment.
void commit_to_inputs(Json& claims, const PrivateManifest& kept) {
  if (claims.is_object() && claims.contains("path") && !claims.contains("sha256") &&
      !claims.contains("files")) {
    for (const auto& input : kept.inputs) {
      if (claims["path"] == input.path) claims["commitment"] = kept.commitment(input);
    }
  }
  if (!claims.is_structured()) return;
  for (auto& inner : claims) commit_to_inputs(inner, kept);
}

// Delimiter and encoding of each CSV file, by its name.
Json with_reading(Json parameters, const std::vector<Source>& inputs) {
  for (const auto& input : inputs) {
    if (input.format != FileFormat::csv) continue;
    parameters["delimiter"][input.name] = std::string(1, input.delimiter);
    parameters["encoding"][input.name] = input.encoding;
  }
  return parameters;
}

}  // namespace

void refuse_overwriting_inputs(const std::string& out, const std::vector<Source>& inputs,
                               const std::vector<std::string>& other_files) {
  if (out == "-") {
    throw Error::input("a release cannot go to standard output: its manifest goes beside it")
        .hint("Name a file with --out.");
  }
  refuse_other_formats(out);
  refuse_files_read({out, Manifest::path_of(out)}, inputs, other_files);
  // Before the work, not after it; AtomicFile looks again.
  const auto folder = std::filesystem::path(out).parent_path();
  std::error_code failed;
  if (!folder.empty() && !std::filesystem::is_directory(folder, failed)) {
    throw Error::input("the folder of this file does not exist")
        .at(out)
        .hint("Make the folder first, or check its name.");
  }
  for (const auto& path : {out, Manifest::path_of(out)}) refuse_replacing_guarded(path);
}

void refuse_key_as_output(const std::string& key, const std::string& out) {
  const auto place = [](const std::string& path) {
    std::error_code failed;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
  };
  for (const auto& path : {out, Manifest::path_of(out)}) {
    if (same_file(key, path) || place(key) == place(path)) {
      throw Error::input("the key and the release, or its manifest, are the same file")
          .at(key)
          .hint("Name another place with --key, apart from the release.");
    }
  }
}

std::string keep_private(const PrivateManifest& kept, const std::vector<Source>& inputs,
                         const std::string& private_folder, const std::string& path) {
  return kept.write(private_folders(inputs, private_folder, path));
}

Published publish(Engine& engine, const Content& content, const std::string& path,
                  const Origin& origin, const Json& parameters, const Json& claims,
                  const Json& results, Progress& progress) {
  const char delimiter = origin.inputs.empty() ? ',' : origin.inputs.front().delimiter;
  return publish(engine, TableArtefact(content, origin.seed, delimiter), path, origin, parameters,
                 claims, results, progress);
}

Published publish(Engine& engine, const Artefact& artefact, const std::string& path,
                  const Origin& origin, const Json& parameters, const Json& claims,
                  const Json& results, Progress& progress) {
  refuse_overwriting_inputs(path, origin.inputs, origin.other_files);
  refuse_private_beside(path, origin);
  const auto files = artefact.files(path);
  std::vector<std::unique_ptr<AtomicFile>> pending;
  std::vector<std::string> written;
  for (std::size_t f = 0; f < files.size(); ++f) {
    const std::string name = path + files[f].ending;
    refuse_files_read({name}, origin.inputs, origin.other_files);
    if (f > 0) refuse_replacing_others(name, path);
    pending.push_back(std::make_unique<AtomicFile>(name));
    written.push_back(pending.back()->temporary_path());
    try {
      artefact.write(engine, f, written.back(), progress);
    } catch (Error& error) {
      throw error.at(name);  // the user knows this name, not the hidden one
    }
  }
  PrivateManifest kept = PrivateManifest::draw();
  for (const auto& input : origin.inputs)
    kept.inputs.push_back(input_of(input.name, engine.identify(input), ""));
  for (const auto& file : origin.other_files)
    kept.inputs.push_back(input_of(file, engine.identify(file), "setting"));
  Json standing = claims;
  commit_to_inputs(standing, kept);
  auto verified = verify_all(engine, artefact.reopen(engine, written, progress),
                             {written.begin() + 1, written.end()}, standing, path, kept, progress);

  Manifest manifest;
  manifest.version = kVersion;
  manifest.created = utc_time();
  manifest.kind = origin.kind;
  manifest.verb = origin.verb;
  manifest.command = origin.command;
  manifest.seed = origin.seed;
  kept.parameters = with_reading(*origin.private_parameters, origin.inputs);
  kept.results = results;
  kept.figures = figures_in(results, origin.figures);
  manifest.private_name = kept.name();
  for (const auto& input : kept.inputs) {
    manifest.inputs.push_back(
        {.path = input.path, .role = input.role, .commitment = kept.commitment(input)});
  }
  for (std::size_t f = 0; f < files.size(); ++f) {
    manifest.outputs.push_back({path + files[f].ending, sha256_file(written[f]),
                                file_size(written[f]), files[f].format, files[f].rows,
                                files[f].delimiter});
  }
  manifest.options = origin.options;
  manifest.parameters = parameters;
  standing = with_commitments(std::move(standing), kept);
  Json verification = Json::array();
  for (std::size_t c = 0; c < verified.size(); ++c) {
    standing[c]["standing"] = verified[c].standing;
    if (verified[c].confidence) standing[c]["confidence"] = *verified[c].confidence;
    verification.push_back(
        {{"model", verified[c].model}, {"explanation", verified[c].explanation}});
  }
  manifest.claims = standing;
  manifest.verification = verification;
  manifest.results = told_of(results, origin.told, "");
  manifest.figures = figures_in(*manifest.results, origin.figures);
  Published published{std::move(verified),
                      keep_private(kept, origin.inputs, origin.private_folder, path)};
  AtomicFile beside(Manifest::path_of(path));
  beside.write(manifest.to_text());
  // Of two that write under one name at once, the manifest and the files are of the same one.
  JointCommit together(path);
  std::vector<AtomicFile*> appearing = {&beside};
  for (const auto& file : pending) appearing.push_back(file.get());
  together.commit(appearing, left_over(path, files));
  return published;
}

}  // namespace pratique::release
