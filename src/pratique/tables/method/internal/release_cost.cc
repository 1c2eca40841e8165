#include "pratique/tables/method/internal/release_cost.h"

#include "pratique/core/error.h"
#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/metric/query_error.h"

namespace pratique::tables::internal {

std::function<double(const Recoding&)> cost_by_metric(const ProtectionInput& input,
                                                      const Models& models, const Method& method) {
  if (method.metric == "lm")
    return [&](const Recoding& recoding) { return loss_metric(input, recoding); };
  if (method.metric == "ncp")
    return [&](const Recoding& recoding) { return normalized_certainty_penalty(input, recoding); };
  if (method.metric == "dm") return discernibility;
  if (method.metric == "c_avg") {
    return [k = least_records(models)](const Recoding& recoding) {
      return average_class_size(recoding, k);
    };
  }
  if (method.metric == "um")
    return [&](const Recoding& recoding) { return utility_measure(input, recoding); };
  if (method.metric == "are") {
    const ProtectionInput& measured = method.measured != nullptr ? *method.measured : input;
    auto workload = method.workload != nullptr ? *method.workload : generate_workload(measured, {});
    return [&measured, workload = std::move(workload)](const Recoding& recoding) {
      return average_relative_error(measured, recoding, workload);
    };
  }
  if (method.label == nullptr) {
    throw Error::input("the metric cm needs a class label").hint("Name the column with --label.");
  }
  return [&](const Recoding& recoding) { return classification_metric(*method.label, recoding); };
}

}  // namespace pratique::tables::internal
