// What models and figures of trails are called, and what they mean, in plain words.
#include "pratique/trails/release/words.h"

#include <array>

namespace pratique::trails {
namespace {

using release::ModelWords;

constexpr std::array<ModelWords, 1> kModels = {{
    {"k-unlinkability", "k-unlinkability",
     "Every released sample could belong to at least k people of the named lists.",
     "The adversary knows the lists that the claim names and where samples were seen. One who "
     "knows dates, sexes or how often places are visited together, or who guesses, links "
     "more."},
}};

constexpr auto kFigures = std::to_array<Figure>({
    {"people", "people in the identified lists"},
    {"samples_in", "samples read"},
    {"samples_out", "samples released"},
    {"locations_in", "locations with samples"},
    {"locations_out", "locations that disclose"},
    {"records_in", "copies of samples read"},
    {"records_out", "copies of samples released"},
    {"secure", "also against places and the third party"},
    {"coalition", "locations that may pool what they know"},
    {"reidentified", "of these, one record fits", Unit::people},
    {"k_reidentified", "of these, fewer than k people fit", Unit::people},
    {"k_reidentified_share", "share of these that fewer than k people fit", Unit::share},
    {"share", "share reidentified", Unit::share},
    {"reidentified_share", "share of these that one record fits", Unit::share},
    {"recall", "share of the true pairs that were linked", Unit::share},
    {"mean_share", "mean share reidentified", Unit::share},
    {"sd_share", "deviation of that share", Unit::share},
    {"entropy_bits", "entropy of the trails", Unit::number, "bits; more tell more people apart"},
});

constexpr std::array<std::string_view, 7> kTold = {
    "method", "k", "secure", "maximise", "samples_out", "locations_out", "records_out"};

}  // namespace

std::span<const ModelWords> model_words() { return kModels; }
std::span<const Figure> figures() { return kFigures; }
std::span<const std::string_view> told_results() { return kTold; }

}  // namespace pratique::trails
