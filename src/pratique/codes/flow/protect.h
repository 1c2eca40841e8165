// Sets of codes from the file to the release: protected by the model asked for, attacked before and
// after, verified, written with the manifest.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pratique/codes/flow/code_input.h"
#include "pratique/codes/method/protection.h"
#include "pratique/kind/run.h"

namespace pratique::codes::flow {

struct ProtectRequest {
  std::string file = {};
  std::string model = "km";
  std::string method = {};
  std::string weights = {};
  std::string queries = {};  // the workload of are
  std::string out = {};
  std::optional<std::uint64_t> seed = {};
  codes::Parameters parameters = {};
  CodeInput codes = {};
  std::vector<std::string> insensitive = {};  // columns beside the codes that leave as they are
  std::string roles = "given";  // suggested: a column without a role takes the profile's advice
  bool keeps_nothing = false;   // a release in which every code became the root is wanted
  std::vector<std::string> allowed = {};  // may leave as they are, whatever they look like
  bool rows_are_people = false;  // each value of --patient is somebody else, whatever repeats
  std::map<std::string, std::string, std::less<>> model_files = {};  // by key of model_settings()
};

// Throws Error::check, and writes nothing, where no release satisfies the model; Error::input for a
// setting that the model or the method does not listen to.
[[nodiscard]] Outcome protect(const ProtectRequest& request, const Run& run);

}  // namespace pratique::codes::flow
