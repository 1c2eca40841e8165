// From the models asked for to the models.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/tables/model/k_anonymity.h"
#include "pratique/tables/model/l_diversity.h"
#include "pratique/tables/model/model_request.h"
#include "pratique/tables/model/personalised_privacy.h"
#include "pratique/tables/model/proximity.h"

namespace pratique::tables {
namespace {

class ModelMaker {
 public:
  ModelMaker(const ModelRequest& request, const ModelContext& context, ProtectionInput& input)
      : request_(request),
        context_(context),
        input_(input),
        attributes_(request.sensitive_columns()) {
    looked_at_ = attributes_;
    for (const auto& guard : request.guard_columns()) {
      if (std::find(looked_at_.begin(), looked_at_.end(), guard) == looked_at_.end()) {
        looked_at_.push_back(guard);
      }
    }
    input_.sensitive.clear();
    for (const auto& name : looked_at_) input_.sensitive.push_back(&context.table.column(name));
  }

  Models make() {
    if (request_.k) add(k_anonymity(*request_.k));
    add_population_models();
    for (const auto& asked : request_.l) {
      const auto l = static_cast<std::uint64_t>(asked.l);
      switch (asked.diversity) {
        case ModelRequest::Diversity::distinct:
          add(distinct_l_diversity(l, attribute(asked.column)));
          break;
        case ModelRequest::Diversity::entropy:
          add(entropy_l_diversity(asked.l, attribute(asked.column)));
          break;
        case ModelRequest::Diversity::recursive:
          add(recursive_l_diversity(asked.c, l, attribute(asked.column)));
          break;
      }
    }
    for (const auto& asked : request_.alpha) {
      add(alpha_anonymity(asked.alpha, attribute(asked.column)));
    }
    for (const auto& asked : request_.t) {
      add(t_closeness(asked.t, asked.distance, attribute(asked.column), column(asked.column),
                      *input_.counts, hierarchy(asked.column)));
    }
    for (const auto& asked : request_.em) {
      add(em_anonymity(asked.e, asked.m, attribute(asked.column), numbers(asked.column)));
    }
    for (const auto& asked : request_.range) {
      add(range_diversity(asked.e, attribute(asked.column), numbers(asked.column)));
    }
    for (const auto& asked : request_.guard) {
      const Hierarchy* tree = hierarchy(asked.column);
      if (tree == nullptr) {
        throw Error::input(
            fmt::format("'{}' has no hierarchy for guarding nodes to be in", asked.column))
            .hint(fmt::format("Give one with --hierarchy {}=FILE.", asked.column));
      }
      add(personalised_privacy(asked.p, attribute(asked.column), column(asked.column),
                               index(asked.guard), column(asked.guard), *input_.counts, *tree));
    }
    return std::move(models_);
  }

 private:
  void add(std::unique_ptr<Model> model) { models_.push_back(std::move(model)); }

  void add_population_models() {
    if (!request_.needs_population()) return;
    if (input_.population == nullptr || !context_.population) {
      throw Error::input(fmt::format("--{} counts people of a population, and none was given",
                                     request_.k_map ? "k-map" : "delta"))
          .hint("Name it with --population FILE: a table of people with the quasi-identifiers.");
    }
    if (request_.k_map)
      add(k_map(*request_.k_map, *context_.population, input_.attributes, input_.population));
    if (request_.delta) {
      add(delta_presence(request_.delta->minimum, request_.delta->maximum, *context_.population,
                         input_.attributes, input_.population));
    }
  }

  [[nodiscard]] std::size_t index(const std::string& name) const {
    return static_cast<std::size_t>(std::find(looked_at_.begin(), looked_at_.end(), name) -
                                    looked_at_.begin());
  }
  [[nodiscard]] const Column& column(const std::string& name) const {
    return *input_.sensitive[index(name)];
  }
  [[nodiscard]] ModelAttribute attribute(const std::string& name) const {
    return {index(name), name, attributes_.size() > 1};
  }
  [[nodiscard]] const Hierarchy* hierarchy(const std::string& name) const {
    const auto found = context_.hierarchies.find(name);
    return found == context_.hierarchies.end() ? nullptr : found->second;
  }
  [[nodiscard]] std::vector<double> numbers(const std::string& name) const {
    return numbers_of(column(name), *input_.counts);
  }

  const ModelRequest& request_;
  const ModelContext& context_;
  ProtectionInput& input_;
  std::vector<std::string> attributes_;
  std::vector<std::string> looked_at_;  // and guarding columns; beside input_.sensitive
  Models models_;
};

}  // namespace

Models make_models(const ModelRequest& request, const ModelContext& context,
                   ProtectionInput& input) {
  return ModelMaker(request, context, input).make();
}

Json claims_of(const Models& models, const ProtectionInput& input, const Recoding& recoding) {
  std::vector<std::string> quasi_identifiers;
  for (const auto& attribute : input.attributes) quasi_identifiers.push_back(attribute.name);
  Json claims = Json::array();
  for (const auto& model : models) {
    claims.push_back(model->claim(quasi_identifiers));
    model->complete_claim(input, recoding, claims.back());
  }
  return claims;
}

}  // namespace pratique::tables
