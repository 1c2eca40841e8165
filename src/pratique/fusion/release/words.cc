// What models and figures of fusion are called, and what they mean, in plain words.
#include "pratique/fusion/release/words.h"

#include <array>

namespace pratique::fusion {
namespace {

constexpr std::array<pratique::Figure, 3> kFigures = {{
    {"people", "people in the identified lists"},
    {"k_opt", "level chosen (k)"},
    {"classes", "classes"},
}};

}  // namespace

std::span<const pratique::Figure> figures() { return kFigures; }

}  // namespace pratique::fusion
