// What models over one sensitive attribute have in common.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "pratique/tables/model/model.h"

namespace pratique::tables {

// Room for the rounding of sums, less than the verifier leaves, so that what passes here passes
// there.
inline constexpr double kModelRounding = 1e-10;

class AttributeModel : public Model {
 public:
  AttributeModel(std::string key, ModelAttribute attribute)
      : key_(std::move(key)), attribute_(std::move(attribute)) {}

  [[nodiscard]] std::string name() const override { return attribute_.label(key_); }

 protected:
  [[nodiscard]] const SensitiveCounts& counts(const ClassView& view) const {
    return view.sensitive[attribute_.index];
  }
  [[nodiscard]] const std::string& column() const { return attribute_.column; }
  [[nodiscard]] const ModelAttribute& attribute() const { return attribute_; }
  // The claim without the model's own parameters.
  [[nodiscard]] Json claim_of(const std::string& model,
                              const std::vector<std::string>& quasi_identifiers) const;

 private:
  std::string key_;
  ModelAttribute attribute_;
};

}  // namespace pratique::tables
