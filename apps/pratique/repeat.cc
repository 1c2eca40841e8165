// pratique repeat: runs what a manifest says, in a private folder, and compares the bytes: of what
// was read, of what comes of it now, and of the release as it lies on disk.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "command.h"
#include "nouns.h"
#include "pratique/core/file.h"
#include "pratique/core/version.h"
#include "pratique/crypto/hash.h"
#include "pratique/engine/source_name.h"
#include "pratique/kind/release_file.h"
#include "recorded_run.h"

namespace pratique::app {
namespace {

namespace fs = std::filesystem;

using release::FileState;
using release::ReleaseFile;

struct RepeatRequest {
  std::string release;
  std::vector<std::string> originals;
};

// Where inputs lie now that were moved, by their recorded path.
using MovedInputs = std::map<std::string, std::string>;

// Each original is the input with its bytes.
MovedInputs moved_inputs(const Manifest& manifest, const std::vector<std::string>& originals) {
  MovedInputs moved;
  for (const auto& original : originals) {
    const std::string file = parse_source_name(original).file;
    require_readable_file(file);
    const std::string sha256 = sha256_file(file);
    bool was_read = false;
    for (const auto& input : manifest.inputs) {
      if (input.sha256 != sha256) continue;
      was_read = true;
      moved.emplace(input.path, fs::absolute(original).string());
    }
    if (!was_read) {
      throw Error::input("the release was not made from this file")
          .at(original)
          .hint("Name the original with --original; the private manifest has its SHA-256.");
    }
  }
  return moved;
}

// Recorded paths are seen from where the release was made.
void enter_folder_of_run(const ReleaseFile& file) {
  const auto folder = file.folder_of_run();
  if (folder && chdir(folder->c_str()) != 0) {
    throw Error::input("the folder where the release was made cannot be entered").at(*folder);
  }
}

// Of each input whether it is the file that was read.
Json compare_inputs(const Manifest& manifest, const MovedInputs& moved, bool& same) {
  Json inputs = Json::array();
  for (const auto& input : manifest.inputs) {
    const auto elsewhere = moved.find(input.path);
    const std::string& place = elsewhere == moved.end() ? input.path : elsewhere->second;
    const FileState state = release::file_state(parse_source_name(place).file, input.sha256);
    same = same && state == FileState::same;
    inputs.push_back({{"path", input.path}, {"state", release::name_of(state)}});
  }
  return inputs;
}

// The same of each file of the release.
Json compare_release(const ReleaseFile& file, bool& same) {
  Json released = Json::array();
  const auto states = file.states();
  for (std::size_t f = 0; f < states.size(); ++f) {
    same = same && states[f] == FileState::same;
    released.push_back(
        {{"path", file.manifest().outputs[f].path}, {"state", release::name_of(states[f])}});
  }
  return released;
}

// Options name each moved input where it lies now.
void name_moved_inputs(const Verb& verb, const MovedInputs& moved) {
  for (const auto& [recorded, place] : moved) {
    bool named = false;
    for (const auto& option : verb.options) {
      const Json value = option.value();
      if (option.type != ValueType::file_read || value.is_null()) continue;
      auto paths = value.is_array() ? value.get<std::vector<std::string>>()
                                    : std::vector{value.get<std::string>()};
      if (std::find(paths.begin(), paths.end(), recorded) == paths.end()) continue;
      std::replace(paths.begin(), paths.end(), recorded, place);
      option.set(paths);
      named = true;
    }
    if (!named) {
      throw Error::input("this input was not named by itself, so it cannot lie elsewhere")
          .at(recorded)
          .hint("Put it back to its recorded place.");
    }
  }
}

// What was written goes to the private folder; a key is read, and never made anew.
void redirect(const Verb& verb, const std::string& folder) {
  verb.find("private")->set({folder});
  for (const auto& option : verb.options) {
    const Json value = option.value();
    if (!value.is_string()) continue;
    const fs::path path = value.get<std::string>();
    if (option.type == ValueType::file_written || option.type == ValueType::folder_written) {
      const fs::path place = fs::path(folder) / option.name;
      fs::create_directory(place);
      option.set({(place / path.filename()).string()});
    } else if (option.type == ValueType::key_file && !fs::exists(path)) {
      throw Error::input("the key of this release is not at its recorded place")
          .at(path.string())
          .hint("Another key gives another release. Put the key back.");
    }
  }
}

// The command that can run again as it was recorded.
const Verb& verb_of_run(const CommandLine& program, const Manifest& recorded) {
  const Verb* verb = program.find(recorded.kind, recorded.verb);
  if (verb == nullptr) {
    throw Error::input("this version has no command that makes such releases")
        .hint("The manifest was written by another version of pratique.");
  }
  for (const char* budget : {"ledger", "LEDGER"}) {
    const auto ledger = recorded.options->find(budget);
    if (!verb->find("epsilon") || ledger == recorded.options->end() || !ledger->is_string())
      continue;
    throw Error::input("noise is drawn once: this release spent a privacy budget")
        .hint("What it was charged for is in the ledger: pratique dp budget shows it.");
  }
  if (!verb->makes_release) {
    throw Error::input(
        fmt::format("{} does more than write a release, so it is not run again", verb->path()))
        .hint("pratique verify checks what such a release claims.");
  }
  return *verb;
}

// Runs it and gives the manifest of what came of it.
Manifest run_again(const Manifest& recorded, const MovedInputs& moved, const std::string& folder,
                   Session& session) {
  Session inner;
  inner.silent = true;
  CommandLine program;
  declare_program(program, inner);
  const Verb* const verb = &verb_of_run(program, recorded);
  restore_recorded(*verb, recorded);
  restore_reading(inner.common, recorded);
  for (const char* name : {"threads", "memory"})
    inner.common.find(name)->restore(session.common.find(name)->value());
  if (!verb->find("out")->value().is_string())
    throw Error::input("the manifest does not say what was written");
  name_moved_inputs(*verb, moved);
  redirect(*verb, folder);
  inner.arguments = recorded.command;
  const Progress::OnStop on_stop(session.progress, [&] { inner.progress.stop(); });
  (void)inner.run(*verb);
  const Option* out = verb->find("out");
  return Manifest::read(Manifest::path_of(out->value().get<std::string>()));
}

Json compare_outputs(const Manifest& recorded, const Manifest& again, bool& same) {
  Json outputs = Json::array();
  same = recorded.outputs.size() == again.outputs.size();
  for (std::size_t i = 0; i < std::min(recorded.outputs.size(), again.outputs.size()); ++i) {
    const bool equal = recorded.outputs[i].sha256 == again.outputs[i].sha256;
    same = same && equal;
    outputs.push_back({{"path", recorded.outputs[i].path},
                       {"recorded", recorded.outputs[i].sha256},
                       {"now", again.outputs[i].sha256},
                       {"same", equal}});
  }
  return outputs;
}

int repeat(const RepeatRequest& request, Session& session) {
  const ReleaseFile file = ReleaseFile::read(request.release, session.private_folder);
  if (!file.complete()) {
    throw Error::input("the private manifest of this release is not at hand")
        .at(request.release)
        .hint("It tells which files were read. Name its folder with --private.");
  }
  const Manifest& recorded = file.manifest();
  CommandLine program;
  Session declared;
  declare_program(program, declared);
  (void)verb_of_run(program, recorded);  // before a ledger that was charged counts as changed
  Json changed = Json::array();
  if (recorded.version != kVersion) changed.push_back("version");
  bool release_same = true;
  const Json released = compare_release(file, release_same);
  if (!release_same) changed.push_back("release");
  const MovedInputs moved = moved_inputs(recorded, request.originals);
  enter_folder_of_run(file);
  bool inputs_same = true;
  const Json inputs = compare_inputs(recorded, moved, inputs_same);
  Json result = {{"release", request.release},
                 {"same", false},
                 {"version", {{"recorded", recorded.version}, {"now", kVersion}}},
                 {"released", released},
                 {"inputs", inputs}};
  if (inputs_same) {
    const PrivateFolder folder;
    const Manifest again = run_again(recorded, moved, folder.path(), session);
    bool same = false;
    result["outputs"] = compare_outputs(recorded, again, same);
    result["same"] = same && release_same;
    if (!same) changed.push_back("result");
    if (!same && recorded.results->contains("randomised")) {
      result["note"] = "columns of this release were randomised, and the noise was not recorded";
    }
    if (!same && recorded.results->value("ended_early", false)) {
      result["note"] =
          "its search was ended by its time limit or by hand, and may get farther or less far";
    }
    if (!same && recorded.parameters->value("method", "") == "anatomy") {
      result["note"] =
          "anatomy draws its groups from chance that was not recorded, since who knew it could "
          "undo "
          "them: no run makes the same again";
    }
  } else {
    changed.push_back("input");
    result["note"] = "not run: its inputs are missing or have changed";
  }
  result["changed"] = changed;
  session.print(result);
  return result["same"].get<bool>() ? 0 : 1;
}

}  // namespace

void add_repeat(CommandLine& program, Session& session) {
  auto request = std::make_shared<RepeatRequest>();
  Verb& verb = program.add(
      "", "repeat", "Run again what a manifest says, and report whether the bytes are the same",
      [request, &session] { return repeat(*request, session); });
  verb.file_read("RELEASE", &request->release, "the released file, with its manifest beside it")
      .require();
  verb.file_read("original", &request->originals,
                 "where an original is now; its bytes tell which one it is")
      .unless_given("the manifest's paths");
  session.declare_private_read(verb);
}

}  // namespace pratique::app
