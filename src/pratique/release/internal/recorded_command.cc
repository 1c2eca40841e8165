#include "pratique/release/internal/recorded_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "pratique/data/schema.h"
#include "pratique/release/internal/recorded_figures.h"

namespace pratique::release {
namespace {

using Words = std::vector<std::string>;

// What follows each flag, up to the next one: --k 5, --k=5, --qi age,zip and --qi age zip. The file
// to protect may stand anywhere.
class Flags {
 public:
  explicit Flags(const Manifest& manifest) {
    const auto file = manifest.inputs.empty() ? std::string() : manifest.inputs[0].path;
    Words* values = nullptr;
    for (const auto& word : manifest.command) {
      if (!word.starts_with("--")) {
        if (values != nullptr && word != file) values->push_back(word);
        continue;
      }
      const auto equals = word.find('=');
      values = &of_[word.substr(2, equals == std::string::npos ? equals : equals - 2)];
      if (equals != std::string::npos) values->push_back(word.substr(equals + 1));
    }
  }

  [[nodiscard]] bool has(const std::string& flag) const { return of_.count(flag) > 0; }
  [[nodiscard]] Words all(const std::string& flag) const {
    return has(flag) ? of_.at(flag) : Words();
  }
  // The parts of comma lists.
  [[nodiscard]] Words parts(const std::string& flag) const {
    Words found;
    for (const auto& word : all(flag)) {
      for (std::size_t from = 0; from <= word.size();) {
        const auto comma = std::min(word.find(',', from), word.size());
        found.push_back(word.substr(from, comma - from));
        from = comma + 1;
      }
    }
    return found;
  }
  // Of a flag that takes one value: a file's name may follow it.
  [[nodiscard]] std::optional<std::string> one(const std::string& flag) const {
    return has(flag) && !of_.at(flag).empty() ? std::optional(of_.at(flag).front()) : std::nullopt;
  }
  [[nodiscard]] std::optional<double> number(const std::string& flag) const {
    const auto text = one(flag);
    double value = 0;
    if (!text) return std::nullopt;
    const char* end = text->data() + text->size();
    const auto read = std::from_chars(text->data(), end, value);
    return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
  }

 private:
  std::map<std::string, Words> of_;
};

bool same(const Words& a, const Words& b) {
  return std::multiset<std::string>(a.begin(), a.end()) ==
         std::multiset<std::string>(b.begin(), b.end());
}

bool differs(const std::optional<double>& asked, const Json& object, const char* key) {
  return asked && object.contains(key) && object[key].is_number() &&
         object[key].get<double>() != *asked;
}

class TableCommand {
 public:
  TableCommand(const Flags& flags, const Manifest& manifest, Words& found)
      : flags_(flags),
        parameters_(*manifest.parameters),
        results_(*manifest.results),
        found_(found) {}

  void check() {
    lists();
    models();
    hierarchies();
    words();
    if (results_.contains("randomised") && !flags_.has("config") && !flags_.has("perturb") &&
        !flags_.has("rho") && !flags_.has("growth"))
      differ("columns changed by chance");
  }

 private:
  void differ(std::string_view what) {
    found_.push_back(fmt::format("the recorded command asks for other {}", what));
  }

  // Flags take the place of what a file says; without a file, they are all there is.
  [[nodiscard]] bool agree(const Words& asked, const Words& recorded) const {
    return (asked.empty() && flags_.has("config")) || same(asked, recorded);
  }

  void lists() {
    const std::pair<const char*, const char*> kLists[] = {
        {"qi", "quasi_identifiers"}, {"sensitive", "sensitive"}, {"id", "identifiers"}};
    for (const auto& [flag, key] : kLists) {
      if (!parameters_.contains(key) || agree(flags_.parts(flag), names_in(parameters_, key)))
        continue;
      std::string what = key;
      std::replace(what.begin(), what.end(), '_', '-');
      differ(what == "sensitive" ? "sensitive columns" : what);
    }
  }

  void models() {
    if (!parameters_.contains("models")) return;
    for (const auto key : Schema::kModelKeys) {
      const std::string name(key);
      if (!agree(flags_.all(name), names_in(parameters_["models"], name.c_str())))
        differ(fmt::format("settings of {}", name));
    }
  }

  void hierarchies() {
    const Json recorded = parameters_.value("hierarchies", Json::object());
    std::map<std::string, std::string> asked;
    for (const auto& word : flags_.all("hierarchy")) {
      if (const auto equals = word.find('='); equals != std::string::npos)
        asked[word.substr(0, equals)] = word.substr(equals + 1);
    }
    bool all = true;
    for (const auto& [column, spec] : asked) {
      all = all && recorded.contains(column) && recorded[column] == spec;
    }
    for (const auto& [column, spec] : recorded.items()) {
      all = all && (asked.count(column) > 0 || flags_.has("config") || spec == "flat");
    }
    if (!all) differ("hierarchies");
  }

  void words() {
    struct Setting {
      const char* flag;
      const char* key;
      const char* usual;
      const char* what;
    };
    const Setting kSettings[] = {
        {"method", "method", "optimal", "methods"},
        {"metric", "metric", "lm", "metrics"},
        {"identifiers", "identifier_treatment", "drop", "treatment of identifiers"}};
    for (const auto& one : kSettings) {
      if (flags_.has("config") && !flags_.has(one.flag)) continue;
      if (parameters_.contains(one.key) &&
          parameters_[one.key] != flags_.one(one.flag).value_or(one.usual))
        differ(one.what);
    }
    const bool elsewhere = flags_.has("config") && !flags_.has("suppression");
    if (!elsewhere && differs(flags_.number("suppression").value_or(0), parameters_, "suppression"))
      differ("suppression");
    for (const auto& word : flags_.parts("levels")) {
      const auto equals = word.find('=');
      const Json levels = results_.value("levels", Json::object());
      if (equals == std::string::npos || !levels.contains(word.substr(0, equals))) continue;
      if (levels[word.substr(0, equals)].dump() != word.substr(equals + 1)) {
        differ("levels");
        break;
      }
    }
  }

  const Flags& flags_;
  const Json& parameters_;
  const Json& results_;
  Words& found_;
};

}  // namespace

std::vector<std::string> command_contradictions(const Manifest& manifest) {
  Words found;
  const Flags flags(manifest);
  for (const char* key : {"k", "m"}) {
    if (differs(flags.number(key), *manifest.parameters, key))
      found.push_back(fmt::format("the recorded command asks for another {}", key));
  }
  if (flags.number("seed").value_or(static_cast<double>(manifest.seed)) !=
      static_cast<double>(manifest.seed))
    found.emplace_back("the recorded command has another seed");
  if (manifest.kind == "tables" && manifest.verb == "protect")
    TableCommand(flags, manifest, found).check();
  return found;
}

CsvOptions recorded_csv_options(const Manifest& manifest) {
  const Flags flags(manifest);
  CsvOptions options;
  const std::string delimiter = flags.one("delimiter").value_or("");
  if (delimiter == "tab") options.delimiter = '\t';
  if (delimiter.size() == 1) options.delimiter = delimiter.front();
  options.encoding = flags.one("encoding");
  return options;
}

}  // namespace pratique::release
