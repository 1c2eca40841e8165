#include "pratique/tables/model/l_diversity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "pratique/tables/model/internal/attribute_model.h"
#include "pratique/tables/model/internal/model_settings.h"
#include "pratique/tables/model/model_request.h"

namespace pratique::tables {
namespace {

using Names = std::vector<std::string>;

class DistinctDiversity final : public AttributeModel {
 public:
  DistinctDiversity(std::uint64_t l, const ModelAttribute& attribute)
      : AttributeModel("l", attribute), l_(l) {}

  [[nodiscard]] bool monotone() const override { return true; }
  [[nodiscard]] bool survives_growth() const override { return true; }
  [[nodiscard]] bool holds(const ClassView& view) const override {
    return counts(view).values.size() >= l_;
  }
  [[nodiscard]] double measure(const ClassView& view) const override {
    return static_cast<double>(counts(view).values.size());
  }
  [[nodiscard]] double required() const override { return static_cast<double>(l_); }
  [[nodiscard]] bool larger_is_safer() const override { return true; }
  [[nodiscard]] Json claim(const Names& quasi_identifiers) const override {
    Json claim = claim_of("distinct-l-diversity", quasi_identifiers);
    claim["l"] = l_;
    return claim;
  }

 private:
  std::uint64_t l_;
};

class EntropyDiversity final : public AttributeModel {
 public:
  EntropyDiversity(double l, const ModelAttribute& attribute)
      : AttributeModel("l", attribute), l_(l) {
    for (std::size_t n = 1; n < n_log_n_.size(); ++n) {
      n_log_n_[n] = static_cast<double>(n) * std::log(static_cast<double>(n));
    }
  }

  [[nodiscard]] bool monotone() const override { return true; }
  [[nodiscard]] bool holds(const ClassView& view) const override {
    // Entropy is at most the logarithm of the number of values.
    return static_cast<double>(counts(view).values.size()) >= l_ - kModelRounding &&
           measure(view) >= l_ - kModelRounding;
  }
  [[nodiscard]] double measure(const ClassView& view) const override {
    const auto n = static_cast<double>(view.records);
    double sum = 0;
    for (const auto count : counts(view).counts) {
      sum += count < n_log_n_.size()
                 ? n_log_n_[count]
                 : static_cast<double>(count) * std::log(static_cast<double>(count));
    }
    return n == 0 ? 0 : std::exp(std::log(n) - sum / n);
  }
  [[nodiscard]] double required() const override { return l_; }
  [[nodiscard]] bool larger_is_safer() const override { return true; }
  [[nodiscard]] Json claim(const Names& quasi_identifiers) const override {
    Json claim = claim_of("entropy-l-diversity", quasi_identifiers);
    claim["l"] = l_;
    return claim;
  }

 private:
  double l_;
  // Most counts are small, and logarithms are most of what search spends on this model.
  std::array<double, 1024> n_log_n_ = {};
};

class RecursiveDiversity final : public AttributeModel {
 public:
  RecursiveDiversity(double c, std::uint64_t l, const ModelAttribute& attribute)
      : AttributeModel("l", attribute), c_(c), l_(l) {}

  [[nodiscard]] bool monotone() const override { return true; }
  // A quotient of whole numbers is rounded as the c that the user wrote is, so that it compares
  // exactly.
  [[nodiscard]] bool holds(const ClassView& view) const override { return measure(view) < c_; }
  [[nodiscard]] double measure(const ClassView& view) const override {
    const auto& sensitive = counts(view);
    if (sensitive.counts.size() < l_) return std::numeric_limits<double>::infinity();
    std::vector<std::uint64_t> sorted(sensitive.counts.begin(), sensitive.counts.end());
    const auto tail_begin = sorted.begin() + static_cast<std::ptrdiff_t>(l_ - 1);
    std::nth_element(sorted.begin(), tail_begin, sorted.end(), std::greater<>());
    const std::uint64_t largest = *std::max_element(sorted.begin(), tail_begin + 1);
    std::uint64_t tail = 0;
    for (auto count = tail_begin; count != sorted.end(); ++count) tail += *count;
    return static_cast<double>(largest) / static_cast<double>(tail);
  }
  [[nodiscard]] double required() const override { return c_; }
  [[nodiscard]] bool larger_is_safer() const override { return false; }
  [[nodiscard]] Json claim(const Names& quasi_identifiers) const override {
    Json claim = claim_of("recursive-l-diversity", quasi_identifiers);
    claim["l"] = l_;
    claim["c"] = c_;
    return claim;
  }

 private:
  double c_;
  std::uint64_t l_;
};

class AlphaAnonymity final : public AttributeModel {
 public:
  AlphaAnonymity(double alpha, const ModelAttribute& attribute)
      : AttributeModel("alpha", attribute), alpha_(alpha) {}

  [[nodiscard]] bool monotone() const override { return true; }
  [[nodiscard]] bool holds(const ClassView& view) const override { return measure(view) <= alpha_; }
  [[nodiscard]] double measure(const ClassView& view) const override {
    const auto values = counts(view).counts;
    if (values.empty()) return 0;
    return static_cast<double>(*std::max_element(values.begin(), values.end())) /
           static_cast<double>(view.records);
  }
  // Let A be any set of values: in n records that satisfy the model they have at most alpha * n
  // records each, so n <= records of the others / (1 - alpha * size of A). A is what is too
  // frequent in n records, from round to round.
  [[nodiscard]] std::uint64_t most_kept(const ClassView& view) const override {
    constexpr int kRounds = 4;
    auto n = static_cast<double>(view.records);
    for (int round = 0; round < kRounds; ++round) {
      double others = 0;
      double share = 1;  // that is left for them
      for (const auto records : counts(view).counts) {
        const auto count = static_cast<double>(records);
        const bool frequent = count > alpha_ * n;
        others += frequent ? 0 : count;
        share -= frequent ? alpha_ : 0;
      }
      if (others >= (share - kModelRounding) * n) break;
      n = others / (share - kModelRounding);
    }
    return std::min(view.records, static_cast<std::uint64_t>(n * (1 + 1e-9) + 1e-9));
  }
  [[nodiscard]] bool bounds_parts() const override { return true; }
  [[nodiscard]] double required() const override { return alpha_; }
  [[nodiscard]] bool larger_is_safer() const override { return false; }
  [[nodiscard]] Json claim(const Names& quasi_identifiers) const override {
    Json claim = claim_of("alpha", quasi_identifiers);
    claim["alpha"] = alpha_;
    return claim;
  }

 private:
  double alpha_;
};

constexpr double kLargestL = 1e9;

constexpr ModelSettingKind kDiversitySettings[] = {
    {.key = "l",
     .type = SettingType::number,
     .words = "l-diversity of the sensitive values in a class",
     .per_column = true,
     .low = 1,
     .high = kLargestL},
    {.key = "diversity",
     .type = SettingType::text,
     .words = "which l-diversity: distinct, entropy or recursive:C",
     .per_column = true,
     .fallback = "distinct"}};

// Which l-diversity.
struct Diversity {
  enum class Kind { distinct, entropy, recursive };
  Kind kind = Kind::distinct;
  double c = 0;  // of recursive
};

Diversity diversity_of(const ModelSetting& setting, const std::string& word) {
  constexpr std::string_view recursive = "recursive:";
  if (word == "distinct") return {};
  if (word == "entropy") return {Diversity::Kind::entropy};
  if (!word.starts_with(recursive) || word == "recursive:C") {
    throw ModelSettings::error(setting, "there is no such diversity",
                               "Choose one of distinct, entropy, recursive:C.");
  }
  const double c = ModelSettings::number(setting, word.substr(recursive.size()), 0, 1e9,
                                         "recursive:C, as in recursive:2");
  if (c == 0) {
    throw ModelSettings::error(setting, "no class satisfies a C of 0", "Write a larger C.");
  }
  return {Diversity::Kind::recursive, c};
}

void read_diversity(ModelSettings& settings, ModelRequest& request) {
  const std::string form = "L, as in 3 or 3@diagnosis";
  const auto diversities = settings.choices<Diversity>("diversity", diversity_of);
  for (const auto& setting : settings.of("l")) {
    const auto word = ModelSettings::word_of(setting);
    settings.for_columns(setting, word, [&](const std::string& column) {
      const Diversity diversity = diversities.of(column, {});
      if (diversity.kind == Diversity::Kind::entropy) {
        const double l = ModelSettings::number(setting, word.value, 1, kLargestL, form);
        request.models.push_back({.column = column, .make = [=](const ModelParts& parts) {
                                    return entropy_l_diversity(l, parts.counted_attribute(column));
                                  }});
        return;
      }
      const auto l = ModelSettings::whole(setting, word.value, 1, form, kLargestL);
      request.models.push_back(
          {.column = column, .make = [=](const ModelParts& parts) {
             return diversity.kind == Diversity::Kind::recursive
                        ? recursive_l_diversity(diversity.c, l, parts.counted_attribute(column))
                        : distinct_l_diversity(l, parts.counted_attribute(column));
           }});
    });
  }
  settings.check_heard("diversity", "l");
}

constexpr ModelSettingKind kAlphaSettings[] = {
    {.key = "alpha",
     .type = SettingType::share,
     .words = "no sensitive value has a larger share of a class",
     .per_column = true}};

void read_alpha(ModelSettings& settings, ModelRequest& request) {
  for (const auto& setting : settings.of("alpha")) {
    const auto word = ModelSettings::word_of(setting);
    settings.for_columns(setting, word, [&](const std::string& column) {
      const double alpha = ModelSettings::number(setting, word.value, 0, 1, "A, as in 0.5");
      request.models.push_back({.column = column, .make = [=](const ModelParts& parts) {
                                  return alpha_anonymity(alpha, parts.counted_attribute(column));
                                }});
    });
  }
}

}  // namespace

const ModelKind l_diversity_kind = {kDiversitySettings, read_diversity};
const ModelKind alpha_anonymity_kind = {kAlphaSettings, read_alpha};

std::unique_ptr<Model> distinct_l_diversity(std::uint64_t l, const ModelAttribute& attribute) {
  return std::make_unique<DistinctDiversity>(l, attribute);
}

std::unique_ptr<Model> entropy_l_diversity(double l, const ModelAttribute& attribute) {
  return std::make_unique<EntropyDiversity>(l, attribute);
}

std::unique_ptr<Model> recursive_l_diversity(double c, std::uint64_t l,
                                             const ModelAttribute& attribute) {
  return std::make_unique<RecursiveDiversity>(c, l, attribute);
}

std::unique_ptr<Model> alpha_anonymity(double alpha, const ModelAttribute& attribute) {
  return std::make_unique<AlphaAnonymity>(alpha, attribute);
}

}  // namespace pratique::tables
