#include "pratique/tables/model/k_anonymity.h"

#include <nlohmann/json.hpp>

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

}  // namespace

std::unique_ptr<Model> k_anonymity(std::uint64_t k) { return std::make_unique<KAnonymity>(k); }

}  // namespace pratique::tables
