// What a table shows once its classes are known: the last step of microaggregation.
#pragma once

#include "pratique/tables/method/internal/partition.h"
#include "pratique/tables/method/microaggregate.h"

namespace pratique::tables {

[[nodiscard]] Microaggregation show_microaggregated(const ProtectionInput& input,
                                                    const std::vector<Items>& clusters,
                                                    const MicroaggregationOptions& options);

}  // namespace pratique::tables
