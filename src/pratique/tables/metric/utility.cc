#include "pratique/tables/metric/utility.h"

#include <nlohmann/json.hpp>

#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/metric/query_error.h"
#include "pratique/tables/metric/squared_error.h"

namespace pratique::tables {

Utility measure_utility(const ProtectionInput& input, const Recoding& recoding,
                        const UtilityOptions& options, Progress& progress) {
  Utility utility;
  utility.lm = loss_metric(input, recoding);
  const auto losses = column_losses(input, recoding);
  for (std::size_t a = 0; a < losses.size(); ++a)
    utility.column_loss.emplace_back(input.attributes[a].name, losses[a]);
  utility.ncp = normalized_certainty_penalty(input, recoding);
  utility.dm = discernibility(recoding);
  utility.c_avg = average_class_size(recoding, options.k);
  utility.um = utility_measure(input, recoding);
  const auto workload =
      options.workload != nullptr ? *options.workload : generate_workload(input, {});
  const auto spans = spans_of_cells(input, recoding);
  utility.are = average_relative_error(input, recoding, workload, spans, progress);
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    if (const auto error = squared_error(input, recoding, a, spans[a])) {
      utility.squared_error.emplace_back(input.attributes[a].name, *error);
    }
  }
  if (options.label != nullptr) {
    utility.cm = classification_metric(*options.label, recoding);
    utility.accuracy = classification_accuracy(input, recoding, *options.label);
  }
  return utility;
}

Json to_json(const Utility& utility) {
  Json json = {{"lm", utility.lm},       {"ncp", utility.ncp}, {"dm", utility.dm},
               {"c_avg", utility.c_avg}, {"um", utility.um},   {"are", utility.are}};
  for (const auto& [column, loss] : utility.column_loss) json["column_loss"][column] = loss;
  for (const auto& [column, error] : utility.squared_error) json["squared_error"][column] = error;
  if (utility.cm) json["cm"] = *utility.cm;
  if (utility.accuracy) {
    json["accuracy"] = {{"released", utility.accuracy->released},
                        {"original", utility.accuracy->original},
                        {"majority", utility.accuracy->majority}};
  }
  return json;
}

}  // namespace pratique::tables
