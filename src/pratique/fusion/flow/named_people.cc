#include "pratique/fusion/flow/named_people.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/data/number.h"
#include "pratique/fusion/fcl.h"

namespace pratique::fusion::flow {

const Column& LoadedTable::column(const std::string& name) const {
  return table.columns[column_index(source.columns, name, source.name)];
}

LoadedTable load_table(const Run& run, const std::string& path) {
  LoadedTable loaded;
  loaded.source = run.open(path);
  loaded.table = run.engine.load(loaded.source, {}, run.progress);
  return loaded;
}

RulesFor read_rules(const std::string& path, const std::string& target) {
  RulesFor rules{fusion::read_fcl(path), 0};
  const auto output = rules.system.find_output(fusion::fcl_identifier(target));
  if (!output) {
    std::vector<std::string> names;
    for (const auto& variable : rules.system.outputs) names.push_back(variable.name);
    throw Error::input(fmt::format("the rules have no output '{}'", fusion::fcl_identifier(target)))
        .at(path)
        .hint(fmt::format("They estimate {}; --target names the column.", fmt::join(names, ", ")));
  }
  rules.output = *output;
  return rules;
}

void require_inputs(const fusion::FuzzySystem& system, const std::vector<const Table*>& tables,
                    const std::string& rules) {
  std::vector<std::string> names;
  for (const auto* table : tables) {
    for (const auto& column : table->columns) {
      names.push_back(fusion::fcl_identifier(column.name));
    }
  }
  for (const auto& input : system.inputs) {
    const std::string wanted = fusion::fcl_identifier(input.name);
    if (std::find(names.begin(), names.end(), wanted) != names.end()) continue;
    const auto near = nearest_names(names, wanted);
    throw Error::input(
        fmt::format("the rules ask for '{}', which none of the files has as a column", input.name))
        .at(rules)
        .hint(near.empty()
                  ? "Rename the variable to match a column of the release or the auxiliary file."
                  : fmt::format("Did you mean {}?", fmt::join(near, " or ")));
  }
}

std::vector<double> target_numbers(const Column& column, const std::string& file) {
  std::vector<double> of_code;
  for (const auto text : column.dictionary.values()) {
    if (!text.empty() && !is_number(text)) {
      throw Error::input(fmt::format("'{}' has values that are not numbers", column.name))
          .at(file)
          .hint("A target is a column of plain numbers such as 41250 or 3.5.");
    }
    of_code.push_back(text.empty() ? std::nan("") : to_double(text));
  }
  std::vector<double> numbers;
  for (const Code code : column.codes) numbers.push_back(of_code[code]);
  return numbers;
}

LearningSample::LearningSample(LoadedTable sample, const NameRequest& names,
                               const std::string& target)
    : sample_(std::move(sample)), key_(names.key) {
  (void)sample_.column(key_);
  targets_ = target_numbers(sample_.column(target), sample_.source.name);
  if (known() < 2) {
    throw Error::input("the sample has fewer than two people with a known target")
        .at(sample_.source.name)
        .hint("Give a larger sample with --learn, or leave it out.");
  }
}

std::size_t LearningSample::known() const {
  return static_cast<std::size_t>(std::count_if(targets_.begin(), targets_.end(),
                                                [](double target) { return !std::isnan(target); }));
}

void LearningSample::find_in(const Run& run, const Table& release, const NameRequest& names) {
  in_release_ = fusion::match_names(sample_.column(key_), release.column(names.key), names.matching,
                                    run.progress)
                    .row_of;
}

fusion::Sample LearningSample::beside(const Table& release, const Table& auxiliary,
                                      const fusion::NameMatches& matches) {
  joined_ = fusion::with_cells_of(sample_.table, release, in_release_);
  return {{&joined_, &auxiliary, matches.row_of}, targets_};
}

fusion::NameMatches LearningSample::find_facts(const Run& run, const LoadedTable& auxiliary,
                                               const NameRequest& names) const {
  return fusion::match_names(sample_.column(key_), auxiliary.column(names.key_in_auxiliary()),
                             names.matching, run.progress);
}

void add_figures(Json& result, const fusion::WebAttack& attack, bool scored) {
  const auto figure = [&](double value) { return scored ? Json(value) : Json(); };
  result["dissimilarity_before"] = figure(attack.before().dissimilarity);
  result["dissimilarity_after"] = figure(attack.after().dissimilarity);
  result["information_gain"] = figure(attack.information_gain());
  result["within_5_percent"] = figure(attack.after().within_5_percent);
  result["within_10_percent"] = figure(attack.after().within_10_percent);
  result["rank_correlation"] = figure(attack.after().rank_correlation);
}

}  // namespace pratique::fusion::flow
