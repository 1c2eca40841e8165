// What a release costs by the metric that was asked for (Method::metric), as it is reported.
#pragma once

#include <functional>

#include "pratique/tables/method/method.h"

namespace pratique::tables::internal {

// The less the better. May be called from several threads, while input, models and method are
// there. Throws Error where the metric needs a class label and none is named.
[[nodiscard]] std::function<double(const Recoding&)> cost_by_metric(const ProtectionInput& input,
                                                                    const Models& models,
                                                                    const Method& method);

}  // namespace pratique::tables::internal
