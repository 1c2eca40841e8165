// What models and figures of codes are called, and what they mean, in plain words.
#include "pratique/codes/release/words.h"

#include <array>

namespace pratique::codes {
namespace {

using release::ModelWords;

// No model but complete-anonymity holds codes as a whole.
constexpr std::string_view kInsider = "an insider who knows all codes of a patient";
constexpr std::string_view kInsiderAttack = "whole_set_known";

constexpr std::array<ModelWords, 8> kModels = {{
    {"km-anonymity", "k^m-anonymity",
     "Anyone who knows up to m codes of a patient, and finds a record that shows them, finds at "
     "least k "
     "that show them in the same words.",
     "Nothing is guaranteed against more than m known codes, against codes known to be absent (the "
     "model complete stops both), or against anyone who knows other columns released with the "
     "codes "
     "(the model table+codes holds these).",
     kInsider, kInsiderAttack},
    {"km-disassociation", "k^m-anonymity by disassociation",
     "Anyone who knows up to m codes of a patient finds at least k records that may be theirs, "
     "however the parts are put together.",
     "Nothing is guaranteed against more than m known codes. The release does not say which parts "
     "belong to one record, so associations between parts are lost.",
     kInsider, kInsiderAttack},
    {"complete-anonymity",
     "complete k-anonymity",
     "Anyone who knows all codes of a patient finds at least k records with the same codes.",
     "Other columns are not protected, and the k records may share a code that was not known.",
     {},
     {},
     "m"},
    {"policy-anonymity", "policy-constrained anonymity",
     "Anyone who knows all codes of one privacy constraint finds at least k records, or none.",
     "Codes that no constraint names together are not protected.", kInsider, kInsiderAttack, "m"},
    {"hkp-coherence", "(h,k,p)-coherence",
     "Anyone who knows up to p public codes finds at least k records, of which at most one in h "
     "has any one sensitive code.",
     "Nothing is guaranteed against more than p known codes, or for codes that were not named as "
     "sensitive.",
     kInsider, kInsiderAttack},
    {"ps-rules", "PS-rules",
     "For every rule, known codes fit at least k records, of which at most the share c has what "
     "the rule infers.",
     "Rules that were not written down are not protected.", kInsider, kInsiderAttack},
    {"rho-uncertainty", "rho-uncertainty",
     "No set of known codes makes a sensitive code certain to rho or more.",
     "It holds for the codes named as sensitive.", kInsider, kInsiderAttack},
    {"k-km-anonymity", "(k,k^m)-anonymity",
     "Anyone who knows the demographics and up to m codes of a patient finds at least k records.",
     "Nothing is guaranteed against more than m known codes, or for columns not named as "
     "quasi-identifiers.",
     kInsider, kInsiderAttack},
}};

constexpr auto kFigures = std::to_array<Figure>({
    {"patients_in", "patients read"},
    {"patients_out", "patients released"},
    {"classes", "classes"},
    {"qi_hierarchies", "hierarchies of the quasi-identifiers"},
    {"summaries", "summaries of visits"},
    {"summaries_named", "of these, the list names the patient"},
    {"code_columns", "columns of codes"},
    {"separator", "between the codes of a cell"},
    {"patients_without_codes", "patients without a code, left out"},
    {"code_system", "system of codes"},
    {"respelled", "codes that were written in another way"},
    {"spellings", "other ways of writing a code"},
    {"occurrences", "codes of patients that were written so"},
    {"points", "of these, by the point"},
    {"letters", "of these, by capital letters"},
    {"blanks", "of these, by blanks"},
    {"m_codes_known", "who knows their m rarest codes"},
    {"all_codes_known", "who knows all their codes"},
    {"whole_set_known", "who knows all their codes, and that there are no others"},
    {"constraints_known", "who knows the codes of a privacy constraint"},
    {"rules_known", "who knows the left of a rule"},
    {"demographics_and_m_codes_known", "who knows demographics and m codes"},
    {"demographics_and_all_codes_known", "who knows demographics and all codes"},
    {"sensitive_inferred", "who infers sensitive codes from public ones"},
    {"targets", "looked for"},
    {"matched_under_k", "of these, fewer than k records fit", Unit::people},
    {"reidentified", "of these, one record fits", Unit::people},
    {"named", "of these, a record is believed theirs by 90 %", Unit::people},
    {"named_rightly", "of these, rightly", Unit::people},
    {"inferred", "of these, inferred", Unit::people},
    {"columns_and_codes_known", "who knows columns held to no model, and some codes"},
    {"left_out", "columns left out by their advice"},
    {"singled_out", "patients alone by columns held to no model", Unit::people},
    {"ncp", "normalised certainty penalty (NCP)", Unit::number,
     "mean width of codes as a share of all: 0 nothing, 1 all"},
    {"demographics_ncp", "NCP of the demographics"},
    {"ul", "utility loss (UL)", Unit::number,
     "utility loss of generalised sets, weighted: 0 is none"},
    {"are", "average relative error (ARE)", Unit::number,
     "mean relative error of COUNT queries over one or two codes"},
    {"are_one_code", "average relative error, single codes", Unit::number,
     "the same over one code"},
    {"suppressed_items", "codes removed everywhere", Unit::number, "no longer in any record"},
    {"suppressed_occurrences", "codes removed from records", Unit::number,
     "counted once for every record that had them"},
    {"suppressed_patients", "patients left out", Unit::number, "none of their codes were left"},
    {"groups", "generalised codes", Unit::number, "wider items that stand in place of codes"},
    {"gwas_supported", "diseases that remain usable (of 18)", Unit::number,
     "every case still there and distinguishable"},
    {"utility_constraints", "utility constraints"},
    {"utility_kept", "utility constraints kept intact", Unit::number,
     "none of their codes removed or merged with others"},
    {"joint_clusters", "joint clusters", Unit::number, "clusters that share chunks count as one"},
    {"clusters", "clusters", Unit::number, "groups of similar records, each taken apart by itself"},
    {"chunks", "chunks", Unit::number, "lists of parts of a cluster's records"},
    {"shared_chunks", "shared chunks", Unit::number, "the same, over several clusters"},
    {"pairs_kept", "pairs of codes kept", Unit::number,
     "share of pairs of codes in a record that a part still shows"},
    {"occurrences_counted", "codes that can be counted", Unit::number,
     "share of codes in records that are in chunks"},
    {"mean_codes", "codes of a patient, on average"},
    {"unique_all", "singled out by all their codes", Unit::share,
     "no other patient has all of these codes"},
    {"unique_set", "singled out by their whole set", Unit::share,
     "no other patient has exactly these codes"},
    {"unique_m", "singled out by some m of their codes", Unit::share},
    {"unique_m_error", "error of that, for what was sampled", Unit::share},
    {"sampled", "patients sampled for that"},
    {"violations_m", "sets of m codes that fewer than k patients have"},
    {"share_up_to", "share up to", Unit::share, "patients whose codes fit at most so many"},
    {"share", "share", Unit::share},
});

constexpr std::array<std::string_view, 9> kTold = {"model",
                                                   "method",
                                                   "patients_out",
                                                   "classes",
                                                   "unchanged",
                                                   "dropped",
                                                   "allowed",
                                                   "after.singled_out",
                                                   "after.columns_and_codes_known"};

}  // namespace

std::span<const ModelWords> model_words() { return kModels; }
std::span<const Figure> figures() { return kFigures; }
std::span<const std::string_view> told_results() { return kTold; }

}  // namespace pratique::codes
