// What a flow is given beside its request: the engine, how files are read, where progress goes, and
// what the manifest records of the command that asked. Flows print nothing and parse nothing: they
// return what came of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"
#include "pratique/manifest/json_value.h"

namespace pratique {

struct Run {
  Engine& engine;
  Progress& progress;
  CsvOptions csv = {};
  std::vector<std::string> command = {};  // as typed, for people who read the manifest
  JsonValue options = {};                 // every option of the command by name, as resolved
  std::string config = {};                // the settings file among the inputs; empty: none
  std::string private_folder = {};  // for what a release's manifest does not tell; see publish.h
  // A part of the result that is known already, for whoever watches.
  std::function<void(const Json&)> part = {};

  [[nodiscard]] Source open(const std::string& path) const {
    return engine.open(path, csv, progress);
  }
  // The settings that were read: these files, and the settings file where there is one.
  [[nodiscard]] std::vector<std::string> settings(std::vector<std::string> files = {}) const {
    if (!config.empty()) files.push_back(config);
    return files;
  }
};

struct Outcome {
  JsonValue result;
  bool passed = true;               // false: a check did not hold, or a threshold was crossed
  JsonValue for_a_person = result;  // where a person is shown less than a script
};

// The command and options with the seed that was drawn where none was given, so that the run can be
// repeated.
struct Seeded {
  std::uint64_t seed = 0;
  std::vector<std::string> command;
  JsonValue options;

  // The same for another option that was not given.
  void record(const std::string& option, std::uint64_t value);
};
[[nodiscard]] Seeded with_seed(const Run& run, const std::optional<std::uint64_t>& given);

}  // namespace pratique
