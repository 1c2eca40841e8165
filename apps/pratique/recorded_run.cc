#include "recorded_run.h"

#include <nlohmann/json.hpp>

#include "pratique/core/error.h"

namespace pratique::app {

void restore_recorded(const Verb& verb, const Manifest& manifest) {
  if (manifest.format < 2) {
    throw Error::input("this manifest does not record the options of its run")
        .hint("It comes from a version before 0.2. Make the release again.");
  }
  Json recorded = *manifest.options;
  // How its input was read is for whoever opens it.
  for (const char* reading : {"delimiter", "encoding"}) recorded.erase(reading);
  verb.restore(recorded);
}

}  // namespace pratique::app
