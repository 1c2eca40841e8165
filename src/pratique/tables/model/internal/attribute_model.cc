#include "pratique/tables/model/internal/attribute_model.h"

#include <nlohmann/json.hpp>

namespace pratique::tables {

Json AttributeModel::claim_of(const std::string& model,
                              const std::vector<std::string>& quasi_identifiers) const {
  return {{"model", model}, {"quasi_identifiers", quasi_identifiers}, {"sensitive", column()}};
}

}  // namespace pratique::tables
