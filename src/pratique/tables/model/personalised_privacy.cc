#include "pratique/tables/model/personalised_privacy.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "pratique/core/error.h"
#include "pratique/data/number.h"
#include "pratique/tables/model/internal/attribute_model.h"
#include "pratique/tables/model/internal/hierarchy_paths.h"
#include "pratique/tables/model/internal/model_settings.h"
#include "pratique/tables/model/internal/value_domain.h"
#include "pratique/tables/model/model_request.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {
namespace {

using Node = Hierarchy::Node;

class PersonalisedPrivacy final : public AttributeModel {
 public:
  PersonalisedPrivacy(double p, const ModelAttribute& attribute, const Column& sensitive,
                      std::size_t guard_index, const Column& guard,
                      const std::vector<std::uint64_t>& counts, const Hierarchy& hierarchy)
      : AttributeModel("guard", attribute),
        p_(p),
        guard_(guard),
        guard_index_(guard_index),
        hierarchy_(hierarchy),
        records_(records_of_values(sensitive, counts)),
        leaf_(leaves_of_values(sensitive, records_, hierarchy)) {
    std::size_t unknown = 0;
    const auto used = records_of_values(guard, counts);
    for (Code code = 0; code < used.size(); ++code) {
      const std::string_view label = guard.dictionary.value(code);
      node_.push_back(label.empty() || used[code] == 0 ? std::nullopt : hierarchy.find(label));
      if (!label.empty() && used[code] != 0 && !node_.back()) ++unknown;
    }
    if (unknown != 0) {
      throw Error::input(fmt::format("{} distinct guarding nodes in '{}' are not in the hierarchy "
                                     "of '{}'",
                                     unknown, guard.name, sensitive.name))
          .hint("A guarding node is a label of that hierarchy; an empty cell guards nothing.");
    }
  }

  [[nodiscard]] bool monotone() const override { return false; }
  [[nodiscard]] bool holds(const ClassView& view) const override { return measure(view) <= p_; }
  [[nodiscard]] double measure(const ClassView& view) const override {
    const auto& here = counts(view);
    std::uint64_t most = 0;
    for (const Code guard : view.sensitive[guard_index_].values) {
      if (!node_[guard]) continue;
      std::uint64_t under = 0;
      for (std::size_t i = 0; i < here.values.size(); ++i) {
        if (hierarchy_.is_under(leaf_[here.values[i]], *node_[guard])) under += here.counts[i];
      }
      most = std::max(most, under);
    }
    return most == 0 ? 0 : static_cast<double>(most) / static_cast<double>(view.records);
  }
  [[nodiscard]] double required() const override { return p_; }
  [[nodiscard]] bool larger_is_safer() const override { return false; }
  [[nodiscard]] Json claim(const std::vector<std::string>& quasi_identifiers) const override {
    Json claim = claim_of("personalised-privacy", quasi_identifiers);
    claim["guard"] = guard_.name;
    claim["p"] = p_;
    claim["paths"] = all_paths(hierarchy_);
    return claim;
  }
  void complete_claim(const ProtectionInput& input, const Recoding& recoding,
                      Json& claim) const override {
    std::vector<std::set<std::string>> nodes(recoding.class_count);
    std::vector<std::vector<std::string>> cells(recoding.class_count);
    std::set<Node> shown;
    std::set<Node> guarding;
    for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
      const ClassId id = recoding.class_of[i];
      const Code guard = guard_.codes[recoding.groups[i]];
      shown.insert(leaf_[input.sensitive[attribute().index]->codes[recoding.groups[i]]]);
      if (node_[guard]) {
        nodes[id].emplace(guard_.dictionary.value(guard));
        guarding.insert(*node_[guard]);
      }
      if (!cells[id].empty()) continue;
      for (const auto& column : recoding.columns) {
        cells[id].push_back(column.values[column.codes[i]]);
      }
    }
    // Of the tree only what is shown: a hierarchy that follows from the table has values that
    // nobody who is released has.
    claim["paths"] = paths_through(hierarchy_, shown, guarding);
    Json& guards = claim["guards"] = Json::array();
    for (std::size_t id = 0; id < recoding.class_count; ++id) {
      guards.push_back({{"class", cells[id]}, {"nodes", nodes[id]}});
    }
  }

 private:
  double p_;
  const Column& guard_;
  std::size_t guard_index_;
  const Hierarchy& hierarchy_;
  std::vector<std::uint64_t> records_;
  std::vector<Node> leaf_;                 // by code of the sensitive attribute
  std::vector<std::optional<Node>> node_;  // by code of the guarding column
};

constexpr ModelSettingKind kGuardSettings[] = {
    {.key = "guard",
     .type = SettingType::text,
     .words = "COLUMN:P, personalised privacy: guarding nodes in COLUMN, breach at most P"}};

constexpr const char* kGuardForm = "COLUMN:P, as in guard:0.5 or guard:0.5@diagnosis";

struct Guard {
  std::string guard;
  std::string probability;
  std::string guarded;  // empty: none was named
};

// The names of columns may have any sign: the probability is the last number between a colon and an
// @ or the end.
Guard guard_of(const ModelSetting& setting) {
  const std::string& text = setting.value;
  Guard guard;
  for (auto colon = text.find(':', 1); colon != std::string::npos;
       colon = text.find(':', colon + 1)) {
    const auto at = std::min(text.find('@', colon), text.size());
    const std::string number = text.substr(colon + 1, at - colon - 1);
    if (!is_number(number)) continue;
    guard = {text.substr(0, colon), number,
             at == text.size() ? std::string() : text.substr(at + 1)};
  }
  if (guard.guard.empty()) {
    throw ModelSettings::error(setting, "it does not name a column and a probability",
                               fmt::format("Write --guard {}.", kGuardForm));
  }
  return guard;
}

void read_guard(ModelSettings& settings, ModelRequest& request) {
  for (const auto& setting : settings.of("guard")) {
    const Guard asked = guard_of(setting);
    const auto columns = settings.columns_of(setting, asked.guarded);
    const std::string& column = columns.front();
    if (columns.size() > 1) {
      throw ModelSettings::error(setting,
                                 "it does not say which of the sensitive attributes is guarded",
                                 fmt::format("Write --guard {}@{}.", setting.value, column));
    }
    if (asked.guard == column || settings.schema().role_of(asked.guard) == Role::quasi_identifier) {
      throw ModelSettings::error(
          setting, fmt::format("'{}' cannot hold guarding nodes", asked.guard),
          "Name a column of its own, neither a quasi-identifier nor the guarded attribute.");
    }
    settings.take(setting, column);
    const double p = ModelSettings::number(setting, asked.probability, 0, 1, kGuardForm);
    request.models.push_back(
        {.column = column,
         .withheld = asked.guard,
         .make = [p, column, guard = asked.guard](const ModelParts& parts) {
           const Hierarchy* tree = parts.hierarchy(column);
           if (tree == nullptr) {
             throw Error::input(
                 fmt::format("'{}' has no hierarchy for guarding nodes to be in", column))
                 .hint(fmt::format("Give one with --hierarchy {}=FILE.", column));
           }
           return personalised_privacy(p, parts.attribute(column), parts.column(column),
                                       parts.index(guard), parts.column(guard),
                                       *parts.input().counts, *tree);
         }});
  }
}

}  // namespace

const ModelKind personalised_privacy_kind = {kGuardSettings, read_guard};

std::unique_ptr<Model> personalised_privacy(double p, const ModelAttribute& attribute,
                                            const Column& sensitive, std::size_t guard_index,
                                            const Column& guard,
                                            const std::vector<std::uint64_t>& counts,
                                            const Hierarchy& hierarchy) {
  return std::make_unique<PersonalisedPrivacy>(p, attribute, sensitive, guard_index, guard, counts,
                                               hierarchy);
}

}  // namespace pratique::tables
