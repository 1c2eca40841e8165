// What "safe" means for sets of codes: the models, in one table. A model is its own files (key,
// words, settings, what it cannot do without, what it claims) and one line in models(); its
// verifier (verify/) shares no code with it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pratique/codes/spelling.h"
#include "pratique/core/json.h"
#include "pratique/data/code_rules.h"
#include "pratique/data/code_sets.h"

namespace pratique::codes {

struct Policy;

struct Parameters {
  std::uint64_t k = 5;
  int m = 2;
  double suppression = 0;  // share of all codes in records that may be removed from them
  std::shared_ptr<Policy> policy = {};  // of the model policy
  // Models with sensitive codes.
  double h = 2;
  int p = 2;
  double rho = 0.5;
  std::vector<std::string> sensitive = {};          // codes, whether in the data or not
  std::vector<std::string> sensitive_entries = {};  // as they were listed: codes, or 250*
  std::optional<Spelling> spelling = {};            // of the data, for lists of codes
  // Models with rules.
  double c = 0.5;
  std::vector<CodeRule> rules = {};
  // Models that change other columns, too.
  std::vector<std::string> quasi_identifiers = {};
  std::vector<std::string> value_hierarchies = {};  // COLUMN=SPEC
};

// One flag.
struct Setting {
  // Reads a file into the parameters.
  using FromFile = void (*)(const std::string& path, const CodeSets& sets, Parameters& parameters);
  struct Columns {
    std::vector<std::string> Parameters::*names;
    bool operator==(const Columns&) const = default;
  };
  struct Hierarchies {
    std::vector<std::string> Parameters::*specs;
    bool operator==(const Hierarchies&) const = default;
  };

  std::string_view key;
  std::string_view words;
  std::variant<std::uint64_t Parameters::*, int Parameters::*, double Parameters::*, FromFile,
               Columns, Hierarchies>
      value;
  double low = 0;  // of numbers
  double high = 0;
  std::string_view instead = {};  // a word that may stand for a file
};

struct Model {
  std::string_view key;
  std::string_view words;
  std::span<const Setting> settings;
  // Throws an Error where the settings make no sense for these sets; null: they always do.
  void (*check)(const Parameters& parameters, const CodeSets& sets);
  // What the manifest promises (verify/claims.h), but for labels and the names of columns.
  void (*claim)(const Parameters& parameters, Json& claim);
};

[[nodiscard]] std::span<const Model* const> models();
// Throws an Error that names what there is.
[[nodiscard]] const Model& find_model(std::string_view key);
// The settings of all models, each once.
[[nodiscard]] std::vector<Setting> model_settings();

}  // namespace pratique::codes
