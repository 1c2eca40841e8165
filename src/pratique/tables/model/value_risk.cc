#include "pratique/tables/model/value_risk.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/tables/model/internal/attribute_model.h"
#include "pratique/tables/model/internal/model_settings.h"
#include "pratique/tables/model/model_request.h"
#include "pratique/tables/model/spelling.h"

namespace pratique::tables {
namespace {

class ValueRisk final : public AttributeModel {
 public:
  ValueRisk(double share, std::string value, Code code, const ModelAttribute& attribute)
      : AttributeModel("value-risk", attribute),
        share_(share),
        value_(std::move(value)),
        code_(code) {}

  [[nodiscard]] std::string name() const override { return AttributeModel::name() + ":" + value_; }
  [[nodiscard]] bool monotone() const override { return true; }
  [[nodiscard]] bool holds(const ClassView& view) const override { return measure(view) <= share_; }
  [[nodiscard]] double measure(const ClassView& view) const override {
    if (view.records == 0) return 0;
    return static_cast<double>(having(view)) / static_cast<double>(view.records);
  }
  // Of n records that satisfy the model at least (1 - share) * n have another value.
  [[nodiscard]] std::uint64_t most_kept(const ClassView& view) const override {
    const auto others = static_cast<double>(view.records - having(view));
    const double left = 1 - share_ - kModelRounding;
    if (left <= 0) return view.records;
    return std::min(view.records, static_cast<std::uint64_t>(others / left * (1 + 1e-9) + 1e-9));
  }
  [[nodiscard]] bool bounds_parts() const override { return true; }
  [[nodiscard]] double required() const override { return share_; }
  [[nodiscard]] bool larger_is_safer() const override { return false; }
  [[nodiscard]] Json claim(const std::vector<std::string>& quasi_identifiers) const override {
    Json claim = claim_of("value-risk", quasi_identifiers);
    claim["value"] = value_;
    claim["share"] = share_;
    return claim;
  }

 private:
  [[nodiscard]] std::uint64_t having(const ClassView& view) const {
    const auto& values = counts(view);
    for (std::size_t i = 0; i < values.values.size(); ++i) {
      if (values.values[i] == code_) return values.counts[i];
    }
    return 0;
  }

  double share_;
  std::string value_;
  Code code_;
};

constexpr ModelSettingKind kValueRiskSettings[] = {
    {.key = "value-risk",
     .type = SettingType::text,
     .words = "SHARE:VALUE: that sensitive value has no larger share of a class",
     .per_column = true}};

// However it is spelled.
std::optional<Code> code_of(const Column& column, const std::string& value) {
  const std::string wanted = without_spelling(value);
  for (Code code = 0; code < column.dictionary.size(); ++code) {
    if (without_spelling(column.dictionary.value(code)) == wanted) return code;
  }
  return std::nullopt;
}

void read_value_risk(ModelSettings& settings, ModelRequest& request) {
  const std::string form = "SHARE:VALUE, as in 0.1:HIV@diagnosis";
  for (const auto& setting : settings.of("value-risk")) {
    const auto word = ModelSettings::word_of(setting);
    const auto [share_text, value] = ModelSettings::split(setting, word.value, ':', form);
    const double share = ModelSettings::number(setting, share_text, 0, 1, form);
    for (const auto& column : settings.columns_of(setting, word.column)) {
      settings.take(setting, fmt::format("{}={}", column, value));
      request.models.push_back(
          {.column = column,
           .make = [share = share, value = value, column](const ModelParts& parts) {
             const auto code = code_of(parts.counted_column(column), value);
             if (!code) {
               throw Error::input(
                   fmt::format("--value-risk: column '{}' has no value '{}'", column, value))
                   .hint(
                       "Write it as in the file, and name the column: "
                       "--value-risk SHARE:VALUE@COLUMN.");
             }
             return value_risk(share, value, *code, parts.counted_attribute(column));
           }});
    }
  }
}

}  // namespace

const ModelKind value_risk_kind = {kValueRiskSettings, read_value_risk};

std::unique_ptr<Model> value_risk(double share, const std::string& value, Code code,
                                  const ModelAttribute& attribute) {
  return std::make_unique<ValueRisk>(share, value, code, attribute);
}

}  // namespace pratique::tables
