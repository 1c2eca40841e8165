#include "pratique/release/internal/report_words.h"

#include <algorithm>
#include <map>
#include <utility>

namespace pratique::release {

const ModelWords& words_of_model(std::string_view model) {
  static const std::map<std::string_view, ModelWords> kWords = {
      {"k-anonymity",
       {"k-anonymity",
        "Whoever knows the quasi-identifiers of a person finds at least k records that may be "
        "theirs.",
        "It holds for the columns named as quasi-identifiers. A column that an adversary can learn "
        "elsewhere and that was not named is not protected. It says nothing about what the k "
        "records have in common."}},
      {"k-map",
       {"k-map", "Every released record fits at least k people of the population.",
        "It holds for an adversary who does not know whether a person is in the release, and for "
        "the population file that was used. Somebody known to be in it may stand alone."}},
      {"distinct-l-diversity",
       {"distinct l-diversity", "Every class holds at least l different sensitive values.",
        "One value may still be far more frequent than the others, and different values may mean "
        "much the same."}},
      {"entropy-l-diversity",
       {"entropy l-diversity",
        "The sensitive values of every class are as uncertain as l equally frequent ones.",
        "Different values may mean much the same."}},
      {"recursive-l-diversity",
       {"recursive (c,l)-diversity",
        "In every class the most frequent sensitive value is fewer than c times as frequent as the "
        "rare ones together.",
        "Different values may mean much the same."}},
      {"alpha",
       {"alpha", "No sensitive value makes up more than the share alpha of a class.",
        "Different values may mean much the same."}},
      {"t-closeness",
       {"t-closeness",
        "In every class the sensitive values are spread nearly as in the whole table: the distance "
        "is at most t.",
        "What the whole table tells about everybody is not protected. The distribution in the "
        "original table is taken from the manifest."}},
      {"em-anonymity",
       {"(e,m)-anonymity",
        "In every class at most one in m records lies within e of any sensitive number.",
        "It holds for sensitive numbers, not for what they stand for."}},
      {"range-diversity",
       {"range diversity", "The sensitive numbers of every class are at least e apart in all.",
        "Most of them may still lie close together."}},
      {"personalised-privacy",
       {"personalised privacy",
        "Nobody's own guarded values are inferred with a probability above p.",
        "Everybody is protected as far as their own wish goes, and no further."}},
      {"delta-presence",
       {"delta-presence",
        "Nobody can tell with more certainty than delta whether a person of the population is in "
        "the release.",
        "It holds for the population file that was used."}},
      {"rho1-to-rho2",
       {"rho1-to-rho2 privacy",
        "A belief of at most rho1 about somebody's sensitive value never becomes one above rho2.",
        "That chance was at work cannot be proved from a file; the verifier finds a column that "
        "was not randomised. It holds for each column by itself."}},
      {"delta-growth",
       {"delta-growth", "No belief about somebody's sensitive value grows by more than delta.",
        "That chance was at work cannot be proved from a file; the verifier finds a column that "
        "was not randomised."}},
      {"k-unlinkability",
       {"k-unlinkability",
        "Every released sample could belong to at least k people of the named lists.",
        "The adversary knows the lists that the claim names and where samples were seen. One who "
        "knows dates, sexes or how often places are visited together, or who guesses, links "
        "more."}},
      {"km-anonymity",
       {"k^m-anonymity",
        "Whoever knows up to m codes of a patient finds at least k records, or none.",
        "Nothing is promised against more than m known codes, against codes known not to be there, "
        "or about other columns that left with the codes."}},
      {"km-disassociation",
       {"k^m-anonymity by disassociation",
        "Whoever knows up to m codes of a patient finds at least k records that may be theirs, "
        "however the parts are put together.",
        "Nothing is promised against more than m known codes. Which parts belong to one record is "
        "not told, so associations between parts are lost."}},
      {"complete-anonymity",
       {"complete k-anonymity",
        "Whoever knows all codes of a patient finds at least k records with the same codes.",
        "What rides along in other columns is not protected, and the k records may share a code "
        "that was not known."}},
      {"policy-anonymity",
       {"policy-constrained anonymity",
        "Whoever knows all codes of one privacy constraint finds at least k records, or none.",
        "Codes that no constraint names together are not protected."}},
      {"hkp-coherence",
       {"(h,k,p)-coherence",
        "Whoever knows up to p public codes finds at least k records, of which at most one in h "
        "has "
        "any one sensitive code.",
        "Nothing is promised against more than p known codes, or for codes that were not named as "
        "sensitive."}},
      {"ps-rules",
       {"PS-rules",
        "For every rule, known codes fit at least k records, of which at most the share c has what "
        "the rule infers.",
        "Rules that were not written down are not protected."}},
      {"rho-uncertainty",
       {"rho-uncertainty", "No set of known codes makes a sensitive code certain to rho or more.",
        "It holds for the codes named as sensitive."}},
      {"k-km-anonymity",
       {"(k,k^m)-anonymity",
        "Whoever knows the demographics and up to m codes of a patient finds at least k records.",
        "Nothing is promised against more than m known codes, or for columns not named as "
        "quasi-identifiers."}},
  };
  static const ModelWords kUnknown = {"a model without words here",
                                      "See the documentation of the version that made the release.",
                                      "This version of the report knows no more about it."};
  const auto found = kWords.find(model);
  return found == kWords.end() ? kUnknown : found->second;
}

std::string words_of_figure(std::string_view key) {
  static const std::map<std::string_view, std::string_view> kWords = {
      {"records", "records"},
      {"classes", "classes"},
      {"k", "smallest class (k)"},
      {"linkage_risk_max", "largest risk of a record"},
      {"linkage_risk_mean", "mean risk of a record"},
      {"unique", "records alone in their class"},
      {"unique_share", "share of records alone in their class"},
      {"sensitive_disclosed", "records whose sensitive value is disclosed"},
      {"sensitive_disclosed_share", "share of records whose sensitive value is disclosed"},
      {"population", "who does not know that they are in it"},
      {"fewest_people", "fewest people who fit a record"},
      {"unmatched", "records that nobody fits"},
      {"m_codes_known", "who knows their m rarest codes"},
      {"all_codes_known", "who knows all their codes"},
      {"constraints_known", "who knows the codes of a privacy constraint"},
      {"rules_known", "who knows the left of a rule"},
      {"demographics_and_m_codes_known", "who knows demographics and m codes"},
      {"demographics_and_all_codes_known", "who knows demographics and all codes"},
      {"sensitive_inferred", "who infers sensitive codes from public ones"},
      {"targets", "looked for"},
      {"matched_under_k", "of these, fewer than k records fit"},
      {"reidentified", "of these, one record fits"},
      {"inferred", "of these, inferred"},
      {"k_opt", "level chosen (k)"},
      {"secure", "also against places and the third party"},
      {"metrics_compare_with", "metrics compare with"},
      {"rows_in", "records read"},
      {"rows_out", "records released"},
      {"suppressed", "records left out"},
      {"patients_in", "patients read"},
      {"patients_out", "patients released"},
      {"people", "people in the identified lists"},
      {"samples_in", "samples read"},
      {"samples_out", "samples released"},
      {"locations_in", "locations with samples"},
      {"locations_out", "locations that disclose"},
      {"records_in", "copies of samples read"},
      {"records_out", "copies of samples released"},
      {"lm", "loss (LM)"},
      {"ncp", "normalised certainty penalty (NCP)"},
      {"dm", "discernibility (DM)"},
      {"c_avg", "average class size (C_AVG)"},
      {"um", "utility measure (UM)"},
      {"are", "average relative error (ARE)"},
      {"are_one_code", "average relative error, single codes"},
      {"cm", "classification metric (CM)"},
      {"accuracy", "accuracy of a classifier"},
      {"squared_error", "squared error"},
      {"demographics_ncp", "NCP of the demographics"},
      {"ul", "utility loss (UL)"},
      {"utility_constraints", "utility constraints"},
      {"utility_kept", "utility constraints kept whole"},
      {"joint_clusters", "joint clusters"},
      {"shared_chunks", "shared chunks"},
      {"suppressed_items", "codes removed everywhere"},
      {"suppressed_occurrences", "codes removed from records"},
      {"suppressed_patients", "patients left out"},
      {"groups", "generalised codes"},
      {"gwas_supported", "diseases that remain usable (of 18)"},
      {"pairs_kept", "pairs of codes kept"},
      {"occurrences_counted", "codes that can be counted"},
  };
  const auto found = kWords.find(key);
  if (found != kWords.end()) return std::string(found->second);
  std::string words(key);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string_view meaning_of_metric(std::string_view kind, std::string_view key) {
  static const std::map<std::pair<std::string_view, std::string_view>, std::string_view> kMeanings =
      {
          {{"tables", "lm"}, "share of what cells could lose that they lost: 0 nothing, 1 all"},
          {{"tables", "ncp"}, "mean width of cells as a share of the column's: 0 nothing, 1 all"},
          {{"tables", "dm"}, "sum of squared class sizes; the smaller, the finer"},
          {{"tables", "c_avg"}, "mean class size over k; 1 is the finest"},
          {{"tables", "um"}, "mean penalty of a class's cells: 0 nothing, 1 all"},
          {{"tables", "are"}, "mean relative error of COUNT queries on the release"},
          {{"tables", "cm"}, "share of records whose class has another majority label"},
          {{"tables", "squared_error"}, "over the column's variance: 1 is as bad as its mean"},
          {{"tables", "accuracy"}, "share of records, not seen in training, told right"},
          {{"codes", "ncp"}, "mean width of codes as a share of all: 0 nothing, 1 all"},
          {{"codes", "ul"}, "utility loss of generalised sets, weighted: 0 is none"},
          {{"codes", "are"}, "mean relative error of COUNT queries over one or two codes"},
          {{"codes", "are_one_code"}, "the same over one code"},
          {{"codes", "suppressed_items"}, "no record shows them any more"},
          {{"codes", "suppressed_occurrences"}, "counted once for every record that had them"},
          {{"codes", "suppressed_patients"}, "no code of theirs was left"},
          {{"codes", "groups"}, "wider items that stand in place of codes"},
          {{"codes", "gwas_supported"}, "every case still there and told apart from others"},
          {{"codes", "utility_kept"}, "no code of theirs removed or mixed with others"},
          {{"codes", "joint_clusters"}, "clusters that share chunks count as one"},
          {{"codes", "clusters"}, "groups of similar records, taken apart by themselves"},
          {{"codes", "chunks"}, "lists of parts of a cluster's records"},
          {{"codes", "shared_chunks"}, "the same, over several clusters"},
          {{"codes", "pairs_kept"}, "share of pairs of codes in a record that a part still shows"},
          {{"codes", "occurrences_counted"}, "share of codes in records that are in chunks"},
      };
  const auto found = kMeanings.find({kind, key});
  return found == kMeanings.end() ? std::string_view() : found->second;
}

}  // namespace pratique::release
