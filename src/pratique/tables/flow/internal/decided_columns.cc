#include "pratique/tables/flow/internal/decided_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/data/settings.h"
#include "pratique/kind/among.h"
#include "pratique/kind/decided_columns.h"
#include "pratique/kind/shell_quoted.h"
#include "pratique/tables/flow/internal/randomised_columns.h"
#include "pratique/tables/method/anatomy.h"
#include "pratique/tables/profile/profile.h"

namespace pratique::tables::flow {

void decide_roles(const ProtectRequest& options, const Run& run, PreparedTable& prepared) {
  std::vector<std::string> withheld;
  try {
    if (!prepared.safe_harbor || !prepared.schema.models.empty())
      withheld = tables::read_model_request(prepared.schema).withheld_columns();
  } catch (const Error&) {
    // A model may be about what the profile is to suggest: what is wrong with it is told after.
    if (options.roles != "suggested") throw;
  }
  const auto perturbed = column_values(options.perturb, "--perturb");
  std::set<std::string> open;
  for (const auto& name : prepared.source.columns) {
    if (!prepared.schema.names(name) && !release::among(withheld, name) &&
        perturbed.count(name) == 0)
      open.insert(name);
  }
  const bool suggested = options.roles == "suggested";
  if (open.empty() || !(options.releases || suggested)) return;
  const Table whole = run.engine.load(prepared.source, {}, run.progress);
  std::vector<release::AdvisedColumn> advice;
  for (const auto& column : tables::profile(whole, {}, run.progress).columns) {
    if (open.count(column.name) == 0) continue;
    release::AdvisedColumn advised{column.name, column.suggested_role, column.why};
    if (prepared.safe_harbor && !release::among(options.allowed, column.name)) {
      const auto rule =
          prepared.safe_harbor->rule(column.name, columns::read_content(whole.column(column.name)));
      if (rule.treatment() == columns::SafeHarborTreatment::remove)
        advised = {column.name, Role::identifier, rule.why() + "."};
    }
    if (suggested) prepared.schema.give_role(column.name, advised.role);
    advice.push_back(std::move(advised));
  }
  if (suggested) return;
  throw release::undecided(
      advice, prepared.source.name,
      [](Role role) -> std::string_view {
        switch (role) {
          case Role::identifier:
            return "id";
          case Role::quasi_identifier:
            return "qi";
          case Role::sensitive:
            return "sensitive";
          case Role::insensitive:
            break;
        }
        return "insensitive";
      },
      "To take such advice without reading it: --roles suggested. ");
}

void check_leaving(const ProtectRequest& options,
                   const std::map<std::string, columns::ColumnContent>& content_aside,
                   PreparedTable& prepared) {
  const auto withheld = prepared.request.withheld_columns();
  for (const auto& name : prepared.leaving) {
    const Role role = prepared.schema.role_of(name);
    if (role == Role::identifier ||
        (role == Role::quasi_identifier && options.method != tables::kAnatomy) ||
        release::among(withheld, name) ||
        (prepared.safe_harbor && prepared.safe_harbor->coarsens(name)) ||
        std::any_of(prepared.randomised.begin(), prepared.randomised.end(),
                    [&](const auto& column) { return column.column == name; }))
      continue;
    prepared.as_is.push_back(name);
  }
  for (const auto& column : prepared.randomised) {
    if (column.operation.starts_with("round")) prepared.rounded.push_back(column.column);
  }
  for (const auto& name : options.allowed)
    (void)column_index(prepared.source.columns, name, prepared.source.name);
  if (!options.releases) return;
  release::LeavesAsItIs looks(options.allowed);
  const CountedTable counted(prepared.table);
  for (const auto& column : prepared.randomised) {
    if (column.gamma <= 0 || may_hide(column) || release::among(options.allowed, column.column))
      continue;
    throw Error::input(
        fmt::format(
            "the bound on beliefs about '{}' is so loose that {:.4g} % of its values leave as "
            "they are: it promises next to nothing",
            column.column, 100 * share_kept(column)))
        .at(prepared.source.name)
        .hint(fmt::format("Ask for less with --rho or --growth. If it is harmless all the same, "
                          "say so, and everyone who verifies the release is told:\n    --allow {}",
                          release::shell_quoted(release::comma_separated({column.column}))));
  }
  // An operator that leaves most values alone, or gives all the same treatment, hides nobody.
  for (const auto& column : prepared.randomised) {
    if (may_hide(column)) continue;
    const Column& values = prepared.table.groups.column(column.column);
    looks.look_at(column.column,
                  columns::read_content(values.dictionary, counted.counts_of(values)));
  }
  for (const auto& name : prepared.as_is) {
    if (prepared.is_aside(name)) {
      looks.look_at(name, content_aside.at(name));
      continue;
    }
    const Column& column =
        prepared.people ? prepared.people->column(name) : prepared.table.groups.column(name);
    looks.look_at(name, columns::read_content(column.dictionary,
                                              prepared.people ? prepared.people->people_with(column)
                                                              : counted.counts_of(column)));
  }
  looks.check(prepared.source.name);
  // All that were named: which of them needed it depends on who is in the table.
  for (const auto& name : prepared.leaving) {
    const bool drawn = std::any_of(prepared.randomised.begin(), prepared.randomised.end(),
                                   [&](const auto& column) { return column.column == name; });
    if ((drawn || release::among(prepared.as_is, name)) && release::among(options.allowed, name))
      prepared.allowed.push_back(name);
  }
}

}  // namespace pratique::tables::flow
