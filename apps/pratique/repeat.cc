// pratique repeat: runs what a manifest says, in a private folder, and compares the bytes.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
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

// Recorded paths are seen from where the release was made: out/a.csv, found as ../x/out/a.csv, was
// made in ../x.
void enter_folder_of_run(const std::string& release, const Manifest& manifest) {
  const std::string& recorded = manifest.output().path;
  if (release == recorded || !release.ends_with("/" + recorded)) return;
  const std::string folder = release.substr(0, release.size() - recorded.size());
  if (chdir(folder.c_str()) != 0) {
    throw Error::input("the folder where the release was made cannot be entered").at(folder);
  }
}

// Of each input whether it is the file that was read.
Json compare_inputs(const Manifest& manifest, bool& same) {
  Json inputs = Json::array();
  for (const auto& input : manifest.inputs) {
    std::error_code ignored;
    const std::string file = parse_source_name(input.path).file;
    const bool there = fs::is_regular_file(file, ignored);
    const bool equal = there && sha256_file(file) == input.sha256;
    same = same && equal;
    inputs.push_back({{"path", input.path},
                      {"state", equal   ? "same"
                                : there ? "changed"
                                        : "missing"}});
  }
  return inputs;
}

// What was written goes to the private folder; a key is read, and never made anew.
void redirect(const Verb& verb, const std::string& folder) {
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

// Runs it and gives the manifest of what came of it.
Manifest run_again(const Manifest& recorded, const std::string& folder, Progress& progress) {
  Session inner;
  inner.silent = true;
  CommandLine program;
  declare_program(program, inner);
  const Verb* verb = program.find(recorded.kind, recorded.verb);
  if (verb == nullptr || !verb->makes_release) {
    throw Error::input("this version has no command that makes such releases")
        .hint("The manifest was written by another version of pratique.");
  }
  restore_recorded(*verb, recorded);
  restore_reading(inner.common, recorded);
  if (!verb->find("out")->value().is_string())
    throw Error::input("the manifest does not say what was written");
  redirect(*verb, folder);
  inner.arguments = recorded.command;
  const Progress::OnStop on_stop(progress, [&] { inner.progress.stop(); });
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

int repeat(const std::string& release, Session& session) {
  const Manifest recorded = release::ReleaseFile::read(release).manifest();
  enter_folder_of_run(release, recorded);
  Json changed = Json::array();
  if (recorded.version != kVersion) changed.push_back("version");
  bool inputs_same = true;
  const Json inputs = compare_inputs(recorded, inputs_same);
  Json result = {{"release", release},
                 {"same", false},
                 {"version", {{"recorded", recorded.version}, {"now", kVersion}}},
                 {"inputs", inputs}};
  if (inputs_same) {
    const PrivateFolder folder;
    const Manifest again = run_again(recorded, folder.path(), session.progress);
    bool same = false;
    result["outputs"] = compare_outputs(recorded, again, same);
    result["same"] = same;
    if (!same) changed.push_back("result");
    if (!same && recorded.results->contains("randomised")) {
      result["note"] = "columns of this release were randomised, and the noise was not recorded";
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
  auto release = std::make_shared<std::string>();
  Verb& verb = program.add(
      "", "repeat", "Run again what a manifest says, and report whether the bytes are the same",
      [release, &session] { return repeat(*release, session); });
  verb.file_read("RELEASE", release.get(), "the released file, with its manifest beside it")
      .require();
}

}  // namespace pratique::app
