#include <array>

#include "pratique/release/release_ledger.h"

namespace pratique::release {
namespace {

constexpr auto kLedgerFigures = std::to_array<Figure>({
    {"allowed", "columns that leave as they are, whatever they look like"},
    {"rows_are_people", "every row was said to be a different person"},
    {"other_people", "said to be of other people than"},
    {"other_people_than", "other people than entries"},
    {"earlier", "earlier entries of the same people"},
    {"others", "releases of other people, as far as is known"},
    {"sequence", "what it reveals, with all earlier ones"},
    {"attacked", "attacked"},
    {"why_not", "why not"},
    {"not_attacked", "could not be attacked together with it"},
    {"people", "people"},
    {"releases", "releases attacked together"},
    {"located", "people found in every release", Unit::share},
    {"attributes", "sensitive columns"},
    {"disclosed_alone", "certain by this release alone", Unit::share,
     "people of whom one value is left, by the new release"},
    {"disclosed", "certain by all", Unit::share,
     "people of whom one value is left, by all together"},
    {"vulnerable", "worse off by all", Unit::share,
     "people whom all together leave fewer values than any one"},
    {"values_left", "values left", Unit::number, "sensitive values left to a person, mean"},
    {"contradicted", "not attacked together", Unit::share,
     "people for whom no value fits all releases: in some they are not, or with another value"},
    {"same_columns", "columns taken for the same by their values"},
    {"column", "there"},
    {"here", "here"},
    {"differenced_people", "people isolated by a difference", Unit::number,
     "who joined or left, and are too few"},
    {"differenced", "people isolated by the difference from an earlier release", Unit::share},
    {"k_alone", "smallest crowd by this release"},
    {"k_across", "smallest crowd by all"},
    {"promised_k", "smallest crowd that was promised (k)"},
    {"under_k", "people in a smaller crowd than promised", Unit::share},
    {"rows_link", "rows of two releases can be joined"},
    {"rows_linked", "rows that can be joined", Unit::share},
    {"singled_out", "records alone by columns that leave as they are", Unit::share},
    {"singled_out_by", "these columns"},
    {"alone_by_rows", "people alone in their class by how many rows they have", Unit::share},
    {"breach", "people exposed", Unit::share},
    {"max_breach", "people who may be exposed", Unit::share},
});

}  // namespace

std::span<const Figure> ledger_figures() { return kLedgerFigures; }

}  // namespace pratique::release
