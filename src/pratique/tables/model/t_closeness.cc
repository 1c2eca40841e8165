#include "pratique/tables/model/t_closeness.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/tables/model/internal/attribute_model.h"
#include "pratique/tables/model/internal/hierarchy_paths.h"
#include "pratique/tables/model/internal/model_settings.h"
#include "pratique/tables/model/internal/value_domain.h"
#include "pratique/tables/model/model_request.h"

namespace pratique::tables {
namespace {

using Names = std::vector<std::string>;
using Node = Hierarchy::Node;

// What the three distances share: the reference, the bound and the claim.
class Closeness : public AttributeModel {
 public:
  Closeness(double t, const ModelAttribute& attribute, const Column& sensitive,
            std::vector<std::uint64_t> records, GroundDistance distance, const Hierarchy* hierarchy)
      : AttributeModel("t", attribute),
        t_(t),
        distance_(distance),
        tree_(hierarchy),
        sensitive_(sensitive),
        records_(std::move(records)),
        share_(records_.size(), 0) {
    const auto all = static_cast<double>(total());
    for (Code code = 0; code < share_.size(); ++code) {
      if (records_[code] != 0) share_[code] = static_cast<double>(records_[code]) / all;
    }
  }

  [[nodiscard]] bool monotone() const override { return true; }
  [[nodiscard]] bool holds(const ClassView& view) const override {
    return measure(view) <= t_ + kModelRounding;
  }
  [[nodiscard]] double required() const override { return t_; }
  [[nodiscard]] bool larger_is_safer() const override { return false; }
  [[nodiscard]] std::unique_ptr<Model> about(const std::vector<std::uint64_t>& counts,
                                             double share) const override {
    return t_closeness(t_ * share, distance_, attribute(), sensitive_, counts, tree_);
  }

 protected:
  [[nodiscard]] Json claim_with(const char* distance, const Names& quasi_identifiers) const {
    Json claim = claim_of("t-closeness", quasi_identifiers);
    claim["distance"] = distance;
    claim["t"] = t_;
    return claim;
  }
  [[nodiscard]] std::string text(Code code) const {
    return std::string(sensitive_.dictionary.value(code));
  }
  [[nodiscard]] bool has_records(Code code) const { return records_[code] != 0; }
  [[nodiscard]] const std::vector<double>& shares() const { return share_; }
  [[nodiscard]] double bound() const { return t_; }

 private:
  [[nodiscard]] std::uint64_t total() const {
    return std::accumulate(records_.begin(), records_.end(), std::uint64_t{0});
  }

  double t_;
  GroundDistance distance_;
  const Hierarchy* tree_;
  const Column& sensitive_;
  std::vector<std::uint64_t> records_;
  std::vector<double> share_;
};

class EqualCloseness final : public Closeness {
 public:
  using Closeness::Closeness;

  // What lies above q on one side lies below it on the other: half the sum is the sum of excesses.
  [[nodiscard]] double measure(const ClassView& view) const override {
    const auto& here = counts(view);
    const auto n = static_cast<double>(view.records);
    double excess = 0;  // of records
    for (std::size_t i = 0; i < here.values.size(); ++i) {
      excess += std::max(0.0, static_cast<double>(here.counts[i]) - shares()[here.values[i]] * n);
    }
    return excess / n;
  }
  // The parts that are close are so as one class (monotone). Let that have n records, and let B be
  // any set of values whose share Q of the table is above t: they have a share of at least Q - t
  // there, so n <= records of B / (Q - t). B is what is too rare in n records, from round to round.
  [[nodiscard]] std::uint64_t most_kept(const ClassView& view) const override {
    constexpr int kRounds = 4;
    const auto& here = counts(view);
    auto n = static_cast<double>(view.records);
    for (int round = 0; round < kRounds; ++round) {
      double common = 0;  // share of all values but B
      double rare = 0;    // records of B
      for (std::size_t i = 0; i < here.values.size(); ++i) {
        const double share = shares()[here.values[i]];
        const auto count = static_cast<double>(here.counts[i]);
        const bool is_rare = count < share * n;
        rare += is_rare ? count : 0;
        common += is_rare ? 0 : share;
      }
      const double needed = 1 - common - bound() - 2 * kModelRounding;
      if (rare >= needed * n) break;
      n = rare / needed;
    }
    return std::min(view.records, static_cast<std::uint64_t>(n * (1 + 1e-9) + 1e-9));
  }
  [[nodiscard]] bool bounds_parts() const override { return true; }
  [[nodiscard]] Json claim(const Names& quasi_identifiers) const override {
    return claim_with("equal", quasi_identifiers);
  }
};

class OrderedCloseness final : public Closeness {
 public:
  OrderedCloseness(double t, const ModelAttribute& attribute, const Column& sensitive,
                   const std::vector<std::uint64_t>& records, ValueOrder order,
                   const Hierarchy* hierarchy)
      : Closeness(t, attribute, sensitive, records, GroundDistance::ordered, hierarchy),
        order_(std::move(order)),
        reference_(order_.positions, 0) {
    for (Code code = 0; code < records.size(); ++code) {
      if (has_records(code)) reference_[order_.position[code]] += shares()[code];
    }
  }

  [[nodiscard]] double measure(const ClassView& view) const override {
    if (order_.positions < 2 || view.records == 0) return 0;
    const auto& here = counts(view);
    const auto n = static_cast<double>(view.records);
    std::vector<double> difference(reference_.size());
    for (std::size_t i = 0; i < here.values.size(); ++i) {
      difference[order_.position[here.values[i]]] += static_cast<double>(here.counts[i]) / n;
    }
    double carried = 0;
    double work = 0;
    for (std::size_t i = 0; i + 1 < difference.size(); ++i) {
      carried += difference[i] - reference_[i];
      work += std::abs(carried);
    }
    return work / (order_.positions - 1);
  }
  [[nodiscard]] Json claim(const Names& quasi_identifiers) const override {
    Json claim = claim_with("ordered", quasi_identifiers);
    if (order_.natural) return claim;
    std::vector<Code> codes;
    for (Code code = 0; code < shares().size(); ++code) {
      if (has_records(code)) codes.push_back(code);
    }
    std::sort(codes.begin(), codes.end(),
              [&](Code a, Code b) { return order_.position[a] < order_.position[b]; });
    Json& order = claim["order"] = Json::array();
    for (const Code code : codes) order.push_back(text(code));
    return claim;
  }

 private:
  ValueOrder order_;
  std::vector<double> reference_;  // by position
};

class HierarchicalCloseness final : public Closeness {
 public:
  HierarchicalCloseness(double t, const ModelAttribute& attribute, const Column& sensitive,
                        const std::vector<std::uint64_t>& records, const Hierarchy& hierarchy)
      : Closeness(t, attribute, sensitive, records, GroundDistance::hierarchical, &hierarchy),
        hierarchy_(hierarchy),
        leaf_(leaves_of_values(sensitive, records, hierarchy)),
        reference_(hierarchy.leaf_count(), 0) {
    for (Code code = 0; code < records.size(); ++code) {
      if (has_records(code)) reference_[leaf_[code]] += shares()[code];
    }
  }

  [[nodiscard]] double measure(const ClassView& view) const override {
    const int top = hierarchy_.height() - 1;
    if (top == 0 || view.records == 0) return 0;
    const auto& here = counts(view);
    const auto n = static_cast<double>(view.records);
    struct Extra {
      double sum = 0;
      double too_much = 0;  // among the children
      double too_little = 0;
    };
    std::vector<Extra> extra(hierarchy_.node_count());
    for (Node leaf = 0; leaf < reference_.size(); ++leaf) extra[leaf].sum = -reference_[leaf];
    for (std::size_t i = 0; i < here.values.size(); ++i) {
      extra[leaf_[here.values[i]]].sum += static_cast<double>(here.counts[i]) / n;
    }
    // Children are numbered before their parents.
    double work = 0;
    for (Node node = 0; node < extra.size(); ++node) {
      const Extra& own = extra[node];
      work += hierarchy_.level(node) * std::min(own.too_much, own.too_little);
      if (node == hierarchy_.root()) break;
      Extra& parent = extra[hierarchy_.parent(node)];
      parent.sum += own.sum;
      (own.sum > 0 ? parent.too_much : parent.too_little) += std::abs(own.sum);
    }
    return work / top;
  }
  [[nodiscard]] Json claim(const Names& quasi_identifiers) const override {
    Json claim = claim_with("hierarchical", quasi_identifiers);
    Json& paths = claim["paths"] = Json::array();
    for (Code code = 0; code < shares().size(); ++code) {
      if (has_records(code)) paths.push_back(path_of(hierarchy_, leaf_[code]));
    }
    return claim;
  }

 private:
  const Hierarchy& hierarchy_;
  std::vector<Node> leaf_;         // by code
  std::vector<double> reference_;  // by leaf
};

constexpr std::array<std::string_view, 3> kDistances = {"equal", "ordered", "hierarchical"};

constexpr ModelSettingKind kClosenessSettings[] = {
    {.key = "t",
     .type = SettingType::share,
     .words = "t-closeness of a class's sensitive values to the table's",
     .per_column = true},
    {.key = "distance",
     .type = SettingType::choice,
     .words = "of t: how far apart two values are",
     .per_column = true,
     .choices = kDistances,
     .fallback = "equal"}};

GroundDistance distance_of(const ModelSetting& setting, const std::string& word) {
  if (word == "equal") return GroundDistance::equal;
  if (word == "ordered") return GroundDistance::ordered;
  if (word == "hierarchical") return GroundDistance::hierarchical;
  throw ModelSettings::error(setting, "there is no such distance",
                             "Choose one of equal, ordered, hierarchical.");
}

void read_closeness(ModelSettings& settings, ModelRequest& request) {
  const auto distances = settings.choices<GroundDistance>("distance", distance_of);
  for (const auto& setting : settings.of("t")) {
    const auto word = ModelSettings::word_of(setting);
    settings.for_columns(setting, word, [&](const std::string& column) {
      const double t = ModelSettings::number(setting, word.value, 0, 1, "T, as in 0.2");
      const GroundDistance distance = distances.of(column, GroundDistance::equal);
      request.models.push_back({.column = column, .make = [=](const ModelParts& parts) {
                                  return t_closeness(t, distance, parts.attribute(column),
                                                     parts.column(column), *parts.input().counts,
                                                     parts.hierarchy(column));
                                }});
    });
  }
  settings.check_heard("distance", "t");
}

}  // namespace

const ModelKind t_closeness_kind = {kClosenessSettings, read_closeness};

std::unique_ptr<Model> t_closeness(double t, GroundDistance distance,
                                   const ModelAttribute& attribute, const Column& column,
                                   const std::vector<std::uint64_t>& counts,
                                   const Hierarchy* hierarchy) {
  auto records = records_of_values(column, counts);
  switch (distance) {
    case GroundDistance::equal:
      return std::make_unique<EqualCloseness>(t, attribute, column, std::move(records), distance,
                                              hierarchy);
    case GroundDistance::ordered: {
      auto order = order_values(column, records, hierarchy);
      return std::make_unique<OrderedCloseness>(t, attribute, column, records, std::move(order),
                                                hierarchy);
    }
    case GroundDistance::hierarchical:
      break;
  }
  if (hierarchy == nullptr) {
    throw Error::input(fmt::format("'{}' has no hierarchy to measure distance in", column.name))
        .hint(fmt::format("Give one with --hierarchy {}=FILE, or ask for --distance equal.",
                          column.name));
  }
  return std::make_unique<HierarchicalCloseness>(t, attribute, column, records, *hierarchy);
}

}  // namespace pratique::tables
