#include "pratique/tables/flow/internal/randomised_columns.h"

#include <fmt/format.h>

#include <algorithm>

#include "pratique/core/error.h"
#include "pratique/crypto/noise_source.h"
#include "pratique/data/number.h"
#include "pratique/data/settings.h"
#include "pratique/kind/among.h"
#include "pratique/kind/decided_columns.h"
#include "pratique/kind/shell_quoted.h"

namespace pratique::tables::flow {
namespace {

constexpr double kNearlyAll = 0.9;

// The values that occur are published, and so is one that a single record has: whoever knows the
// others knows whose it is, however the column is drawn.
void require_shared_values(const PreparedTable& prepared, const std::string& name) {
  const Column& column = prepared.table.groups.column(name);
  const auto counts = CountedTable(prepared.table).counts_of(column);
  const auto alone = std::count(counts.begin(), counts.end(), std::uint64_t{1});
  if (alone == 0) return;
  throw Error::input(
      fmt::format("{} of '{}' {} in one record only, and the values that occur are published: "
                  "whoever knows all others knows whose {}",
                  alone == 1 ? "a value" : fmt::format("{} values", alone), name,
                  alone == 1 ? "stands" : "stand each", alone == 1 ? "it is" : "they are"))
      .at(prepared.source.name)
      .hint(fmt::format(
          "Give a hierarchy with all values of the coding system (--hierarchy {}=FILE), or join "
          "rare values. If it is harmless all the same, say so, and everyone who verifies the "
          "release is told:\n    --allow {}",
          name, release::shell_quoted(release::comma_separated({name}))));
}

}  // namespace

double share_kept(const tables::RandomisedColumn& column) {
  return column.gamma / (column.gamma + static_cast<double>(column.values.size()) - 1);
}

bool may_hide(const tables::RandomisedColumn& column) {
  constexpr std::string_view kPram = "pram:";
  constexpr double kMost = 0.5;
  const std::string& operation = column.operation;
  if (operation.starts_with(kPram)) {
    std::string kept = operation.substr(kPram.size());
    kept = kept.substr(0, kept.find(':'));  // then a level
    return !is_number(kept) || to_double(kept) < kNearlyAll;
  }
  return !operation.starts_with("round") &&
         (column.gamma > 0 ? share_kept(column) < kNearlyAll : column.changed >= kMost);
}

void randomise_columns(const ProtectRequest& options, PreparedTable& prepared) {
  tables::Randomisation wanted;
  wanted.beliefs = prepared.request.beliefs;
  std::vector<std::string> with_trees;
  for (const auto& [column, operation] :
       column_values(options.perturb, "--perturb", prepared.source.columns)) {
    (void)column_index(prepared.source.columns, column, prepared.source.name);
    if (prepared.schema.role_of(column) == Role::identifier) {
      throw Error::input(
          fmt::format("'{}' is an identifier: randomising would not hide it", column))
          .hint("Drop it, or choose --identifiers pseudonym.");
    }
    wanted.perturbations.emplace(column, tables::parse_perturbation(operation));
    if (prepared.schema.hierarchies.count(column) > 0) with_trees.push_back(column);
  }
  for (const auto& belief : wanted.beliefs) {
    if (prepared.schema.hierarchies.count(belief.column) > 0) with_trees.push_back(belief.column);
  }
  if (wanted.empty()) return;
  if (prepared.people) {
    throw Error::input("rows of one person cannot be randomised one by one")
        .hint("Leave out --perturb, --rho and --growth, or --person.");
  }
  if (prepared.request.population) {
    throw Error::input("a randomised table cannot be compared with a population")
        .hint("Leave out --perturb, --rho and --growth, or --population.");
  }
  for (const auto& belief : wanted.beliefs) {
    if (options.releases && prepared.schema.hierarchies.count(belief.column) == 0 &&
        !release::among(options.allowed, belief.column))
      require_shared_values(prepared, belief.column);
  }
  const auto trees = make_hierarchies(prepared.schema, with_trees, CountedTable(prepared.table));
  SystemNoise noise;
  auto perturbed = tables::randomise(prepared.table, wanted, trees, noise);
  prepared.table = std::move(perturbed.table);
  prepared.randomised = std::move(perturbed.columns);
}

}  // namespace pratique::tables::flow
