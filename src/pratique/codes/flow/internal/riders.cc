#include "pratique/codes/flow/internal/riders.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/codes/flow/internal/exposure_json.h"
#include "pratique/columns/role_advice.h"
#include "pratique/core/error.h"
#include "pratique/kind/among.h"
#include "pratique/kind/decided_columns.h"
#include "pratique/kind/shell_quoted.h"
#include "pratique/kind/singled_out.h"
#include "pratique/kind/undoing_columns.h"

namespace pratique::codes::flow {
namespace {

// A column without a role, and what becomes of it where advice is taken.
struct OpenColumn {
  release::AdvisedColumn advised;
  // Neither a name nor a secret, and it tells patients apart: others may know it.
  bool may_be_known = false;
};

OpenColumn look_at(const Column& rider) {
  const auto content = columns::read_content(rider);
  OpenColumn open{release::advised(rider.name, content)};
  auto& [name, role, why] = open.advised;
  const bool same_for_all = rider.dictionary.size() < 2;
  open.may_be_known =
      !same_for_all && (role == Role::quasi_identifier || role == Role::insensitive);
  if (open.may_be_known) {
    role = Role::quasi_identifier;
    why += " It tells patients apart.";
  }
  // What may name people leaves as it is only where it is allowed to by its name.
  if (role == Role::insensitive && columns::why_not_as_it_is(name, content))
    role = Role::identifier;
  return open;
}

// What no model holds, others neither know nor may learn.
std::string_view option_of(Role role, bool holds_columns) {
  if (role == Role::insensitive) return "insensitive";
  return role == Role::quasi_identifier && holds_columns ? "qi" : "id";
}

std::string other_ways(const std::vector<OpenColumn>& open, bool holds_columns) {
  if (holds_columns)
    return "To take such advice without reading it: --roles suggested. The model holds what --qi "
           "names. ";
  std::string words = "To take such advice without reading it: --roles suggested. ";
  std::vector<std::string> known;
  for (const auto& column : open) {
    if (column.may_be_known) known.push_back(column.advised.name);
  }
  if (known.empty()) return words;
  const std::string list = release::shell_quoted(release::comma_separated(known));
  return words + fmt::format(
                     "No model of codes alone holds {0}: beside a few codes, what others know of "
                     "it may single people out. --model table+codes --qi {0} releases it and holds "
                     "it; --insensitive {0} releases it as it is, and the result counts who then "
                     "stands alone. ",
                     list);
}

std::string why_left_out(const OpenColumn& column) {
  if (!column.may_be_known) return column.advised.why;
  return fmt::format(
      "{} And no model holds it: --insensitive lets it leave all the same, --model table+codes "
      "--qi "
      "holds it.",
      column.advised.why);
}

void take_advice(const std::vector<OpenColumn>& open, bool holds_columns, RiderDecisions& decided) {
  for (const auto& column : open) {
    const auto& name = column.advised.name;
    const auto option = option_of(column.advised.role, holds_columns);
    if (option == "insensitive") {
      decided.insensitive.push_back(name);
    } else if (option == "qi") {
      decided.quasi_identifiers.push_back(name);
    } else {
      decided.left_out.push_back({name, why_left_out(column)});
    }
  }
}

}  // namespace

RiderDecisions decide_riders(const ProtectRequest& request, bool holds_columns, CodeFile& file) {
  RiderDecisions decided{request.parameters.quasi_identifiers, request.insensitive, {}};
  for (const auto& names :
       {request.parameters.quasi_identifiers, request.insensitive, request.allowed}) {
    for (const auto& name : names) (void)column_index(file.source.columns, name, file.source.name);
  }
  std::vector<OpenColumn> open;
  for (const auto& rider : file.riders.columns) {
    if (release::among(decided.quasi_identifiers, rider.name) ||
        release::among(decided.insensitive, rider.name))
      continue;
    open.push_back(look_at(rider));
  }
  if (!open.empty() && request.roles != "suggested") {
    std::vector<release::AdvisedColumn> advice;
    for (const auto& column : open) advice.push_back(column.advised);
    throw release::undecided(
        advice, file.source.name, [&](Role role) { return option_of(role, holds_columns); },
        other_ways(open, holds_columns));
  }
  take_advice(open, holds_columns, decided);
  for (const auto& left : decided.left_out) {
    std::erase_if(file.riders.columns,
                  [&](const Column& rider) { return rider.name == left.column; });
    file.dropped.push_back(left.column);
  }

  release::LeavesAsItIs looks(request.allowed);
  for (const auto& rider : file.riders.columns) {
    if (release::among(decided.quasi_identifiers, rider.name)) continue;
    looks.look_at(rider.name, columns::read_content(rider));
    // Whether it needed to be allowed could hang on a patient who does not leave.
    if (release::among(request.allowed, rider.name)) decided.allowed.push_back(rider.name);
  }
  looks.check(file.source.name);
  release::UndoingColumns undoing;
  for (const auto& rider : file.riders.columns) {
    if (release::among(decided.quasi_identifiers, rider.name)) undoing.know(rider);
  }
  for (const auto& rider : file.riders.columns) {
    if (!release::among(decided.quasi_identifiers, rider.name) &&
        !release::among(request.allowed, rider.name))
      undoing.look_at(rider);
  }
  undoing.check(file.source.name);
  return decided;
}

void ask_whose_codes(const CodeFile& file, const Run& run) {
  if (!file.long_form()) return;
  std::string repeated;
  // Several patients may be called the same: where --patient numbers them, that says nothing.
  Column patients;
  for (const auto& name : file.names) patients.codes.push_back(patients.dictionary.intern(name));
  const bool numbered =
      columns::numbers_each_person(file.columns.patient, columns::read_content(patients));
  const auto only_a_name = [&](const std::string& name, const columns::ColumnContent& content) {
    return numbered && columns::names_a_person(name, content) &&
           columns::is_called_a_name(name, content);
  };
  const auto look_at = [&](const std::string& name, const columns::ColumnContent& content) {
    if (repeated.empty() && columns::may_say_whose_rows(name, content) &&
        !only_a_name(name, content))
      repeated = name;
  };
  for (const auto& rider : file.riders.columns) look_at(rider.name, columns::read_content(rider));
  for (const auto& name : file.columns.identifiers) {
    if (!repeated.empty() || name == file.columns.patient) continue;
    // Whom a value of --patient belongs to is asked once, however many rows it has.
    const auto pairs = run.engine.group(file.source, {file.columns.patient, name}, run.progress);
    const auto content = columns::read_content(pairs.groups.columns[1]);
    if (columns::identifier_may_say_whose_rows(name, content) && !only_a_name(name, content))
      repeated = name;
  }
  if (repeated.empty()) return;
  throw Error::input(
      fmt::format("'{}' repeats across values of '{}': are those with the same value of one "
                  "person?",
                  repeated, file.columns.patient))
      .at(file.source.name)
      .hint(fmt::format(
          "If so, --patient {} counts people instead. If every value of '{}' is somebody else's "
          "all the same, add --rows-are-people.",
          release::shell_quoted(repeated), file.columns.patient));
}

void attack_by_columns(const CodeFile& file, const RiderDecisions& riders,
                       const std::vector<RecordItems>& records, std::uint64_t k, std::size_t most,
                       Json& figures, Progress& progress) {
  std::vector<const std::vector<Code>*> unchanged;
  std::vector<const std::vector<Code>*> all;
  for (const auto& rider : file.riders.columns) {
    all.push_back(&rider.codes);
    if (!release::among(riders.quasi_identifiers, rider.name)) unchanged.push_back(&rider.codes);
  }
  if (unchanged.empty()) return;
  std::vector<std::uint64_t> patients;
  for (const auto& record : records) patients.push_back(record.empty() ? 0 : 1);
  figures["singled_out"] = release::singled_out(unchanged, patients);
  figures["columns_and_codes_known"] = to_json(
      expose_with_columns(records, release::number_cells(all, records.size()), k, most, progress));
}

std::string warning_about_columns(const Json& after, const Json& unchanged) {
  const auto attack = after.find("columns_and_codes_known");
  if (attack == after.end() || attack->at("reidentified") == 0) return {};
  const auto names = unchanged.get<std::vector<std::string>>();
  return fmt::format(
      "whoever knows {} and a few codes singles out {} of {} released patients: no model holds "
      "what leaves beside the codes; --model table+codes --qi {} does",
      fmt::join(names, ", "), attack->at("reidentified").get<std::uint64_t>(),
      attack->at("targets").get<std::uint64_t>(),
      release::shell_quoted(release::comma_separated(names)));
}

}  // namespace pratique::codes::flow
