// What "safe" means: a predicate on each class of a release.
//
// A model sees of a class how many records it holds, how many people of the population fall into
// it, and the counts of its sensitive values. That is enough for every model here, and it is what
// search can add up without going back to the rows: merging two classes adds their counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/data/dictionary.h"

namespace pratique::tables {

struct ProtectionInput;
struct Recoding;

// The values of one sensitive attribute in a class: values[i] occurs counts[i] > 0 times, each
// once.
struct SensitiveCounts {
  std::span<const Code> values;
  std::span<const std::uint64_t> counts;
};

struct ClassView {
  std::uint64_t records = 0;
  std::uint64_t population = 0;                // 0 without a population
  std::span<const SensitiveCounts> sensitive;  // beside the input's sensitive attributes
};

// The sensitive attribute that a model looks at.
struct ModelAttribute {
  std::size_t index = 0;  // into ClassView::sensitive
  std::string column;
  bool in_name = false;  // whether results must tell it from others: l@diagnosis

  [[nodiscard]] std::string label(const std::string& model) const {
    return in_name ? model + "@" + column : model;
  }
};

class Model {
 public:
  virtual ~Model() = default;

  // The key in results: k, k-map, l, alpha, t, ...; with the attribute where there are several:
  // l@diagnosis.
  [[nodiscard]] virtual std::string name() const = 0;
  // Whether a class that is the union of two classes that satisfy the model satisfies it. Search
  // prunes on this, so a test proves it on random classes.
  [[nodiscard]] virtual bool monotone() const = 0;
  // Whether every class that contains a class that satisfies the model satisfies it, whatever else
  // it contains. That is more than monotone(): with suppression, a class at a higher node may join
  // a class that satisfies the model to one that does not, which only such a model forgives (k, not
  // entropy or closeness).
  [[nodiscard]] virtual bool survives_growth() const { return false; }
  // Of a class that breaks the model: how many of its records, at most, are in parts of it that
  // satisfy the model, however it is divided. Search prunes on this, too.
  [[nodiscard]] virtual std::uint64_t most_kept(const ClassView& view) const {
    return survives_growth() ? 0 : view.records;
  }
  // Whether that is ever less than all.
  [[nodiscard]] virtual bool bounds_parts() const { return survives_growth(); }
  // How many records every class that satisfies it holds at least, for models that say so.
  [[nodiscard]] virtual std::uint64_t least_records() const { return 0; }
  [[nodiscard]] virtual bool needs_sensitive() const { return true; }
  [[nodiscard]] virtual bool needs_population() const { return false; }
  // Whether a release breaks it that has people of the population in no class at all.
  [[nodiscard]] virtual bool needs_everybody() const { return false; }
  // Whether it breaks where cells of two classes contain one person of the population.
  [[nodiscard]] virtual bool needs_apart() const { return false; }
  [[nodiscard]] virtual bool holds(const ClassView& view) const = 0;

  // The figure that the model bounds, for one class, and what is required of it.
  [[nodiscard]] virtual double measure(const ClassView& view) const = 0;
  [[nodiscard]] virtual double required() const = 0;
  [[nodiscard]] virtual bool larger_is_safer() const = 0;
  // Where the figure may not be too small either.
  [[nodiscard]] virtual std::optional<double> minimum() const { return std::nullopt; }

  // Of a model that compares classes with all records: the same about other records, so many of
  // each group, at a share of what it allows. Nothing where it looks at classes alone.
  [[nodiscard]] virtual std::unique_ptr<Model> about(const std::vector<std::uint64_t>& /*counts*/,
                                                     double /*share*/) const {
    return nullptr;
  }

  // The claim that the verifier checks (verify/claims.h).
  [[nodiscard]] virtual Json claim(const std::vector<std::string>& quasi_identifiers) const = 0;
  // Adds to the claim what the verifier needs to know of the classes and cannot find in the file,
  // for a model over a column that does not leave.
  virtual void complete_claim(const ProtectionInput& /*input*/, const Recoding& /*recoding*/,
                              Json& /*claim*/) const {}
};

using Models = std::vector<std::shared_ptr<const Model>>;

[[nodiscard]] inline bool all_hold(const Models& models, const ClassView& view) {
  for (const auto& model : models) {
    if (!model->holds(view)) return false;
  }
  return true;
}

[[nodiscard]] inline bool all_monotone(const Models& models) {
  for (const auto& model : models) {
    if (!model->monotone()) return false;
  }
  return true;
}

[[nodiscard]] inline bool need_population(const Models& models) {
  return std::any_of(models.begin(), models.end(),
                     [](const auto& model) { return model->needs_population(); });
}
[[nodiscard]] inline bool need_everybody(const Models& models) {
  return std::any_of(models.begin(), models.end(),
                     [](const auto& model) { return model->needs_everybody(); });
}
[[nodiscard]] inline bool need_apart(const Models& models) {
  return std::any_of(models.begin(), models.end(),
                     [](const auto& model) { return model->needs_apart(); });
}

// 0 when no model says so.
[[nodiscard]] inline std::uint64_t least_records(const Models& models) {
  std::uint64_t least = 0;
  for (const auto& model : models) least = std::max(least, model->least_records());
  return least;
}

}  // namespace pratique::tables
