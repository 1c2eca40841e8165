// What models and figures of tables are called, and what they mean, in plain words.
#include "pratique/tables/release/words.h"

#include <array>

namespace pratique::tables {
namespace {

using release::ModelWords;

constexpr std::array<ModelWords, 17> kModels = {{
    {"k-anonymity", "k-anonymity",
     "Anyone who knows a person's quasi-identifiers finds at least k records that may be theirs.",
     "It holds for the columns named as quasi-identifiers. A column that an adversary can learn "
     "elsewhere and that was not named is not protected. It says nothing about what the k "
     "records have in common."},
    {"k-map", "k-map", "Every released record fits at least k people of the population.",
     "It holds for an adversary who does not know whether a person is in the release, and for the "
     "population file that was used. Somebody known to be in it may be unique."},
    {"distinct-l-diversity", "distinct l-diversity",
     "Every class holds at least l different sensitive values.",
     "One value may still be far more frequent than the others, and different values may mean "
     "much the same."},
    {"entropy-l-diversity", "entropy l-diversity",
     "The sensitive values of every class are as uncertain as l equally frequent ones.",
     "Different values may mean much the same."},
    {"recursive-l-diversity", "recursive (c,l)-diversity",
     "In every class the most frequent sensitive value is less than c times as frequent as the "
     "rare ones together.",
     "Different values may mean much the same."},
    {"alpha", "alpha", "No sensitive value makes up more than the share alpha of a class.",
     "Different values may mean much the same."},
    {"value-risk", "risk of a value",
     "The named sensitive value makes up no more than the given share of any class.",
     "Other values of the column are not bounded by it, and may mean much the same."},
    {"t-closeness", "t-closeness",
     "In every class the sensitive values are spread nearly as in the whole table: the distance "
     "is at most t.",
     "What the whole table tells about everybody is not protected. The distribution in the "
     "original table is taken from the manifest."},
    {"em-anonymity", "(e,m)-anonymity",
     "In every class at most one in m records lies within e of any sensitive number.",
     "It holds for sensitive numbers, not for what they stand for."},
    {"range-diversity", "range diversity", "The sensitive numbers of every class span at least e.",
     "Most of them may still lie close together."},
    {"personalised-privacy", "personalised privacy",
     "Nobody's own guarded values are inferred with a probability above p.",
     "Everybody is protected as far as their own wish goes, and no further."},
    {"delta-presence", "delta-presence",
     "Nobody can tell with more certainty than delta whether a person of the population is in "
     "the release.",
     "It holds for the population file that was used."},
    {"safe-versions", "safe versions",
     "Classes show all that they showed in earlier releases, and those who joined one since are "
     "nobody, or at least k people with at least l values.",
     "It holds against the earlier releases that were named. What stands above a released label is "
     "taken from the manifest."},
    {"rho1-to-rho2", "rho1-to-rho2 privacy",
     "A belief of at most rho1 about somebody's sensitive value never becomes one above rho2.",
     "A file alone cannot prove that it was randomised; the verifier detects a column that was "
     "not. It holds for each column by itself."},
    {"delta-growth", "delta-growth",
     "No belief about somebody's sensitive value grows by more than delta.",
     "A file alone cannot prove that it was randomised; the verifier detects a column that was "
     "not."},
    {"anatomy", "Anatomy",
     "Of a record's group, no sensitive value has more than one in l: that is how far anybody's "
     "value can be believed by the group.",
     "It hides neither identity nor membership: every record shows its quasi-identifiers as they "
     "are, so that who is in the table can be found, and everything else that is beside them."},
    {"safe-harbor", "Safe Harbor (HIPAA)",
     "No column name or cell has a shape that is known for one of the 18 identifiers of 45 CFR "
     "164.514(b)(2): dates are years, ages over 89 are one class, ZIP codes of the United States "
     "are "
     "three digits of areas with more than 20,000 people.",
     "Names of people and free text are not examined: what no shape and no name of a column gives "
     "away is not recognised. People may still be alone with what "
     "is left, and who releases must not know a way to identify them."},
}};

constexpr auto kFigures = std::to_array<Figure>({
    {"unread", "records with a text that nobody of the register has", Unit::people, {}, true},
    {"safe_harbor", "Safe Harbor"},
    {"as_of", "ages are of the year"},
    {"changed", "columns made coarser"},
    {"years_alone", "dates of which the year is left"},
    {"ages_to_89", "ages of which 90 and over are one class"},
    {"zips_to_three_digits", "ZIP codes of which three digits are left"},
    {"cells_emptied",
     "records of which a cell held an identifier and is empty",
     Unit::people,
     {},
     true},
    {"people_in", "people read"},
    {"people_out", "people released"},
    {"rows_changed", "rows with quasi-identifiers of their person's other rows"},
    {"not_measured", "sensitive columns of which somebody has several values: not attacked"},
    {"rows_in", "records read"},
    {"rows_out", "records released"},
    {"suppressed", "records left out"},
    {"waiting", "of these, records that wait until enough others join their class"},
    {"records", "records"},
    {"groups", "groups of records"},
    {"files", "files of the release"},
    {"classes", "classes"},
    {"k", "smallest class (k)"},
    {"linkage_risk_max", "largest risk of a record", Unit::share},
    {"linkage_risk_mean", "mean risk of a record", Unit::share},
    {"unique", "records alone in their class", Unit::people},
    {"unique_share", "share of records alone in their class", Unit::share},
    {"sensitive_disclosed", "records whose sensitive value is disclosed", Unit::people},
    {"sensitive_disclosed_share", "share of records whose sensitive value is disclosed",
     Unit::share},
    {"believed", "records whose value is believed with 90 % or more", Unit::people},
    {"minimality", "who knows how the method works"},
    {"rules", "who mines rules"},
    {"mistaken", "records of which a wrong value is believed so", Unit::people},
    {"positive_rules", "rules: nine in ten of a subgroup share a value"},
    {"negative_rules", "rules: nobody of a subgroup has a value"},
    {"concluded", "records of which something follows that their class does not say", Unit::people},
    {"beyond_limit", "records whose value is believed beyond 1/l or alpha", Unit::people},
    {"not_tried", "records about whom this was not tried", Unit::people},
    {"singled_out", "records alone by columns that leave as they are", Unit::people},
    {"singled_out_share", "share of records alone by columns that leave as they are", Unit::share},
    {"singled_out_by", "these columns"},
    {"left_out", "columns left out"},
    {"population", "who does not know that they are in it"},
    {"fewest_people", "fewest people who fit a record"},
    {"unmatched", "records that nobody fits", Unit::people},
    {"population_unmatched", "records that nobody of the population fits", Unit::people},
    {"population_unique", "records that are alone, in the population, too", Unit::people},
    {"population_uniques", "records that are alone among all people, too: estimates", Unit::people},
    {"people", "people"},
    {"sampling_fraction", "share of them in the table", Unit::share},
    {"unique_in_sample", "records alone in the table"},
    {"pitman", "of these, alone among all (Pitman)", Unit::number,
     "as the sizes of the classes suggest, if the table is a random sample"},
    {"zayatz", "at most, about (Zayatz)", Unit::number,
     "if no class of the population is larger than the table's largest"},
    {"linked_uniquely", "linked uniquely", Unit::people},
    {"correctly_linked", "correctly linked", Unit::people},
    {"correct", "correct", Unit::people},
    {"metrics_compare_with", "metrics compare with"},
    {"lm", "loss (LM)", Unit::number, "how much of their detail cells lost: 0 nothing, 1 all"},
    {"ncp", "normalised certainty penalty (NCP)", Unit::number,
     "mean width of cells as a share of the column's: 0 nothing, 1 all"},
    {"dm", "discernibility (DM)", Unit::number, "sum of squared class sizes; smaller is finer"},
    {"c_avg", "average class size (C_AVG)", Unit::number,
     "mean class size over k (without k: over the smallest class); 1 is the finest"},
    {"um", "utility measure (UM)", Unit::number,
     "mean penalty of a class's cells: 0 nothing, 1 all"},
    {"are", "average relative error (ARE)", Unit::number,
     "mean relative error of COUNT queries on the release"},
    {"cm", "classification metric (CM)", Unit::number,
     "share of records whose class has another majority label"},
    {"accuracy", "accuracy of a classifier", Unit::number,
     "share of records not seen in training that it labels correctly"},
    {"lower_bound", "least loss that is possible", Unit::number,
     "proven: no release of the method's kind that satisfies the models loses less"},
    {"ended_early", "the search ended before it was sure"},
    {"gap", "gap to that", Unit::share, "how much of the loss could be saved, at most"},
    {"private_manifest", "private manifest, to keep"},
    {"overwritten", "cells of another visit", Unit::number,
     "share of cells that contradict what their own row said (--person)"},
    {"column_loss", "loss by column (LM)", Unit::number,
     "how much of their detail its cells lost: 0 nothing, 1 all", true},
    {"squared_error", "squared error", Unit::number,
     "over the column's variance: 1 is as bad as its mean", true},
    {"largest_cell_loss", "largest loss of a cell, where it is limited", Unit::share, {}, true},
    {"levels", "level of the hierarchy", Unit::number, "0 is as it was", true},
    {"distinction", "distinction", Unit::share, "different combinations per record"},
    {"separation", "separation", Unit::share, "pairs of records that the columns tell apart"},
    {"prosecutor_max", "largest risk, of somebody known to be in it", Unit::share},
    {"prosecutor_mean", "mean risk, of somebody known to be in it", Unit::share},
    {"journalist_max", "largest risk, of anybody", Unit::share},
    {"marketer", "records linked correctly if all are tried", Unit::share},
    {"share", "share", Unit::share},
    {"linked", "people who fit a record", Unit::people},
    {"linked_share", "share of people who fit a record", Unit::share},
    {"linked_uniquely_share", "share linked uniquely", Unit::share},
    {"homogeneous", "records in a class with one sensitive value", Unit::people},
    {"homogeneous_share", "share of records in a class with one sensitive value", Unit::share},
    {"l_distinct", "distinct l", Unit::number, "fewest sensitive values in a class"},
    {"l_entropy", "entropy l", Unit::number, "as uncertain as so many equally frequent values"},
    {"t", "closeness (t)", Unit::number,
     "largest distance of a class from the whole table, 0 to 1"},
    {"alpha", "most frequent value (alpha)", Unit::share, "largest share of a value in a class"},
    {"risk_mean", "mean risk of a record", Unit::share},
    {"risk_max", "largest risk of a record", Unit::share},
    {"utility", "utility (1 - LM)", Unit::share},
    {"why", "why", Unit::number, {}, true},
});

// Of what attacks find in the release, not what rests on the original's quasi-identifiers.
constexpr std::array<std::string_view, 22> kTold = {"method",
                                                    "rows_out",
                                                    "classes",
                                                    "groups",
                                                    "randomised.column",
                                                    "randomised.operator",
                                                    "after.records",
                                                    "after.classes",
                                                    "after.k",
                                                    "after.linkage_risk_max",
                                                    "after.linkage_risk_mean",
                                                    "after.unique",
                                                    "after.unique_share",
                                                    "after.sensitive_disclosed",
                                                    "after.sensitive_disclosed_share",
                                                    "after.believed",
                                                    "after.believed_share",
                                                    "after.population",
                                                    "after.singled_out",
                                                    "after.singled_out_share",
                                                    "after.singled_out_by",
                                                    "unchanged"};
// Which sensitive columns are measured depends on everybody, those who did not leave included.
constexpr std::array<std::string_view, 15> kToldOfPeople = {"method",
                                                            "rows_out",
                                                            "people_out",
                                                            "classes",
                                                            "after.records",
                                                            "after.classes",
                                                            "after.k",
                                                            "after.linkage_risk_max",
                                                            "after.linkage_risk_mean",
                                                            "after.unique",
                                                            "after.unique_share",
                                                            "after.singled_out",
                                                            "after.singled_out_share",
                                                            "after.singled_out_by",
                                                            "unchanged"};

}  // namespace

std::span<const ModelWords> model_words() { return kModels; }
std::span<const Figure> figures() { return kFigures; }
std::span<const std::string_view> told_results() { return kTold; }
std::span<const std::string_view> told_results_of_people() { return kToldOfPeople; }

}  // namespace pratique::tables
