#include "pratique/release/internal/kind_agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/kind/document.h"

namespace pratique::release {
namespace {

std::string normal(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().string();
}

// A file, a folder of files, a pattern of them, a database that has one table, standard input.
bool names(const std::string& name, const std::string& input) {
  if (name == "-") return input == "standard input";
  if (const std::size_t star = name.find('*'); star != std::string::npos) {
    const std::string before = normal(name.substr(0, star));
    return name == input ||
           (normal(input).starts_with(before) && input.ends_with(name.substr(star + 1)));
  }
  const std::string given = normal(name);
  const std::string read = normal(input);
  if (given == ".") return !read.starts_with('/');
  if (!read.starts_with(given)) return false;
  const std::string rest = read.substr(given.size());
  return rest.empty() || given.ends_with('/') || rest.front() == '/' || rest.front() == ':';
}

bool is_input(const Manifest& manifest, const std::string& name) {
  return std::any_of(manifest.inputs.begin(), manifest.inputs.end(),
                     [&](const ManifestInput& input) { return names(name, input.path); });
}

bool names_inputs(const Manifest& manifest, const FileOption& option, const Json& value) {
  if (value.is_array()) {
    return std::all_of(value.begin(), value.end(), [&](const Json& element) {
      return names_inputs(manifest, option, element);
    });
  }
  if (!value.is_string() || value == "") return true;
  const auto is_known = [&](const std::string& text) {
    return is_input(manifest, text) || (option.is_built_in != nullptr && option.is_built_in(text));
  };
  const auto text = value.get<std::string>();
  // COLUMN=FILE, or a file with such a name.
  const std::size_t column_end = text.find('=');
  return is_known(text) ||
         (column_end != std::string::npos && is_known(text.substr(column_end + 1)));
}

FileOption file_option(const Kind& kind, std::string_view name) {
  const auto declared = std::find_if(kind.file_options.begin(), kind.file_options.end(),
                                     [&](const FileOption& option) { return option.name == name; });
  return declared == kind.file_options.end() ? FileOption{name} : *declared;
}

bool is_file_option(const Kind& kind, std::string_view name) {
  const bool capital = !name.empty() && name.front() >= 'A' && name.front() <= 'Z';
  return capital || name == "config" ||
         std::any_of(kind.file_options.begin(), kind.file_options.end(),
                     [&](const FileOption& option) { return option.name == name; });
}

}  // namespace

std::vector<std::string> kind_misfits(const Kind& kind, const Manifest& manifest) {
  std::vector<std::string> disagreements;
  const bool by_other = !kind.other_verb.empty() && manifest.verb == kind.other_verb;
  if (manifest.verb != kind.verb && !by_other) {
    disagreements.push_back(
        fmt::format("releases of {} are made by the verb {}{}{}, and by no other", kind.noun,
                    kind.verb, kind.other_verb.empty() ? "" : " or ", kind.other_verb));
  }
  std::set<std::string> foreign;
  for (const auto& claim : *manifest.claims) {
    const auto model = claim.at("model").get<std::string>();
    if (std::none_of(kind.models.begin(), kind.models.end(),
                     [&](const ModelWords& words) { return words.model == model; }))
      foreign.insert(cleaned(model));
  }
  for (const auto& model : foreign)
    disagreements.push_back(fmt::format("releases of {} do not claim {}", kind.noun, model));
  return disagreements;
}

std::vector<std::string> unrecorded_files(const Kind& kind, const Manifest& manifest) {
  std::vector<std::string> disagreements;
  for (const auto& [name, value] : manifest.options->items()) {
    if (is_file_option(kind, name) && !names_inputs(manifest, file_option(kind, name), value))
      disagreements.push_back(
          fmt::format("the option {} names a file that is not among the inputs", cleaned(name)));
  }
  return disagreements;
}

}  // namespace pratique::release
