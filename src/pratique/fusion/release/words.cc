// What models and figures of fusion are called, and what they mean, in plain words.
#include "pratique/fusion/release/words.h"

#include <array>

namespace pratique::fusion {
namespace {

constexpr std::array<pratique::Figure, 27> kFigures = {{
    {"people", "people in the identified lists"},
    {"k_opt", "level chosen (k)"},
    {"classes", "classes"},
    {"known", "known", pratique::Unit::share},
    {"rows_covered", "share of rows that a rule covers", pratique::Unit::share},
    {"within_5_percent", "people guessed within 5 percent", pratique::Unit::share},
    {"within_10_percent", "people guessed within 10 percent", pratique::Unit::share},
    {"located", "share of targets located", pratique::Unit::share},
    {"contradicted", "share of targets that fit no release", pratique::Unit::share},
    {"perfect_breach", "share of targets with one value left", pratique::Unit::share},
    {"differenced_people", "people exposed by the difference of two releases"},
    {"differenced", "the same, as a share of the targets", pratique::Unit::share},
    {"differenced_k", "where fewer than so many are exposed", pratique::Unit::number,
     "the smallest class of either release; the ledger takes the k that was promised"},
    {"differenced_l", "or who have fewer values"},
    {"vulnerable", "share of targets with fewer values left than in any release",
     pratique::Unit::share},
    {"breach_at", "share of targets guessed with a confidence of at least", pratique::Unit::share},
    {"believed", "share of targets with a best guess", pratique::Unit::share},
    {"tried", "tried: something could be compared"},
    {"unread_targets",
     "cells of the targets that could not be read",
     pratique::Unit::number,
     {},
     true},
    {"unread_cells", "cells that look like numbers and could not be read"},
    {"mean_drop", "fewer values than in the best release, on average"},
    {"ideal_drop", "fewer values than k promised, on average"},
    {"bayes", "who counts how frequent values are"},
    {"prior_strength", "how closely classes follow all releases, in rows"},
    {"by_release", "each release by itself"},
    {"effective_anonymity", "values that may be a target's, effectively"},
    {"entropy_of_sensitive", "entropy of the sensitive column", pratique::Unit::number, "bits"},
}};

constexpr std::array<release::ModelWords, 1> kModels = {{
    {"k-anonymity", "k-anonymity",
     "At least k people show the same cells in the columns named as quasi-identifiers.",
     "The list keeps names, so which record is whose is known. Nothing is said about columns that "
     "were not named."},
}};

constexpr std::array<std::string_view, 4> kTold = {"method", "people", "k_opt", "unchanged"};

}  // namespace

std::span<const pratique::Figure> figures() { return kFigures; }
std::span<const release::ModelWords> model_words() { return kModels; }
std::span<const std::string_view> told_results() { return kTold; }

}  // namespace pratique::fusion
