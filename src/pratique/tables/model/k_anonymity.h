// k-anonymity (Samarati 2001, Sweeney 2002): every class holds at least k records. Monotone: the
// union of two classes is no smaller than either.
#pragma once

#include <cstdint>
#include <memory>

#include "pratique/tables/model/model_kind.h"

namespace pratique::tables {

[[nodiscard]] std::unique_ptr<Model> k_anonymity(std::uint64_t k);

// --k K
extern const ModelKind k_anonymity_kind;

}  // namespace pratique::tables
