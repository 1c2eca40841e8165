#include "pratique/genomes/release/words.h"

#include <array>

namespace pratique::genomes {
namespace {

constexpr std::array<release::ModelWords, 7> kGenomeModels = {{
    {"sequence-anonymity", "k-anonymity of sequences",
     "Every released sequence stands there at least k times, letter by letter.",
     "Whoever knows a person's whole sequence finds k entries. What all of these have in common, "
     "such as a disease variant that the group shares, is revealed for each; relatives in one "
     "group "
     "hide nobody from their family; and whoever knows the others of a group, of two the one, "
     "takes theirs off and has the rest."},
    {"snp-bins", "binned SNPs",
     "Every sequence of SNPs stands there often enough, and every value in it often enough.",
     "Whoever knows a person's SNPs finds several entries. What all of these have in common is "
     "told "
     "of each."},
    {"masked-loci", "masked loci", "The named columns are hidden in every sequence.",
     "What other columns tell about them was measured, not proved; and the sequences themselves "
     "single people out."},
    {"rounded-frequencies", "rounded frequencies",
     "The table has allele frequencies alone, rounded to a step.",
     "With enough SNPs, whoever has a person's genotypes still finds out whether the person was "
     "counted; and that a rare variant is listed tells of its carriers."},
    {"association-statistics", "statistics of an association",
     "Frequencies of cases and controls are rounded, and every test follows from them.",
     "With enough SNPs, whoever has a person's genotypes still finds out whether the person was a "
     "case."},
    {"noisy-frequencies", "frequencies with noise",
     "Whatever anybody knows, the table is at most e^epsilon times as likely with a person counted "
     "as without.",
     "It is attested by the program that added the noise: no file can show it. Budgets of the same "
     "people add up."},
    {"masked-genotypes", "masked genotypes", "Nobody has a call at the named places.",
     "What other places tell about them was measured, not proved; and the genotypes themselves "
     "single people out."},
}};

constexpr auto kGenomeFigures = std::to_array<Figure>({
    {"sequences", "sequences released"},
    {"length", "columns of the alignment"},
    {"variable_regions", "variable regions"},
    {"groups", "groups of equal sequences"},
    // Of sequences: people whom one entry alone fits; of pedigrees: shapes that no other has.
    {"unique", "unique"},
    {"unique_share", "share that is unique", Unit::share},
    {"fewest_candidates", "candidates, at least"},
    {"mean_candidates", "candidates, on average"},
    {"distance", "lattice distance lost"},
    {"greedy_distance", "the same, paired greedily"},
    {"bits", "bits lost"},
    {"per_sequence", "lattice distance lost per sequence"},
    {"unchanged", "sequences that leave as they came, equal before"},
    {"recovered_by_rest",
     "what whoever knows the rest gets back: hidden letters of a group, genotypes of frequencies",
     Unit::share},
    {"people", "people counted"},
    {"variants_in", "variants read"},
    {"variants_out", "variants released"},
    {"rare_variants", "variants that fewer than five people carry"},
    {"few_calls", "variants left out, of which too few people have a call"},
    {"hidden", "columns hidden"},
    {"accuracy", "letters guessed right by neighbours", Unit::share},
    {"baseline", "letters guessed right without them", Unit::share},
    {"gain", "what neighbours add"},
    {"power_at_5", "members found, at 5 % false positives, expected", Unit::share},
    {"frequency_error", "error of base frequencies, on average"},
    {"association_correlation", "correlation of association tests, before and after"},
    {"distance_correlation", "correlation of distances, before and after"},
});

constexpr std::array<std::string_view, 10> kGenomeTold = {
    "method", "k",      "pairing", "sequences",    "groups",
    "within", "across", "hidden",  "variants_out", "step"};

}  // namespace

std::span<const release::ModelWords> model_words() { return kGenomeModels; }
std::span<const Figure> figures() { return kGenomeFigures; }
std::span<const std::string_view> told_results() { return kGenomeTold; }

}  // namespace pratique::genomes
