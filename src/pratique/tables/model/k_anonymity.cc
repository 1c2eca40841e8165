#include "pratique/tables/model/k_anonymity.h"

#include <nlohmann/json.hpp>

#include "pratique/tables/model/internal/model_settings.h"
#include "pratique/tables/model/model_request.h"

namespace pratique::tables {
namespace {

class KAnonymity final : public Model {
 public:
  explicit KAnonymity(std::uint64_t k) : k_(k) {}

  [[nodiscard]] std::string name() const override { return "k"; }
  [[nodiscard]] bool monotone() const override { return true; }
  [[nodiscard]] bool survives_growth() const override { return true; }
  [[nodiscard]] bool needs_sensitive() const override { return false; }
  [[nodiscard]] bool holds(const ClassView& view) const override { return view.records >= k_; }
  [[nodiscard]] std::uint64_t least_records() const override { return k_; }
  [[nodiscard]] double measure(const ClassView& view) const override {
    return static_cast<double>(view.records);
  }
  [[nodiscard]] double required() const override { return static_cast<double>(k_); }
  [[nodiscard]] bool larger_is_safer() const override { return true; }
  [[nodiscard]] Json claim(const std::vector<std::string>& quasi_identifiers) const override {
    return {{"model", "k-anonymity"}, {"quasi_identifiers", quasi_identifiers}, {"k", k_}};
  }

 private:
  std::uint64_t k_;
};

constexpr ModelSettingKind kKSettings[] = {
    {.key = "k",
     .type = SettingType::whole_number,
     .words = "k-anonymity: every class holds at least N records",
     .once = true,
     .low = 1,
     .high = kLargestCount}};

void read_k(ModelSettings& settings, ModelRequest& request) {
  for (const auto& setting : settings.of("k")) {
    settings.take(setting);
    const auto k = ModelSettings::whole(setting, setting.value, 1, "K, as in 5");
    request.models.push_back({.make = [k](const ModelParts&) { return k_anonymity(k); }});
  }
}

}  // namespace

const ModelKind k_anonymity_kind = {kKSettings, read_k};

std::unique_ptr<Model> k_anonymity(std::uint64_t k) { return std::make_unique<KAnonymity>(k); }

}  // namespace pratique::tables
