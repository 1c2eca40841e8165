#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "pratique/data/generalised.h"
#include "pratique/release/distributions.h"
#include "pratique/release/internal/kinds.h"
#include "pratique/release/internal/recorded_hierarchy.h"

namespace pratique::release {
namespace {

std::vector<std::string> names(const Json& parameters, const char* key) {
  const auto found = parameters.find(key);
  return found == parameters.end() ? std::vector<std::string>()
                                   : found->get<std::vector<std::string>>();
}

bool has_name(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// What the cells of a released column are, in shares of records.
std::string kinds_of_cells(const ValueCounts& released, const ValueCounts* original) {
  std::map<std::string, int> known;
  for (const auto& one : original == nullptr ? ValueCounts{} : *original) known[one.value] = 1;
  std::map<std::string, std::uint64_t> kinds;
  std::uint64_t all = 0;
  for (const auto& [cell, count] : released) {
    const auto meant = GeneralisedValue::parse_foreign(cell);
    all += count;
    switch (meant.kind()) {
      case GeneralisedValue::Kind::any:
        kinds["any value (*)"] += count;
        break;
      case GeneralisedValue::Kind::range:
        kinds["ranges"] += count;
        break;
      case GeneralisedValue::Kind::set:
        kinds["sets"] += count;
        break;
      case GeneralisedValue::Kind::pattern:
        kinds["beginnings"] += count;
        break;
      default:
        kinds[original == nullptr     ? "values or labels"
              : known.count(cell) > 0 ? "exact"
                                      : "labels"] += count;
    }
  }
  std::vector<std::pair<std::uint64_t, std::string>> order;
  for (const auto& [kind, count] : kinds) order.emplace_back(count, kind);
  std::sort(order.rbegin(), order.rend());
  std::string text;
  for (const auto& [count, kind] : order) {
    const double percent = 100.0 * static_cast<double>(count) / static_cast<double>(all);
    text += fmt::format("{}{} % {}", text.empty() ? "" : ", ",
                        percent < 1 ? "under 1" : fmt::format("{:.0f}", percent), kind);
  }
  return text;
}

class TablePage {
 public:
  explicit TablePage(KindContext& context)
      : context_(context),
        parameters_(context.manifest.at("parameters")),
        results_(context.manifest.at("results")),
        quasi_identifiers_(names(parameters_, "quasi_identifiers")),
        sensitive_(names(parameters_, "sensitive")),
        identifiers_(names(parameters_, "identifiers")),
        unchanged_(names(results_, "unchanged")) {}

  void describe() {
    add_facts(context_, {"rows_in", "rows_out", "suppressed", "classes", "method", "note"});
    if (context_.release) {
      for (const auto& column : context_.release->columns) describe_column(column);
    } else {
      for (const auto& column : quasi_identifiers_) fate(column, "", nullptr, nullptr);
      for (const auto& column : unchanged_) fate(column, "", nullptr, nullptr);
    }
    for (const auto& column : identifiers_) {
      if (!context_.release || !has_name(context_.release->columns, column)) {
        context_.report.columns.push_back({cleaned(column), "identifier", "left out"});
      }
    }
    if (context_.original && context_.release) {
      for (const auto& column : context_.original->columns) {
        if (!has_name(context_.release->columns, column) && !has_name(identifiers_, column)) {
          context_.report.columns.push_back({cleaned(column), role(column), "left out"});
        }
      }
    }
    describe_classes();
    mark_map();
  }

 private:
  [[nodiscard]] std::string role(const std::string& column) const {
    if (has_name(identifiers_, column)) return "identifier";
    if (has_name(quasi_identifiers_, column)) return "quasi-identifier";
    return has_name(sensitive_, column) ? "sensitive" : "other";
  }

  void fate(const std::string& column, const std::string& cells, const ValueCounts* original,
            const ValueCounts* released) {
    std::string became;
    const auto randomised = results_.find("randomised");
    if (has_name(identifiers_, column)) {
      became = parameters_.value("identifier_treatment", "") == "surrogate"
                   ? "replaced by numbers that mean nothing outside this release"
                   : "replaced by pseudonyms under a secret key";
    } else if (has_name(quasi_identifiers_, column)) {
      const auto trees = parameters_.find("hierarchies");
      const std::string tree = trees == parameters_.end() ? "" : trees->value(column, "");
      became = tree.empty() ? "generalised" : fmt::format("generalised, hierarchy {}", tree);
      if (results_.contains("levels") && results_["levels"].contains(column)) {
        became += fmt::format(", level {}", results_["levels"][column].get<std::uint64_t>());
      }
    } else if (has_name(unchanged_, column)) {
      became = "as it was";
    } else {
      became = "changed";
    }
    if (randomised != results_.end()) {
      for (const auto& one : *randomised) {
        if (one.value("column", "") == column) {
          became = fmt::format("changed by chance ({})", one.value("operator", ""));
        }
      }
    }
    if (released != nullptr && has_name(unchanged_, column)) {
      became += fmt::format("; {} different values", released->size());
    } else if (released != nullptr) {
      became += original == nullptr ? fmt::format("; {} different cells", released->size())
                                    : fmt::format("; {} different values became {} different cells",
                                                  original->size(), released->size());
    }
    if (!cells.empty() && has_name(quasi_identifiers_, column)) became += "; " + cells;
    context_.report.columns.push_back({cleaned(column), role(column), cleaned(became)});
  }

  void describe_column(const std::string& column) {
    if (has_name(identifiers_, column)) return fate(column, "", nullptr, nullptr);
    const auto released = context_.engine.group(*context_.release, {column}, context_.progress);
    const auto counts = value_counts(released, released.groups.columns.front());
    std::optional<GroupedTable> originals;
    std::optional<ValueCounts> original_counts;
    std::optional<Hierarchy> tree;
    if (context_.original && has_name(context_.original->columns, column)) {
      originals.emplace(context_.engine.group(*context_.original, {column}, context_.progress));
      const Column& values = originals->groups.columns.front();
      original_counts = value_counts(*originals, values);
      const auto trees = parameters_.find("hierarchies");
      if (trees != parameters_.end() && trees->contains(column)) {
        tree = recorded_hierarchy(trees->at(column).get<std::string>(), values,
                                  CountedTable(*originals).counts_of(values));
      }
    }
    const ValueCounts* before = original_counts ? &*original_counts : nullptr;
    fate(column, kinds_of_cells(counts, before), before, &counts);
    auto distribution = compare_distributions(cleaned(column), before, counts, context_.report.k,
                                              tree ? &*tree : nullptr);
    if (distribution.cells.empty()) {
      context_.report.hidden.push_back(cleaned(column));
      return;
    }
    for (auto& cell : distribution.cells) cell.label = cleaned(cell.label);
    context_.report.with_original = context_.report.with_original || distribution.has_original;
    context_.report.distributions.push_back(to_chart(distribution));
  }

  void describe_classes() {
    if (quasi_identifiers_.empty() || !context_.release) return;
    const auto sizes =
        [&](const std::optional<Source>& source) -> std::optional<std::vector<std::uint64_t>> {
      if (!source) return std::nullopt;
      for (const auto& column : quasi_identifiers_) {
        if (!has_name(source->columns, column)) return std::nullopt;
      }
      return context_.engine.group(*source, quasi_identifiers_, context_.progress).counts;
    };
    const auto before = sizes(context_.original);
    const auto after = sizes(context_.release);
    if (!after) return;
    context_.report.groups.push_back(
        group_size_chart("Records by the size of their class", "size of the class",
                         before ? &*before : nullptr, &*after, context_.report.k));
  }

  void mark_map() {
    const auto after = results_.find("after");
    if (!context_.ru_map || after == results_.end() || !after->contains("linkage_risk_mean") ||
        !results_.contains("metrics") || !results_["metrics"].contains("lm")) {
      return;
    }
    Chart map = *context_.ru_map;
    map.series.push_back({"this release",
                          {{after->at("linkage_risk_mean").get<double>(),
                            1 - results_["metrics"]["lm"].get<double>(), "this release", true}},
                          false,
                          true});
    context_.report.ru_map = std::move(map);
  }

  KindContext& context_;
  const Json& parameters_;
  const Json& results_;
  std::vector<std::string> quasi_identifiers_;
  std::vector<std::string> sensitive_;
  std::vector<std::string> identifiers_;
  std::vector<std::string> unchanged_;
};

}  // namespace

void describe_table(KindContext& context) { TablePage(context).describe(); }

}  // namespace pratique::release
