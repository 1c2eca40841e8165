#include "pratique/tables/flow/explain.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "pratique/core/error.h"
#include "pratique/manifest/manifest.h"
#include "pratique/tables/flow/method_choice.h"
#include "pratique/tables/method/anatomy.h"
#include "pratique/tables/model/explanation.h"

namespace pratique::tables::flow {
namespace {

using Cells = std::vector<std::string>;

void check_original(Engine& engine, const Manifest& manifest, const std::string& path) {
  if (manifest.inputs.empty() || manifest.inputs.front().sha256 != engine.identify(path).sha256) {
    throw Error::input(fmt::format("{} is not the file that the release was made from", path))
        .hint("Name that file with --original; the private manifest has its SHA-256.");
  }
}

// Classes as the file shows them, numbered from 1 in the order in which they first appear.
std::vector<Cells> classes_of(const Table& release) {
  std::vector<Cells> classes;
  std::map<Cells, std::size_t> seen;
  for (std::size_t row = 0; row < release.rows(); ++row) {
    Cells cells;
    for (const auto& column : release.columns) cells.emplace_back(column.text(row));
    if (seen.emplace(cells, classes.size()).second) classes.push_back(std::move(cells));
  }
  return classes;
}

class Explanation {
 public:
  Explanation(const ExplainRequest& options, const Run& run) : run_(options.recorded) {
    if (options.manifest.results->contains("randomised")) {
      throw Error::input("this release was randomised, and the noise was not recorded")
          .hint("explain repeats a run, and this one cannot be repeated.");
    }
    if (run_.method == tables::kAnatomy) {
      throw Error::input("anatomy generalises nothing, so there is nothing to explain");
    }
    if (!options.original.empty()) run_.file = options.original;
    run_.releases = false;
    run_.asks_whose_rows = false;
    check_original(run.engine, options.manifest, run_.file);
    prepared_.emplace(run_, run);
    const tables::Method method = method_of(run_, *prepared_);
    repeated_ = protect_prepared(*prepared_, prepared_->models, method, run.progress);
    if (prepared_->safe_harbor)
      prepared_->safe_harbor->apply(prepared_->schema.quasi_identifiers, repeated_.recoding);
    explainer_.emplace(prepared_->input, repeated_.models, repeated_.recoding);
    const Source file = run.open(options.release);
    classes_ = classes_of(run.engine.load(file, prepared_->schema.quasi_identifiers, run.progress));
    for (tables::ClassId id = 0; id < explainer_->class_count(); ++id) {
      class_of_cells_[explainer_->cells(id)] = id;
    }
    if (classes_.size() != class_of_cells_.size()) {
      throw Error::input(
          fmt::format("{} is not what the run in its manifest makes", options.release))
          .hint("Was it edited, or made by another version? Run pratique verify.");
    }
  }

  [[nodiscard]] Json of_class(std::uint64_t number) const {
    if (number < 1 || number > classes_.size()) {
      throw Error::input(fmt::format("there is no class {}", number))
          .hint(fmt::format("The classes are numbered 1 to {} in the order in which they first "
                            "appear in the file.",
                            classes_.size()));
    }
    const auto entry = class_of_cells_.find(classes_[number - 1]);
    if (entry == class_of_cells_.end()) {
      throw Error::input("the release is not what the run in its manifest makes")
          .hint("Was it edited, or made by another version? Run pratique verify.");
    }
    const auto explained = explainer_->explain(entry->second);
    Json result = {{"method", run_.method},      {"class", number},
                   {"classes", classes_.size()}, {"records", explained.records},
                   {"cells", Json::object()},    {"models", Json::object()},
                   {"columns", Json::array()}};
    for (const auto& model : explained.achieved) {
      result["models"][model.model] = {{"required", model.required}, {"achieved", model.achieved}};
    }
    for (const auto& lowered : explained.lowered) {
      result["cells"][name(lowered.attribute)] = lowered.cell;
      result["columns"].push_back(
          tables::to_json(name(lowered.attribute), lowered, whole_column(lowered.attribute)));
    }
    return result;
  }

  // Every class that shows the value, in every column or the one named.
  [[nodiscard]] Json of_value(const std::string& value, const std::string& column) const {
    Json result = {{"method", run_.method}, {"value", value}, {"columns", Json::array()}};
    const auto& names = prepared_->schema.quasi_identifiers;
    if (!column.empty()) {
      (void)column_index(prepared_->source.columns, column);
      if (prepared_->schema.role_of(column) != Role::quasi_identifier) {
        throw Error::input(
            fmt::format("'{}' is not a quasi-identifier: it was not generalised", column))
            .hint("--column names a quasi-identifier.");
      }
    }
    for (std::size_t a = 0; a < names.size(); ++a) {
      if (!column.empty() && names[a] != column) continue;
      if (Json shown = value_in(a, value); !shown.is_null())
        result["columns"].push_back(std::move(shown));
    }
    if (result["columns"].empty()) {
      throw Error::input("no quasi-identifier of the release shows that value")
          .hint("Write it as in the file; --column looks in one column only.");
    }
    return result;
  }

 private:
  [[nodiscard]] const std::string& name(std::size_t attribute) const {
    return prepared_->schema.quasi_identifiers[attribute];
  }
  [[nodiscard]] std::optional<tables::LoweredLevel> whole_column(std::size_t attribute) const {
    if (!repeated_.levels) return std::nullopt;
    return tables::lower_level(prepared_->input, prepared_->models, *repeated_.levels, attribute,
                               run_.suppression);
  }

  [[nodiscard]] Json value_in(std::size_t attribute, const std::string& value) const {
    std::uint64_t classes = 0;
    std::uint64_t records = 0;
    std::uint64_t classes_broken = 0;
    std::uint64_t records_broken = 0;
    std::optional<tables::LoweredCell> shown;  // where most records are in parts that break a model
    for (tables::ClassId id = 0; id < explainer_->class_count(); ++id) {
      if (explainer_->cells(id)[attribute] != value) continue;
      ++classes;
      records += explainer_->records(id);
      auto lowered = explainer_->lower(id, attribute);
      if (!lowered.broken.empty()) ++classes_broken;
      records_broken += lowered.records_broken;
      if (!shown || lowered.records_broken > shown->records_broken) shown = std::move(lowered);
    }
    if (!shown) return nullptr;
    Json json = tables::to_json(name(attribute), *shown, whole_column(attribute));
    json["why"] = fmt::format(
        "{} records in {} classes show it. One level lower, {} of these classes would break a "
        "model, "
        "with {} records in the parts that do. In the worst of them: {}",
        records, classes, classes_broken, records_broken, json["why"].get<std::string>());
    json["classes"] = classes;
    json["records"] = records;
    json["classes_broken"] = classes_broken;
    json["records_broken"] = records_broken;
    return json;
  }

  ProtectRequest run_;
  std::optional<PreparedTable> prepared_;
  tables::Protected repeated_;
  std::optional<tables::Explainer> explainer_;
  std::vector<Cells> classes_;
  std::map<Cells, tables::ClassId> class_of_cells_;
};

// The sentences instead of the figures behind them.
Json for_a_person(const Json& result) {
  Json shown = result;
  shown.erase("columns");
  shown.erase("cells");
  for (const auto& column : result["columns"]) {
    shown["why"][column["column"].get<std::string>()] = column["why"];
  }
  return shown;
}

}  // namespace

Outcome explain(const ExplainRequest& options, const Run& run) {
  if (options.number.has_value() == options.value.has_value()) {
    throw Error::input("give one of --class and --value")
        .hint("--class 1 is the class of the file's first row; --value V a cell.");
  }
  const Explanation explanation(options, run);
  const Json result = options.number ? explanation.of_class(*options.number)
                                     : explanation.of_value(*options.value, options.column);
  return {.result = result, .for_a_person = for_a_person(result)};
}

}  // namespace pratique::tables::flow
