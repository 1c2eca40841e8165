#include "recorded_run.h"

#include <nlohmann/json.hpp>

#include "pratique/core/error.h"

namespace pratique::app {
namespace {

// Recorded beside the verb's own options.
constexpr const char* kReading[] = {"delimiter", "encoding"};

}  // namespace

void restore_recorded(const Verb& verb, const Manifest& manifest) {
  if (manifest.format < 2) {
    throw Error::input("this manifest does not record the options of its run")
        .hint("It comes from a version before 0.2. Make the release again.");
  }
  Json recorded = *manifest.options;
  for (const char* name : kReading) recorded.erase(name);
  verb.restore(recorded);
}

void restore_reading(const Verb& common, const Manifest& manifest) {
  for (const char* name : kReading) {
    const auto value = manifest.options->find(name);
    if (value != manifest.options->end()) common.find(name)->restore(*value);
  }
}

}  // namespace pratique::app
