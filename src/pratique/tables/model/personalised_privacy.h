// Personalised privacy (Xiao, Tao 2006): each record may hold a guarding node, a node of the
// hierarchy over the sensitive attribute. Its person does not want to be tied to any value under
// that node with a probability above p: of the records of the class, at most a share p has a value
// under it. This is asked for every guarding node that a record of the class holds. The figure is
// the largest share.
//
// A guarding node is named by its label, a leaf or higher (where levels share a label, the
// highest). An empty cell guards nothing.
//
// Not monotone: the other class may be full of what this class guards.
//
// Guarding nodes are as private as what they guard, and the paper does not publish them. So the
// claim carries which nodes the records of each released class hold (`guards`: class, nodes), and
// the column need not leave; where it does leave, the verifier reads it there.
#pragma once

#include <cstdint>
#include <memory>

#include "pratique/data/hierarchy.h"
#include "pratique/data/table.h"
#include "pratique/tables/model/model_kind.h"

namespace pratique::tables {

// `guard_index` is the guarding column's place in ClassView::sensitive: the model needs only which
// nodes occur in a class and which values do, not who holds both. Throws Error when the hierarchy
// lacks a value or a guarding node.
[[nodiscard]] std::unique_ptr<Model> personalised_privacy(
    double p, const ModelAttribute& attribute, const Column& sensitive, std::size_t guard_index,
    const Column& guard, const std::vector<std::uint64_t>& counts, const Hierarchy& hierarchy);

// --guard GUARD:P[@COLUMN]: GUARD is the column of guarding nodes. Without a column the table needs
// to have one sensitive attribute.
extern const ModelKind personalised_privacy_kind;

}  // namespace pratique::tables
