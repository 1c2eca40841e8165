#include "pratique/fusion/rule_drafting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "pratique/core/error.h"
#include "pratique/fusion/fcl.h"

namespace pratique::fusion {
namespace {

constexpr std::size_t kMostWords = 100;

std::vector<std::string> term_names(std::size_t count) {
  const std::vector<std::vector<std::string>> names = {
      {"low", "high"},
      {"low", "medium", "high"},
      {"very_low", "low", "high", "very_high"},
      {"very_low", "low", "medium", "high", "very_high"},
      {"very_low", "low", "rather_low", "rather_high", "high", "very_high"},
      {"very_low", "low", "rather_low", "medium", "rather_high", "high", "very_high"}};
  return count < 2 ? std::vector<std::string>{"any"} : names[std::min<std::size_t>(count, 7) - 2];
}

// Peaks at even quantiles, each value once; rounded to what a person would write.
std::vector<double> peaks_of(std::vector<double> values, std::size_t count) {
  std::sort(values.begin(), values.end());
  std::vector<double> peaks;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = 0.05 + 0.9 * static_cast<double>(i) / static_cast<double>(count - 1);
    const auto place =
        static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)));
    const double value = values[place];
    const double unit = value == 0 ? 1 : std::pow(10, std::floor(std::log10(std::abs(value))) - 2);
    const double rounded = unit < 1 ? value : std::round(value / unit) * unit;
    if (peaks.empty() || rounded > peaks.back()) peaks.push_back(rounded);
  }
  return peaks;
}

void add_terms(Variable& variable, const std::vector<double>& peaks) {
  const auto names = term_names(peaks.size());
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    LinearSet set;
    if (i > 0) set.points.push_back({peaks[i - 1], 0});
    set.points.push_back({peaks[i], 1});
    if (i + 1 < peaks.size()) set.points.push_back({peaks[i + 1], 0});
    std::string name = names[i];
    while (variable.find_term(name)) name += "_";  // a word of the data goes by that name
    variable.terms.push_back({name, set});
  }
}

struct InputColumn {
  Variable variable;
  std::vector<double> positions;  // by row; not a number: not known
  std::size_t first_set = 0;      // of the variable's terms: before it stand the words
};

std::optional<InputColumn> numbers_of(const PeopleColumn& column, std::size_t rows,
                                      std::size_t terms) {
  InputColumn input;
  std::vector<double> known;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto text = column.text(row);
    input.positions.push_back(middle_of(text));
    if (!std::isnan(input.positions.back())) {
      known.push_back(input.positions.back());
    } else if (!text.empty() && text != "*") {
      return std::nullopt;
    }
  }
  if (known.empty()) return std::nullopt;
  add_terms(input.variable, peaks_of(known, terms));
  return input;
}

std::optional<InputColumn> words_of(const PeopleColumn& column, std::size_t rows,
                                    const std::vector<double>& targets, std::size_t terms) {
  struct Mean {
    double sum = 0;
    double count = 0;
    double rows = 0;
  };
  std::map<std::string, Mean> means;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto text = column.text(row);
    if (text.empty() || text == "*") continue;
    Mean& mean = means[fcl_identifier(text)];
    ++mean.rows;
    if (std::isnan(targets[row])) continue;
    mean.sum += targets[row];
    ++mean.count;
    if (means.size() > kMostWords) return std::nullopt;
  }
  std::erase_if(means, [](const auto& word) { return word.second.count == 0; });
  if (means.size() < 2) return std::nullopt;
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [word, mean] : means) order.emplace_back(mean.sum / mean.count, word);
  std::sort(order.begin(), order.end());
  InputColumn input;
  std::map<std::string, double> position;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto place = static_cast<double>(i + 1);
    input.variable.terms.push_back({order[i].second, Singleton{place}});
    position[order[i].second] = place;
  }
  input.first_set = input.variable.terms.size();
  std::vector<double> known;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto text = column.text(row);
    const auto entry = position.find(text.empty() ? "" : fcl_identifier(text));
    input.positions.push_back(entry == position.end() ? std::nan("") : entry->second);
    if (entry != position.end()) known.push_back(entry->second);
  }
  add_terms(input.variable, peaks_of(known, terms));
  return input;
}

std::uint32_t best_term(const Variable& variable, std::size_t first, double value) {
  std::size_t best = first;
  for (std::size_t t = first; t < variable.terms.size(); ++t) {
    if (membership(variable.terms[t].set, value) > membership(variable.terms[best].set, value)) {
      best = t;
    }
  }
  return static_cast<std::uint32_t>(best);
}

OutputVariable output_of(const std::string& name, const std::vector<double>& targets,
                         std::size_t terms) {
  std::vector<double> known;
  double sum = 0;
  for (const double target : targets) {
    if (std::isnan(target)) continue;
    known.push_back(target);
    sum += target;
  }
  if (known.empty()) {
    throw Error::input(fmt::format("'{}' has no numbers to learn from", name))
        .hint("Name the column that is to be estimated with --target.");
  }
  OutputVariable output;
  output.name = name;
  const auto peaks = peaks_of(known, terms);
  if (peaks.size() < 2) {
    throw Error::input(fmt::format("'{}' is nearly always the same number", name))
        .hint("There is nothing to estimate; choose another --target.");
  }
  add_terms(output, peaks);
  const double root3 = std::sqrt(3.0);
  output.range =
      Interval{std::round(peaks.front() - (peaks[1] - peaks[0]) / root3),
               std::round(peaks.back() + (peaks.back() - peaks[peaks.size() - 2]) / root3)};
  if (!(output.range->low < peaks.front()))
    output.range->low = peaks.front() - (peaks[1] - peaks[0]);
  if (!(output.range->high > peaks.back())) {
    output.range->high = peaks.back() + (peaks.back() - peaks[peaks.size() - 2]);
  }
  const double mean = sum / static_cast<double>(known.size());
  output.default_value = std::abs(mean) >= 100 ? std::round(mean) : mean;
  return output;
}

struct Combination {
  std::vector<std::uint32_t> terms;
  std::vector<double> targets;
};

Rule rule_of(const Combination& combination, const OutputVariable& output, std::size_t number) {
  Rule rule;
  rule.label = std::to_string(number);
  for (std::uint32_t i = 0; i < combination.terms.size(); ++i) {
    rule.condition.push_back({ConditionNode::Kind::is, i, combination.terms[i]});
    if (i > 0) {
      const auto here = static_cast<std::uint32_t>(rule.condition.size() - 1);
      rule.condition.push_back({ConditionNode::Kind::conjunction, here - 1, here});
    }
  }
  double sum = 0;
  for (const double target : combination.targets) sum += target;
  const auto rows = static_cast<double>(combination.targets.size());
  const std::uint32_t term = best_term(output, 0, sum / rows);
  double near = 0;
  for (const double target : combination.targets) {
    const std::uint32_t own = best_term(output, 0, target);
    near += own + 1 >= term && own <= term + 1 ? 1 : 0;
  }
  rule.conclusions.push_back({0, term});
  rule.weight = std::clamp(std::round(100 * near / rows) / 100, 0.01, 1.0);
  return rule;
}

}  // namespace

std::vector<std::string> usable_inputs(const People& people,
                                       const std::vector<std::string>& excluded) {
  std::vector<std::string> usable;
  for (const auto& name : column_names(people)) {
    if (std::find(excluded.begin(), excluded.end(), name) != excluded.end()) continue;
    const PeopleColumn column(people, name);
    std::set<std::string_view> values;
    bool numbers = true;
    for (std::size_t row = 0; row < people.rows() && (numbers || values.size() <= kMostWords);
         ++row) {
      const auto text = column.text(row);
      if (text.empty() || text == "*") continue;
      numbers = numbers && !std::isnan(middle_of(text));
      values.insert(text);
    }
    if (values.size() >= 2 && (numbers || values.size() <= kMostWords)) usable.push_back(name);
  }
  return usable;
}

Draft draft_rules(const People& people, const std::vector<std::string>& inputs,
                  const std::string& target, const Drafting& options) {
  std::vector<double> targets;
  const PeopleColumn target_column(people, fcl_identifier(target));
  for (std::size_t row = 0; row < people.rows(); ++row) {
    targets.push_back(middle_of(target_column.text(row)));
  }
  Draft draft;
  FuzzySystem& system = draft.system;
  system.name = "estimate_" + fcl_identifier(target);
  system.outputs.push_back(output_of(fcl_identifier(target), targets, options.output_terms));
  std::vector<InputColumn> columns;
  for (const auto& name : inputs) {
    const PeopleColumn column(people, fcl_identifier(name));
    auto input = numbers_of(column, people.rows(), options.terms);
    if (!input) input = words_of(column, people.rows(), targets, options.terms);
    if (!input) {
      throw Error::input(fmt::format("'{}' is neither numbers nor a few words", name))
          .hint("Leave it out of --inputs.");
    }
    input->variable.name = fcl_identifier(name);
    columns.push_back(std::move(*input));
  }
  std::map<std::vector<std::uint32_t>, Combination> combinations;
  for (std::size_t row = 0; row < people.rows(); ++row) {
    if (std::isnan(targets[row])) continue;
    std::vector<std::uint32_t> terms;
    for (const auto& column : columns) {
      if (std::isnan(column.positions[row])) break;
      terms.push_back(best_term(column.variable, column.first_set, column.positions[row]));
    }
    if (terms.size() != columns.size()) continue;
    auto& combination = combinations[terms];
    combination.terms = terms;
    combination.targets.push_back(targets[row]);
    ++draft.rows_used;
  }
  if (combinations.empty()) {
    throw Error::input("no row has the target and all inputs")
        .hint("Leave out the input that is known least, or match more names.");
  }
  std::vector<const Combination*> order;
  for (const auto& [terms, combination] : combinations) order.push_back(&combination);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return a->targets.size() > b->targets.size();
  });
  if (order.size() > options.most_rules) order.resize(options.most_rules);
  std::sort(order.begin(), order.end(),
            [](const auto* a, const auto* b) { return a->terms < b->terms; });
  for (auto& column : columns) system.inputs.push_back(std::move(column.variable));
  RuleBlock& block = system.blocks.emplace_back();
  block.name = "drafted";
  for (const auto* combination : order) {
    block.rules.push_back(rule_of(*combination, system.outputs.front(), block.rules.size() + 1));
    draft.rows_covered += static_cast<double>(combination->targets.size());
  }
  draft.rows_covered /= static_cast<double>(draft.rows_used);
  return draft;
}

}  // namespace pratique::fusion
