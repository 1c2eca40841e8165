#include "pratique/dp/flow/diffgen.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/data/hierarchy_csv.h"
#include "pratique/dp/diffgen/diffgen.h"
#include "pratique/dp/flow/charged_rows.h"
#include "pratique/dp/flow/synthetic_release.h"
#include "pratique/dp/synthesis/generate.h"
#include "pratique/kind/publish.h"

namespace pratique::dp::flow {
namespace {

// The file of the column's --hierarchy.
std::string tree_file(const DiffgenRequest& request, const std::string& column) {
  const std::string begin = column + "=";
  for (const auto& text : request.hierarchies) {
    if (!text.starts_with(begin)) continue;
    std::string file = text.substr(begin.size());
    if (std::filesystem::is_regular_file(file)) return file;
    throw Error::input(fmt::format("the hierarchy of {} is not a file", column))
        .hint(
            "Built-in hierarchies are made from the values there are; with noise it must be "
            "declared: a CSV file, leaf first and root last.");
  }
  throw Error::input(fmt::format("the column {} needs a hierarchy", column))
      .hint(fmt::format("Declare all values it may have: --hierarchy {}=FILE.", column));
}

void require_request(const DiffgenRequest& request) {
  if (request.ledger.empty() || !request.epsilon) {
    throw Error::input("--method diffgen needs --ledger and --epsilon")
        .hint("Open a budget with pratique dp open, and say what to spend of it.");
  }
  if (request.quasi_identifiers.empty() || request.sensitive.size() != 1) {
    throw Error::input("--method diffgen needs --qi, and one --sensitive column")
        .hint("Values are generalised so far that the sensitive one can still be told.");
  }
  for (const auto& column : request.quasi_identifiers) {
    if (column == request.sensitive.front() ||
        std::count(request.quasi_identifiers.begin(), request.quasi_identifiers.end(), column) >
            1) {
      throw Error::input(fmt::format("the column {} was named twice", column));
    }
  }
}

void require_bound_file(const std::string& file, const std::string& bound) {
  std::error_code unknown;
  if (std::filesystem::equivalent(file, bound, unknown)) return;
  throw Error::input("the budget is for another table than this one")
      .at(file)
      .hint("Name the table that dp open bound the ledger to.");
}

// Rows of which every value is in its tree.
ClassifiedRows classified(const Table& table, const std::vector<std::uint64_t>& counts,
                          const std::vector<Hierarchy>& trees, const Hierarchy& classes) {
  ClassifiedRows rows{.leaves = std::vector<std::vector<Hierarchy::Node>>(trees.size()),
                      .classes = {},
                      .counts = {}};
  for (std::size_t row = 0; row < counts.size(); ++row) {
    std::vector<Hierarchy::Node> leaves;
    for (std::size_t a = 0; a < trees.size(); ++a) {
      if (const auto leaf = trees[a].leaf(table.columns[a].text(row))) leaves.push_back(*leaf);
    }
    const auto of_class = classes.leaf(table.columns[trees.size()].text(row));
    if (leaves.size() < trees.size() || !of_class || counts[row] == 0) continue;
    for (std::size_t a = 0; a < trees.size(); ++a) rows.leaves[a].push_back(leaves[a]);
    rows.classes.push_back(*of_class);
    rows.counts.push_back(counts[row]);
  }
  return rows;
}

// By column, then row: as many rows of every cell as its count.
std::vector<std::vector<std::uint32_t>> rows_of(const GeneralisedCounts& table,
                                                std::uint32_t classes, RandomBits& random) {
  const double total = std::accumulate(table.counts.begin(), table.counts.end(), 0.0);
  const auto counts =
      apportioned(table.counts, static_cast<std::uint64_t>(std::llround(total)), random);
  std::vector<std::vector<std::uint32_t>> cells(table.cuts.size() + 1);
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    for (std::uint64_t n = 0; n < counts[cell]; ++n) {
      cells.back().push_back(static_cast<std::uint32_t>(cell % classes));
      std::size_t rest = cell / classes;
      for (std::size_t a = table.cuts.size(); a-- > 0;) {
        cells[a].push_back(static_cast<std::uint32_t>(rest % table.cuts[a].size()));
        rest /= table.cuts[a].size();
      }
    }
  }
  return cells;
}

std::vector<Hierarchy::Node> all_leaves(const Hierarchy& tree) {
  std::vector<Hierarchy::Node> leaves(tree.leaf_count());
  std::iota(leaves.begin(), leaves.end(), Hierarchy::Node{0});
  return leaves;
}

}  // namespace

Outcome diffgen(const DiffgenRequest& request, const Run& run) {
  require_request(request);
  const BudgetState state = read_budget(request.ledger);
  const BudgetTerms& terms = state.terms;
  require_bound_file(request.file, terms.data);
  const Source source = run.open(std::filesystem::proximate(terms.data).string());
  require_same_data(request.ledger, state,
                    [&](const std::string& data) { return run.engine.identify(data).sha256; });
  std::vector<std::string> columns = request.quasi_identifiers;
  columns.push_back(request.sensitive.front());
  std::vector<Hierarchy> trees;
  std::vector<std::string> files = {request.ledger};
  for (const auto& column : columns) {
    (void)column_index(source.columns, column, source.name);
    files.push_back(tree_file(request, column));
    trees.push_back(read_hierarchy_csv(files.back()));
  }
  const Hierarchy classes = std::move(trees.back());
  trees.pop_back();
  if (classes.leaf_count() > kMostGeneralisedCells) {
    throw Error::input("the sensitive column has too many values");
  }
  const DiffgenSettings settings{.max_rows = terms.max_rows,
                                 .epsilon = Epsilon::from(*request.epsilon),
                                 .specialisations = request.specialisations};
  if (settings.epsilon.part_of(4 * settings.specialisations).billionths == 0) {
    throw Error::input("epsilon is too small for so many specialisations");
  }
  release::refuse_overwriting_inputs(request.out, {source}, run.settings());
  release::refuse_overwriting_inputs(request.out, {}, files);
  Noise noise;
  const auto [after, table, counts] =
      charged_rows(request.ledger, terms,
                   {{settings.epsilon, {}},
                    "tables protect",
                    fmt::format("diffgen: {}", fmt::join(columns, ", ")),
                    request.analyst},
                   source, columns, noise, run);
  const auto generalised = dp::diffgen(trees, classified(table.groups, counts, trees, classes),
                                       classes.leaf_count(), settings, noise);
  RandomBits rounding = noise.phase("rows");
  const auto cells = rows_of(generalised, classes.leaf_count(), rounding);
  std::vector<Attribute> attributes;
  Json cuts = Json::object();
  for (std::size_t a = 0; a < trees.size(); ++a) {
    attributes.push_back(Attribute::of_cut(columns[a], trees[a], generalised.cuts[a]));
    cuts[columns[a]] = generalised.cuts[a].size();
  }
  attributes.push_back(Attribute::of_cut(columns.back(), classes, all_leaves(classes)));
  Json result = publish_synthetic({.attributes = attributes,
                                   .cells = cells,
                                   .method = "diffgen",
                                   .epsilon = settings.epsilon.value(),
                                   .delta = 0,
                                   .max_rows = terms.max_rows,
                                   .is_private = noise.is_private(),
                                   .inputs = {source},
                                   .settings = files},
                                  request.out, run);
  result["values"] = cuts;
  result["epsilon_spent"] = settings.epsilon.value();
  result["epsilon_left"] = after.left_to(request.analyst).value();
  return {result};
}

}  // namespace pratique::dp::flow
