// A bound on the risk of one sensitive value (tutorial, utility-and-privacy constrained approach:
// "bound on ... privacy risk, on specific attributes or values"): no class has the value in more
// than a share of its records. alpha (l_diversity.h) bounds every value of an attribute; this
// leaves those alone that need no protection.
//
// Monotone: a share in a union lies between the shares in its parts.
#pragma once

#include <memory>
#include <string>

#include "pratique/tables/model/model_kind.h"

namespace pratique::tables {

// `code` is the value's in the attribute's column.
[[nodiscard]] std::unique_ptr<Model> value_risk(double share, const std::string& value, Code code,
                                                const ModelAttribute& attribute);

// --value-risk SHARE:VALUE[@COLUMN], for as many values as need it
extern const ModelKind value_risk_kind;

}  // namespace pratique::tables
