#include "pratique/dp/flow/histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "pratique/core/error.h"
#include "pratique/data/number.h"
#include "pratique/dp/budget/budget.h"
#include "pratique/dp/flow/synthetic_release.h"
#include "pratique/dp/histogram/histogram.h"
#include "pratique/kind/publish.h"

namespace pratique::dp::flow {
namespace {

constexpr std::array<std::string_view, 3> kToldOfHistogram = {"method", "lines", "threshold"};

// Texts of one column of the release.
class TextColumn {
 public:
  void add(const std::string& text) {
    const auto [at, fresh] = code_of_.try_emplace(text, static_cast<Code>(values_.size()));
    if (fresh) values_.push_back(text);
    codes_.push_back(at->second);
  }
  [[nodiscard]] OutputColumn output(const std::string& name) const {
    return {name, &codes_, &values_};
  }

 private:
  std::vector<Code> codes_;
  std::vector<std::string> values_;
  std::unordered_map<std::string, Code> code_of_;
};

CellGrid declared_grid(const HistogramRequest& request, const Source& source) {
  const auto declared = parse_domains(request.domains);
  std::vector<Domain> domains;
  for (const auto& column : request.columns) {
    (void)column_index(source.columns, column, source.name);
    const Domain* domain = domain_of(declared, column);
    if (domain == nullptr) {
      throw Error::input(fmt::format("the column {} needs a domain", column))
          .hint(fmt::format("Declare it without looking at the data, such as --domain {}=0..120 or "
                            "--domain '{}=a|b|c'.",
                            column, column));
    }
    domains.push_back(*domain);
  }
  return CellGrid(std::move(domains));
}

// Rows that stand for several, as a column says; what is no whole number from 0 on stands for none.
std::vector<std::uint64_t> counted_rows(const GroupedTable& table, std::size_t column) {
  constexpr double kLargestCount = 1e12;
  std::vector<std::uint64_t> counts = table.counts;
  for (std::size_t row = 0; row < counts.size(); ++row) {
    const std::string_view text = table.groups.columns[column].text(row);
    const double number = is_number(text) ? to_double(text) : 0;
    counts[row] *= number >= 1 && number <= kLargestCount ? static_cast<std::uint64_t>(number) : 0;
  }
  return counts;
}

Json domains_json(const CellGrid& grid) {
  Json columns = Json::array();
  for (const auto& domain : grid.domains()) {
    if (domain.numbers()) {
      columns.push_back({{"column", domain.column()},
                         {"low", domain.numbers()->low},
                         {"high", domain.numbers()->high}});
      continue;
    }
    Json values = Json::array();
    for (std::uint64_t cell = 0; cell < domain.cells(); ++cell)
      values.push_back(domain.value_of(cell));
    columns.push_back({{"column", domain.column()}, {"values", values}});
  }
  return columns;
}

}  // namespace

Outcome histogram(const HistogramRequest& request, const Run& run) {
  const BudgetState state = read_budget(request.ledger);
  const BudgetTerms& terms = state.terms;
  // As a user would name it from here: the release does not tell where the data lies.
  const Source source = run.open(std::filesystem::proximate(terms.data).string());
  require_same_data(request.ledger, state,
                    [&](const std::string& data) { return run.engine.identify(data).sha256; });
  const CellGrid grid = declared_grid(request, source);
  if (!request.counts.empty()) {
    (void)column_index(source.columns, request.counts, source.name);
    if (!terms.person.empty()) {
      throw Error::input("--counts does not go with a budget that has --person")
          .hint("A file that is already counted has no rows of people.");
    }
  }
  release::refuse_overwriting_inputs(request.out, {source}, run.settings());
  release::refuse_overwriting_inputs(request.out, {}, {request.ledger});
  const Epsilon epsilon = Epsilon::from(request.epsilon);
  const HistogramSettings settings{
      .method = request.method, .split = request.split, .xi0 = request.xi0, .xi1 = request.xi1};
  require_fitting(grid, settings);
  const BudgetState after = charge_budget(request.ledger,
                                          {{epsilon, {}},
                                           "dp histogram",
                                           fmt::format("{}", fmt::join(request.columns, ", ")),
                                           request.analyst,
                                           request.insecure_seed.has_value()},
                                          run.progress);

  // Charged: from here on the data may be looked at.
  std::vector<std::string> columns = request.columns;
  if (!terms.person.empty()) columns.push_back(terms.person);
  if (!request.counts.empty()) columns.push_back(request.counts);
  const GroupedTable table = run.engine.group(source, columns, run.progress);
  Noise noise(request.insecure_seed);
  RandomBits choice = noise.phase("rows");
  const std::size_t last = columns.size() - 1;
  const auto counts = count_cells(
      grid, table.groups, request.counts.empty() ? table.counts : counted_rows(table, last),
      terms.person.empty() ? nullptr : &table.groups.columns[last], terms.max_rows, choice);
  Histogram histogram =
      make_histogram(grid, counts, terms.max_rows, epsilon, settings, noise, run.progress);
  std::sort(histogram.boxes.begin(), histogram.boxes.end(),
            [](const HistogramBox& a, const HistogramBox& b) { return a.box.low < b.box.low; });

  std::vector<TextColumn> texts(2 * grid.dimensions() + 1);
  for (const auto& [box, count] : histogram.boxes) {
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
      texts[2 * d].add(grid.domains()[d].value_of(box.low[d]));
      texts[2 * d + 1].add(grid.domains()[d].value_of(box.high[d]));
    }
    texts.back().add(histogram.method == "cells" ? fmt::format("{:.0f}", count)
                                                 : fmt::format("{:.3f}", count));
  }
  Output output{.columns = {}, .row_count = histogram.boxes.size()};
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    output.columns.push_back(texts[2 * d].output(request.columns[d] + "_low"));
    output.columns.push_back(texts[2 * d + 1].output(request.columns[d] + "_high"));
  }
  output.columns.push_back(texts.back().output("count"));

  Json parameters = {{"columns", domains_json(grid)},
                     {"method", histogram.method},
                     {"epsilon", epsilon.value()},
                     {"max_rows", terms.max_rows},
                     {"deviation_of_box", histogram.deviation_of_box},
                     {"deviation_at_most", histogram.deviation_at_most},
                     {"private", noise.is_private()}};
  if (histogram.tree) {
    parameters["tree"] = {{"branching", histogram.tree->branching},
                          {"variances", histogram.tree->variances}};
  }
  Json claims = Json::array();
  if (noise.is_private()) {
    claims.push_back({{"model", "differential-privacy"},
                      {"epsilon", epsilon.value()},
                      {"delta", 0},
                      {"max_rows", terms.max_rows}});
  }
  Json result = {{"method", histogram.method}, {"lines", histogram.boxes.size()}};
  if (histogram.threshold) result["threshold"] = *histogram.threshold;
  release::publish(run.engine, release::TableArtefact(std::move(output)), request.out,
                   {.kind = "dp",
                    .verb = "histogram",
                    .command = run.command,
                    .seed = 0,
                    .inputs = {source},
                    .other_files = run.settings(files_of_domains(request.domains, request.ledger)),
                    .options = run.options,
                    .told = kToldOfHistogram,
                    .private_folder = run.private_folder},
                   parameters, claims, result, run.progress);
  result["out"] = request.out;
  result["epsilon_spent"] = epsilon.value();
  result["epsilon_left"] = after.left_to(request.analyst).value();
  result["deviation"] = histogram.deviation_of_box;
  result["private"] = noise.is_private();
  if (!noise.is_private()) {
    result["notes"] = Json::array({"NOT PRIVATE: the noise follows from --insecure-seed"});
  }
  return {result};
}

}  // namespace pratique::dp::flow
