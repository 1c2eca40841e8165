// Any bytes are a rule base or are refused with an Error that says where; what was read prints as
// text that reads the same, and estimates a number.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "pratique/core/error.h"
#include "pratique/fusion/fcl.h"
#include "pratique/fusion/inference.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pratique;
  using namespace pratique::fusion;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  FuzzySystem system;
  try {
    system = parse_fcl(text, "input");
  } catch (const Error& error) {
    require(error.code() == ErrorCode::bad_input && error.place().starts_with("input:"));
    return 0;
  }
  require(parse_fcl(print_fcl(system), "printed") == system);
  std::vector<std::vector<Truth>> truths;
  std::vector<const Truth*> pointers;
  for (const auto& input : system.inputs) truths.push_back(fuzzify(input, {}, Reading::possible));
  for (const auto& of_input : truths) {
    for (const auto& truth : of_input) {
      require(0 <= truth.least && truth.least <= truth.most && truth.most <= 1);
    }
    pointers.push_back(of_input.data());
  }
  for (std::size_t output = 0; output < system.outputs.size(); ++output) {
    const double value = Inference(system, output).estimate(pointers).value;
    const auto [low, high] = system.outputs[output].domain();
    // Sums of numbers near the end of what a double holds may overflow.
    if (std::abs(low) < 1e100 && std::abs(high) < 1e100) require(std::isfinite(value));
  }
  return 0;
}
