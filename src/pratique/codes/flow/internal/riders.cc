#include "pratique/codes/flow/internal/riders.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/kind/among.h"
#include "pratique/kind/decided_columns.h"
#include "pratique/kind/singled_out.h"

namespace pratique::codes::flow {
namespace {

constexpr const char* kOtherwise =
    ". To take such advice without reading it: --roles suggested. --model table+codes holds "
    "columns that others know, named with --qi.";

// What no model holds, others neither know nor may learn.
std::string_view option_of(Role role, bool holds_columns) {
  if (role == Role::insensitive) return "insensitive";
  return role == Role::quasi_identifier && holds_columns ? "qi" : "id";
}

}  // namespace

RiderDecisions decide_riders(const ProtectRequest& request, bool holds_columns, CodeFile& file) {
  RiderDecisions decided{request.parameters.quasi_identifiers, request.insensitive, {}};
  for (const auto& names :
       {request.parameters.quasi_identifiers, request.insensitive, request.allowed}) {
    for (const auto& name : names) (void)column_index(file.source.columns, name, file.source.name);
  }
  std::vector<release::AdvisedColumn> open;
  for (const auto& rider : file.riders.columns) {
    if (release::among(decided.quasi_identifiers, rider.name) ||
        release::among(decided.insensitive, rider.name))
      continue;
    open.push_back(release::advised(rider.name, columns::read_content(rider)));
  }
  const auto option = [&](Role role) { return option_of(role, holds_columns); };
  if (!open.empty() && request.roles != "suggested")
    throw release::undecided(open, file.source.name, option, kOtherwise);
  std::vector<std::string> left_out;
  for (const auto& column : open) {
    auto& list = option(column.role) == "qi"            ? decided.quasi_identifiers
                 : option(column.role) == "insensitive" ? decided.insensitive
                                                        : left_out;
    list.push_back(column.name);
  }
  std::erase_if(file.riders.columns,
                [&](const Column& rider) { return release::among(left_out, rider.name); });
  file.dropped.insert(file.dropped.end(), left_out.begin(), left_out.end());

  release::LeavesAsItIs looks(request.allowed);
  for (const auto& rider : file.riders.columns) {
    if (!release::among(decided.quasi_identifiers, rider.name))
      looks.look_at(rider.name, columns::read_content(rider));
  }
  looks.check(file.source.name);
  decided.allowed = looks.allowed();
  return decided;
}

void add_singled_out(const CodeFile& file, const Recoding& recoding, const RiderDecisions& riders,
                     Json& result) {
  std::vector<const std::vector<Code>*> columns;
  for (const auto& rider : file.riders.columns) {
    if (!release::among(riders.quasi_identifiers, rider.name)) columns.push_back(&rider.codes);
  }
  if (columns.empty()) return;
  std::vector<std::uint64_t> patients(file.sets.patients(), 1);
  result["before"]["singled_out"] = release::singled_out(columns, patients);
  for (std::size_t p = 0; p < patients.size(); ++p)
    patients[p] = recoding.set(file.sets.set_of[p]).empty() ? 0 : 1;
  result["after"]["singled_out"] = release::singled_out(columns, patients);
}

}  // namespace pratique::codes::flow
