// Models of every kind that search tells apart, each written down from its definition. Include
// <nlohmann/json.hpp> before it.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "pratique/tables/model/model.h"

namespace pratique::tables {

class ModelForTest : public Model {
 public:
  ModelForTest(std::string name, double required) : name_(std::move(name)), required_(required) {}
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bool monotone() const override { return true; }
  [[nodiscard]] bool larger_is_safer() const override { return true; }
  [[nodiscard]] double required() const override { return required_; }
  [[nodiscard]] bool holds(const ClassView& view) const override {
    return larger_is_safer() ? measure(view) >= required_ * (1 - 1e-12)
                             : measure(view) <= required_ * (1 + 1e-12);
  }
  [[nodiscard]] Json claim(const std::vector<std::string>& /*qi*/) const override { return {}; }

 private:
  std::string name_;
  double required_;
};

// Survives growth, and looks at values.
class DistinctValues final : public ModelForTest {
 public:
  explicit DistinctValues(double l) : ModelForTest("distinct", l) {}
  [[nodiscard]] bool survives_growth() const override { return true; }
  [[nodiscard]] double measure(const ClassView& view) const override {
    return static_cast<double>(view.sensitive[0].values.size());
  }
};

// Monotone, but does not survive growth: e to the entropy, at least l.
class EntropyValues final : public ModelForTest {
 public:
  explicit EntropyValues(double l) : ModelForTest("entropy", l) {}
  [[nodiscard]] double measure(const ClassView& view) const override {
    double entropy = 0;
    for (const auto count : view.sensitive[0].counts) {
      const double share = static_cast<double>(count) / static_cast<double>(view.records);
      entropy -= share * std::log(share);
    }
    return std::exp(entropy);
  }
};

// Monotone, but does not survive growth: half the sum of differences to a distribution, at most t.
class EqualDistance final : public ModelForTest {
 public:
  EqualDistance(double t, std::vector<double> shares)
      : ModelForTest("distance", t), shares_(std::move(shares)) {}
  [[nodiscard]] bool larger_is_safer() const override { return false; }
  [[nodiscard]] double measure(const ClassView& view) const override {
    std::vector<double> difference = shares_;
    const auto& values = view.sensitive[0];
    for (std::size_t i = 0; i < values.values.size(); ++i) {
      difference[values.values[i]] -=
          static_cast<double>(values.counts[i]) / static_cast<double>(view.records);
    }
    double sum = 0;
    for (const double d : difference) sum += std::abs(d);
    return sum / 2;
  }

 private:
  std::vector<double> shares_;
};

// Not monotone: classes of at most so many records.
class AtMost final : public ModelForTest {
 public:
  explicit AtMost(double most) : ModelForTest("at-most", most) {}
  [[nodiscard]] bool monotone() const override { return false; }
  [[nodiscard]] bool needs_sensitive() const override { return false; }
  [[nodiscard]] bool larger_is_safer() const override { return false; }
  [[nodiscard]] double measure(const ClassView& view) const override {
    return static_cast<double>(view.records);
  }
};

// Survives growth: people of the population.
class PeopleBehind final : public ModelForTest {
 public:
  explicit PeopleBehind(double least) : ModelForTest("people", least) {}
  [[nodiscard]] bool survives_growth() const override { return true; }
  [[nodiscard]] bool needs_sensitive() const override { return false; }
  [[nodiscard]] double measure(const ClassView& view) const override {
    return static_cast<double>(view.population);
  }
};

}  // namespace pratique::tables
