#include "pratique/tables/model/proximity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/data/number.h"
#include "pratique/tables/model/internal/attribute_model.h"
#include "pratique/tables/model/internal/model_settings.h"
#include "pratique/tables/model/model_request.h"

namespace pratique::tables {
namespace {

using Names = std::vector<std::string>;

class EmAnonymity final : public AttributeModel {
 public:
  EmAnonymity(double e, std::uint64_t m, const ModelAttribute& attribute,
              std::vector<double> numbers)
      : AttributeModel("em", attribute), e_(e), m_(m), numbers_(std::move(numbers)) {}

  [[nodiscard]] bool monotone() const override { return false; }
  [[nodiscard]] bool holds(const ClassView& view) const override {
    return most_near(view) * m_ <= view.records;
  }
  [[nodiscard]] double measure(const ClassView& view) const override {
    return view.records == 0
               ? 0
               : static_cast<double>(most_near(view)) / static_cast<double>(view.records);
  }
  [[nodiscard]] double required() const override { return 1.0 / static_cast<double>(m_); }
  [[nodiscard]] bool larger_is_safer() const override { return false; }
  [[nodiscard]] Json claim(const Names& quasi_identifiers) const override {
    Json claim = claim_of("em-anonymity", quasi_identifiers);
    claim["e"] = e_;
    claim["m"] = m_;
    return claim;
  }

 private:
  // The records around the record that has most of them.
  [[nodiscard]] std::uint64_t most_near(const ClassView& view) const {
    const auto& sensitive = counts(view);
    std::vector<std::pair<double, std::uint64_t>> sorted;
    sorted.reserve(sensitive.values.size());
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < sensitive.values.size(); ++i) {
      const double number = numbers_[sensitive.values[i]];
      if (std::isnan(number)) {
        most = std::max(most, sensitive.counts[i]);
      } else {
        sorted.emplace_back(number, sensitive.counts[i]);
      }
    }
    std::sort(sorted.begin(), sorted.end());
    const double reach = e_ + kModelRounding * std::max(1.0, e_);
    std::size_t low = 0;
    std::size_t high = 0;
    std::uint64_t near = 0;  // of sorted[low] up to sorted[high - 1]
    for (const auto& [centre, count] : sorted) {
      while (high < sorted.size() && sorted[high].first - centre <= reach) {
        near += sorted[high++].second;
      }
      while (centre - sorted[low].first > reach) near -= sorted[low++].second;
      most = std::max(most, near);
    }
    return most;
  }

  double e_;
  std::uint64_t m_;
  std::vector<double> numbers_;
};

class RangeDiversity final : public AttributeModel {
 public:
  RangeDiversity(double e, const ModelAttribute& attribute, std::vector<double> numbers)
      : AttributeModel("range", attribute), e_(e), numbers_(std::move(numbers)) {}

  [[nodiscard]] bool monotone() const override { return true; }
  [[nodiscard]] bool survives_growth() const override { return true; }
  [[nodiscard]] bool holds(const ClassView& view) const override {
    return measure(view) >= e_ - kModelRounding;
  }
  [[nodiscard]] double measure(const ClassView& view) const override {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const Code value : counts(view).values) {
      const double number = numbers_[value];
      if (std::isnan(number)) continue;
      low = std::min(low, number);
      high = std::max(high, number);
    }
    return high < low ? 0 : high - low;
  }
  [[nodiscard]] double required() const override { return e_; }
  [[nodiscard]] bool larger_is_safer() const override { return true; }
  [[nodiscard]] Json claim(const Names& quasi_identifiers) const override {
    Json claim = claim_of("range-diversity", quasi_identifiers);
    claim["e"] = e_;
    return claim;
  }

 private:
  double e_;
  std::vector<double> numbers_;
};

constexpr ModelSettingKind kEmSettings[] = {
    {.key = "em",
     .type = SettingType::text,
     .words = "E:M, of numbers: at most 1/M of a class lies within E of any record",
     .per_column = true}};

void read_em(ModelSettings& settings, ModelRequest& request) {
  const std::string form = "E:M, as in 1000:4";
  for (const auto& setting : settings.of("em")) {
    const auto word = ModelSettings::word_of(setting);
    const auto [e_text, m_text] = ModelSettings::split(setting, word.value, ':', form);
    const double e = ModelSettings::number(setting, e_text, 0, kNoUpperBound, form);
    const auto m = ModelSettings::whole(setting, m_text, 1, form);
    settings.for_columns(setting, word, [&](const std::string& column) {
      request.models.push_back({.column = column, .make = [=](const ModelParts& parts) {
                                  return em_anonymity(
                                      e, m, parts.attribute(column),
                                      numbers_of(parts.column(column), *parts.input().counts));
                                }});
    });
  }
}

constexpr ModelSettingKind kRangeSettings[] = {
    {.key = "range",
     .type = SettingType::number,
     .words = "the numbers in a class span at least this",
     .per_column = true}};

void read_range(ModelSettings& settings, ModelRequest& request) {
  for (const auto& setting : settings.of("range")) {
    const auto word = ModelSettings::word_of(setting);
    const double e = ModelSettings::number(setting, word.value, 0, kNoUpperBound, "E, as in 1000");
    settings.for_columns(setting, word, [&](const std::string& column) {
      request.models.push_back({.column = column, .make = [=](const ModelParts& parts) {
                                  return range_diversity(
                                      e, parts.attribute(column),
                                      numbers_of(parts.column(column), *parts.input().counts));
                                }});
    });
  }
}

}  // namespace

const ModelKind em_anonymity_kind = {kEmSettings, read_em};
const ModelKind range_diversity_kind = {kRangeSettings, read_range};

std::vector<double> numbers_of(const Column& column, const std::vector<std::uint64_t>& counts) {
  std::vector<bool> used(column.dictionary.size(), false);
  for (std::size_t row = 0; row < counts.size(); ++row) {
    if (counts[row] != 0) used[column.codes[row]] = true;
  }
  std::vector<double> numbers(used.size(), std::numeric_limits<double>::quiet_NaN());
  std::size_t others = 0;
  for (Code code = 0; code < used.size(); ++code) {
    const std::string_view text = column.dictionary.value(code);
    if (text.empty() || !used[code]) continue;
    if (is_number(text)) {
      numbers[code] = to_double(text);
    } else {
      ++others;
    }
  }
  if (others != 0) {
    throw Error::input(
        fmt::format("column '{}' has {} distinct values that are not numbers", column.name, others))
        .hint(
            "em and range are for numbers, written without an exponent (100000, not 1e5) and with "
            "a "
            "point (3.5, not 3,5); for categories ask for l, alpha or t.");
  }
  return numbers;
}

std::unique_ptr<Model> em_anonymity(double e, std::uint64_t m, const ModelAttribute& attribute,
                                    std::vector<double> numbers) {
  return std::make_unique<EmAnonymity>(e, m, attribute, std::move(numbers));
}

std::unique_ptr<Model> range_diversity(double e, const ModelAttribute& attribute,
                                       std::vector<double> numbers) {
  return std::make_unique<RangeDiversity>(e, attribute, std::move(numbers));
}

}  // namespace pratique::tables
