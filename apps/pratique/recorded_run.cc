#include "recorded_run.h"

#include <glob.h>

#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/guarded_file.h"

namespace pratique::app {
namespace {

// Recorded beside the verb's own options.
constexpr const char* kReading[] = {"delimiter", "encoding"};

// Of what an option may name, as itself, behind COLUMN= or by a pattern.
void refuse_recorded_devices(const Option& option) {
  if (!holds_path(option.type)) return;
  const Json value = option.value();
  for (const auto& item : value.is_array() ? value : Json::array({value})) {
    if (!item.is_string()) continue;
    const auto text = item.get<std::string>();
    for (const auto& path : {text, text.substr(text.find('=') + 1)}) {
      glob_t matches{};
      if (glob(path.c_str(), GLOB_NOCHECK, nullptr, &matches) == 0) {
        const std::vector<std::string> paths(matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
        globfree(&matches);
        for (const auto& match : paths) refuse_recorded_device(match);
      }
    }
  }
}

}  // namespace

void restore_recorded(const Verb& verb, const Manifest& manifest) {
  if (manifest.format < 2) {
    throw Error::input("this manifest does not record the options of its run")
        .hint("It comes from a version before 0.2. Make the release again.");
  }
  Json recorded = *manifest.options;
  for (const char* name : kReading) recorded.erase(name);
  verb.restore(recorded);
  for (const auto& option : verb.options) refuse_recorded_devices(option);
}

void restore_reading(const Verb& common, const Manifest& manifest) {
  for (const char* name : kReading) {
    const auto value = manifest.options->find(name);
    if (value != manifest.options->end()) common.find(name)->restore(*value);
  }
}

}  // namespace pratique::app
