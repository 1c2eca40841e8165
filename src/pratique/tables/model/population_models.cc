#include "pratique/tables/model/population_models.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "pratique/tables/model/internal/hierarchy_paths.h"
#include "pratique/tables/model/internal/model_settings.h"
#include "pratique/tables/model/model_request.h"

namespace pratique::tables {
namespace {

using Names = std::vector<std::string>;

Json claim_about(const std::string& model, const Names& quasi_identifiers,
                 const PopulationFile& file, const Json& hierarchies) {
  Json claim = {{"model", model},
                {"quasi_identifiers", quasi_identifiers},
                {"population", {{"path", file.path}}},
                {"hierarchies", hierarchies}};
  if (!file.dates.empty()) claim["population"]["dates"] = file.dates;
  if (!file.numbers.empty()) claim["population"]["numbers"] = file.numbers;
  return claim;
}

// By leaf: whether records have the value and nobody of the population has. Of such a value a claim
// must not tell: it would be known to be in the table.
std::vector<bool> private_leaves(const Attribute& attribute,
                                 const std::vector<std::uint64_t>* population) {
  std::vector<bool> is_private(attribute.hierarchy->leaf_count(), false);
  if (population == nullptr) return is_private;
  for (const auto leaf : attribute.leaf) is_private[leaf] = true;
  for (std::size_t group = 0; group < population->size(); ++group) {
    if ((*population)[group] > 0)
      is_private[attribute.leaf[attribute.column->codes[group]]] = false;
  }
  return is_private;
}

// A flat hierarchy says no more than its cells do: a value, or *.
Json hierarchies_of(const std::vector<Attribute>& attributes,
                    const std::vector<std::uint64_t>* population) {
  Json hierarchies = Json::object();
  for (const auto& attribute : attributes) {
    const Hierarchy& hierarchy = *attribute.hierarchy;
    if (hierarchy.height() <= 2 && hierarchy.label(hierarchy.root()) == "*") continue;
    const auto is_private = private_leaves(attribute, population);
    Json paths = Json::array();
    for (auto& path : all_paths(hierarchy)) {
      if (!is_private[*hierarchy.leaf(path[0].get<std::string>())])
        paths.push_back(std::move(path));
    }
    hierarchies[attribute.name] = std::move(paths);
  }
  return hierarchies;
}

class KMap final : public Model {
 public:
  KMap(std::uint64_t k, PopulationFile file, Json hierarchies)
      : k_(k), file_(std::move(file)), hierarchies_(std::move(hierarchies)) {}

  [[nodiscard]] std::string name() const override { return "k-map"; }
  [[nodiscard]] bool monotone() const override { return true; }
  [[nodiscard]] bool survives_growth() const override { return true; }
  [[nodiscard]] bool needs_sensitive() const override { return false; }
  [[nodiscard]] bool needs_population() const override { return true; }
  [[nodiscard]] bool holds(const ClassView& view) const override { return view.population >= k_; }
  [[nodiscard]] double measure(const ClassView& view) const override {
    return static_cast<double>(view.population);
  }
  [[nodiscard]] double required() const override { return static_cast<double>(k_); }
  [[nodiscard]] bool larger_is_safer() const override { return true; }
  [[nodiscard]] Json claim(const Names& quasi_identifiers) const override {
    Json claim = claim_about("k-map", quasi_identifiers, file_, hierarchies_);
    claim["k"] = k_;
    return claim;
  }

 private:
  std::uint64_t k_;
  PopulationFile file_;
  Json hierarchies_;
};

class DeltaPresence final : public Model {
 public:
  DeltaPresence(double minimum, double maximum, PopulationFile file, Json hierarchies)
      : minimum_(minimum),
        maximum_(maximum),
        file_(std::move(file)),
        hierarchies_(std::move(hierarchies)) {}

  [[nodiscard]] std::string name() const override { return "delta"; }
  [[nodiscard]] bool monotone() const override { return true; }
  [[nodiscard]] bool needs_sensitive() const override { return false; }
  [[nodiscard]] bool needs_population() const override { return true; }
  [[nodiscard]] bool needs_everybody() const override { return minimum_ > 0; }
  [[nodiscard]] bool needs_apart() const override { return minimum_ > 0 || maximum_ < 1; }
  [[nodiscard]] bool holds(const ClassView& view) const override {
    const double share = share_of(view);
    return share >= minimum_ && share <= maximum_;
  }
  // How far the share lies above or below what is allowed counts the same: the figure is the share
  // itself where it is allowed or too large, and mirrored into what is too large where it is too
  // small.
  [[nodiscard]] double measure(const ClassView& view) const override {
    const double share = share_of(view);
    return share < minimum_ ? maximum_ + (minimum_ - share) : share;
  }
  [[nodiscard]] double required() const override { return maximum_; }
  [[nodiscard]] std::optional<double> minimum() const override { return minimum_; }
  [[nodiscard]] bool larger_is_safer() const override { return false; }
  [[nodiscard]] Json claim(const Names& quasi_identifiers) const override {
    Json claim = claim_about("delta-presence", quasi_identifiers, file_, hierarchies_);
    claim["delta_min"] = minimum_;
    claim["delta_max"] = maximum_;
    return claim;
  }

 private:
  static double share_of(const ClassView& view) {
    if (view.records == 0) return 0;
    return view.population == 0
               ? std::numeric_limits<double>::infinity()
               : static_cast<double>(view.records) / static_cast<double>(view.population);
  }

  double minimum_;
  double maximum_;
  PopulationFile file_;
  Json hierarchies_;
};

constexpr ModelSettingKind kMapSettings[] = {
    {.key = "k-map",
     .type = SettingType::whole_number,
     .words = "every class matches at least N people of --population",
     .once = true,
     .low = 1,
     .high = kLargestCount},
    {.key = "population",
     .type = SettingType::file_read,
     .words = "a table of all people the adversary may choose from",
     .once = true}};

void read_k_map(ModelSettings& settings, ModelRequest& request) {
  for (const auto& setting : settings.of("population")) {
    settings.take(setting);
    request.population = setting.value;
  }
  for (const auto& setting : settings.of("k-map")) {
    settings.take(setting);
    const auto k = ModelSettings::whole(setting, setting.value, 1, "K, as in 5");
    request.models.push_back({.needs_population = true, .make = [k](const ModelParts& parts) {
                                return k_map(k, parts.population("k-map"), parts.input().attributes,
                                             parts.input().population);
                              }});
  }
}

constexpr ModelSettingKind kDeltaSettings[] = {
    {.key = "delta",
     .type = SettingType::text,
     .words = "MIN,MAX, delta-presence: the share of --population that is in the table",
     .once = true}};

void read_delta(ModelSettings& settings, ModelRequest& request) {
  const std::string form = "MIN,MAX, as in 0.05,0.5";
  for (const auto& setting : settings.of("delta")) {
    settings.take(setting);
    const auto [low, high] = ModelSettings::split(setting, setting.value, ',', form);
    const double minimum = ModelSettings::number(setting, low, 0, 1, form);
    const double maximum = ModelSettings::number(setting, high, minimum, 1, form);
    request.models.push_back({.needs_population = true, .make = [=](const ModelParts& parts) {
                                return delta_presence(minimum, maximum, parts.population("delta"),
                                                      parts.input().attributes,
                                                      parts.input().population);
                              }});
  }
}

}  // namespace

const ModelKind k_map_kind = {kMapSettings, read_k_map};
const ModelKind delta_presence_kind = {kDeltaSettings, read_delta};

std::unique_ptr<Model> k_map(std::uint64_t k, const PopulationFile& file,
                             const std::vector<Attribute>& attributes,
                             const std::vector<std::uint64_t>* population) {
  return std::make_unique<KMap>(k, file, hierarchies_of(attributes, population));
}

std::unique_ptr<Model> delta_presence(double minimum, double maximum, const PopulationFile& file,
                                      const std::vector<Attribute>& attributes,
                                      const std::vector<std::uint64_t>* population) {
  return std::make_unique<DeltaPresence>(minimum, maximum, file,
                                         hierarchies_of(attributes, population));
}

}  // namespace pratique::tables
