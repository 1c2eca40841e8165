#include "pratique/genomes/release/words.h"

#include <array>

namespace pratique::genomes {
namespace {

constexpr std::array<release::ModelWords, 1> kGenomeModels = {{
    {"sequence-anonymity", "k-anonymity of sequences",
     "Every released sequence stands there at least k times, letter by letter.",
     "Whoever knows a person's whole sequence finds k entries. What all of these have in common, "
     "such as a disease variant that the group shares, is told of each; and relatives in one group "
     "hide nobody from their family."},
}};

constexpr auto kGenomeFigures = std::to_array<Figure>({
    {"sequences", "sequences released"},
    {"length", "columns of the alignment"},
    {"variable_regions", "variable regions"},
    {"groups", "groups of equal sequences"},
    {"unique", "people whose sequence fits one entry alone", Unit::people},
    {"unique_share", "share of people whose sequence fits one entry alone", Unit::share},
    {"fewest_candidates", "entries that fit a person, at least"},
    {"mean_candidates", "entries that fit a person, on average"},
    {"distance", "lattice distance lost"},
    {"greedy_distance", "the same, paired greedily"},
    {"bits", "bits lost"},
    {"per_sequence", "lattice distance lost per sequence"},
    {"frequency_error", "error of base frequencies, on average"},
    {"association_correlation", "correlation of association tests, before and after"},
    {"distance_correlation", "correlation of distances, before and after"},
});

constexpr std::array<std::string_view, 5> kGenomeTold = {"method", "k", "pairing", "sequences",
                                                         "groups"};

}  // namespace

std::span<const release::ModelWords> model_words() { return kGenomeModels; }
std::span<const Figure> figures() { return kGenomeFigures; }
std::span<const std::string_view> told_results() { return kGenomeTold; }

}  // namespace pratique::genomes
