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

constexpr std::array<release::ModelWords, 1> kModels = {{
    {"k-anonymity", "k-anonymity",
     "At least k people show the same cells in the columns named as quasi-identifiers.",
     "The list keeps names, so which record is whose is known. Nothing is said about columns that "
     "were not named."},
}};

}  // namespace

std::span<const pratique::Figure> figures() { return kFigures; }
std::span<const release::ModelWords> model_words() { return kModels; }

}  // namespace pratique::fusion
