#include "pratique/tables/utility.h"

#include <nlohmann/json.hpp>

#include "pratique/tables/metrics.h"
#include "pratique/tables/query_error.h"

namespace pratique::tables {

Utility measure_utility(const ProtectionInput& input, const Recoding& recoding, std::uint64_t k,
                        const Column* label, Progress& progress) {
  Utility utility;
  utility.lm = loss_metric(input, recoding);
  utility.ncp = normalized_certainty_penalty(input, recoding);
  utility.dm = discernibility(recoding);
  utility.c_avg = average_class_size(recoding, k);
  utility.are = average_relative_error(input, recoding, generate_workload(input, {}), progress);
  if (label != nullptr) {
    utility.cm = classification_metric(*label, recoding);
    utility.accuracy = classification_accuracy(input, recoding, *label);
  }
  return utility;
}

Json to_json(const Utility& utility) {
  Json json = {{"lm", utility.lm},
               {"ncp", utility.ncp},
               {"dm", utility.dm},
               {"c_avg", utility.c_avg},
               {"are", utility.are}};
  if (utility.cm) json["cm"] = *utility.cm;
  if (utility.accuracy) {
    json["accuracy"] = {{"released", utility.accuracy->released},
                        {"original", utility.accuracy->original},
                        {"majority", utility.accuracy->majority}};
  }
  return json;
}

}  // namespace pratique::tables
