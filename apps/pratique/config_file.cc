#include "config_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/data/schema.h"
#include "pratique/data/settings.h"
#include "pratique/server/child_process.h"

namespace pratique::app {
namespace {

// The workbench checks the paths of a request; it does not look into the files that one names.
void refuse_path_in_job(const Option& option, const Setting& setting) {
  if (!is_path(option.type) || !server::in_job()) return;
  throw Error::input(
      fmt::format("the workbench takes no path from a --config file: '{}'", setting.key))
      .at(setting.place)
      .hint(fmt::format("Give --{} as an option.", setting.key));
}

}  // namespace

std::vector<std::string> in_parts(const Option& option, const std::vector<std::string>& values) {
  if (!option.commas) return values;
  std::vector<std::string> parts;
  for (const auto& value : values) {
    for (std::size_t from = 0; from <= value.size();) {
      const auto comma = std::min(value.find(',', from), value.size());
      parts.push_back(value.substr(from, comma - from));
      from = comma + 1;
    }
  }
  return parts;
}

std::set<std::string> apply_config(const Verb& verb, const std::string& path,
                                   const std::set<std::string>& given) {
  std::vector<std::string> others;
  if (verb.reads_schema) others.assign(Schema::kKeys.begin(), Schema::kKeys.end());
  std::vector<std::string> names;
  for (const auto& option : verb.options) {
    const bool taken = std::find(others.begin(), others.end(), option.name) != others.end();
    if (!option.is_input() && option.name != "config" && !taken) names.push_back(option.name);
  }
  std::set<std::string> named;
  for (const auto& setting : parse_settings(read_file(path), path, names, others)) {
    const Option& option = *verb.find(setting.key);
    named.insert(setting.key);
    if (given.contains(setting.key)) continue;
    refuse_path_in_job(option, setting);
    try {
      if (setting.values.size() > 1 && !option.takes_several()) {
        throw Error::input(option.shown() + " takes one value, not a list");
      }
      option.set(in_parts(option, setting.values));
    } catch (const Error& error) {
      throw Error(error).at(setting.place);
    }
  }
  return named;
}

}  // namespace pratique::app
