#include "pratique/tables/flow/singled_out.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "pratique/kind/among.h"
#include "pratique/kind/shell_quoted.h"
#include "pratique/kind/singled_out.h"

namespace pratique::tables::flow {
namespace {

// Columns aside leave together, and are known together.
std::vector<const Column*> columns_of(const PreparedTable& prepared,
                                      const std::vector<std::string>& names) {
  std::vector<const Column*> columns;
  bool marked = false;
  for (const auto& name : names) {
    if (!prepared.is_aside(name)) {
      columns.push_back(&prepared.table.groups.column(name));
    } else if (!marked) {
      columns.push_back(&prepared.marks());
      marked = true;
    }
  }
  return columns;
}

}  // namespace

SingledOut::SingledOut(const PreparedTable& prepared, const Json& claims)
    : records_(prepared.table.rows()) {
  count(prepared, claims, [&](std::vector<std::string> names, bool in_class) {
    const auto& known = prepared.schema.quasi_identifiers;
    if (in_class) names.insert(names.end(), known.begin(), known.end());
    if (prepared.people) {
      const std::vector<std::uint32_t> everybody(prepared.people->count(), 0);
      return prepared.people->alone_by(names, everybody);
    }
    std::vector<const std::vector<Code>*> codes;
    for (const auto* column : columns_of(prepared, names)) codes.push_back(&column->codes);
    return release::singled_out(codes, prepared.table.counts);
  });
}

SingledOut::SingledOut(const PreparedTable& prepared, const Recoding& recoding,
                       const std::vector<std::uint32_t>& entry_of, const Json& claims)
    : records_(prepared.table.rows() - recoding.suppressed) {
  count(prepared, claims, [&](const std::vector<std::string>& names, bool in_class) {
    if (prepared.people)
      return prepared.people->alone_by(names, entry_of, in_class ? &recoding : nullptr);
    std::vector<std::vector<Code>> kept;
    for (const auto* column : columns_of(prepared, names)) {
      kept.emplace_back().reserve(recoding.groups.size());
      for (const auto group : recoding.groups) kept.back().push_back(column->codes[group]);
    }
    std::vector<const std::vector<Code>*> codes;
    for (const auto& column : kept) codes.push_back(&column);
    if (in_class) codes.push_back(&recoding.class_of);
    return release::singled_out(codes, recoding.counts);
  });
}

void SingledOut::count(const PreparedTable& prepared, const Json& claims, const AloneBy& alone_by) {
  const auto tell_most_apart = [&](const std::vector<std::string>& names) {
    const std::uint64_t alone = alone_by(names, false);
    return alone > 0 && 2 * alone >= records_;
  };
  const auto held = release::held_secrets(claims);
  of_people_ = prepared.people.has_value();
  std::vector<std::string> secrets;
  auto leaving = prepared.as_is;
  leaving.insert(leaving.end(), prepared.rounded.begin(), prepared.rounded.end());
  for (const auto& name : leaving) {
    if (!prepared.schema.names(name)) continue;  // nothing leaves, so nobody decided
    const Role role = prepared.schema.role_of(name);
    if (role == Role::insensitive) columns_.push_back(name);
    if (role != Role::sensitive) continue;
    secrets.push_back(name);
    if (!release::among(held, name)) unheld_.push_back(name);
    if (!release::among(held, name) && release::among(prepared.not_measured(), name))
      several_.push_back(name);
    if (tell_most_apart({name})) telling_.push_back(name);
  }
  if (telling_.size() < secrets.size() && tell_most_apart(secrets)) {
    telling_ = secrets;
    together_ = true;
  }
  for (const auto& name : secrets) {
    if (release::among(telling_, name) || release::among(unheld_, name)) columns_.push_back(name);
  }
  if (columns_.empty()) return;
  const auto& known = prepared.schema.quasi_identifiers;
  const bool in_class = !prepared.allowed.empty() && !known.empty();
  count_ = alone_by(columns_, in_class);
  if (in_class) columns_.insert(columns_.end(), known.begin(), known.end());
}

void SingledOut::put(Json& figures) const {
  if (columns_.empty()) return;
  figures["singled_out"] = count_;
  figures["singled_out_share"] =
      records_ == 0 ? 0 : static_cast<double>(count_) / static_cast<double>(records_);
  figures["singled_out_by"] = columns_;
}

std::vector<std::string> SingledOut::warnings_of_telling() const {
  if (together_) {
    return {fmt::format(
        "{} are sensitive and leave as they are, and together they tell most records apart: "
        "whoever "
        "knows them of somebody finds the record. Leave some out, or make them quasi-identifiers",
        fmt::join(telling_, ", "))};
  }
  std::vector<std::string> warnings;
  for (const auto& name : telling_) {
    warnings.push_back(fmt::format(
        "'{}' is sensitive and leaves as it is, and most of its values stand in one "
        "record: whoever knows somebody's finds the record. {} leave it out (--id {})",
        name, of_people_ ? "Write it rounded into the file, or" : "Round it (--perturb), or",
        release::shell_quoted(name)));
  }
  return warnings;
}

// Models are of one value for each person, so they hold no column of which somebody has several.
std::string SingledOut::what_to_do(const std::string& models) const {
  const std::string leave =
      fmt::format("leave {} out (--id {})", unheld_.size() > 1 ? "them" : "it",
                  release::shell_quoted(fmt::to_string(fmt::join(unheld_, ","))));
  if (several_.empty()) return fmt::format("Add{}, or {}", models, leave);
  return fmt::format(
      "{}{} several values for one person, so no model can hold {}: make {} one value for each "
      "person (the first, the worst), release {} as codes (pratique codes protect), or {}",
      models.empty() ? "" : fmt::format("Add{}. ", models),
      several_.size() > 1 ? fmt::format("{} have", fmt::join(several_, ", "))
                          : fmt::format("{} has", several_.front()),
      several_.size() > 1 ? "them" : "it", several_.size() > 1 ? "each" : "it",
      several_.size() > 1 ? "them" : "it", leave);
}

std::vector<std::string> SingledOut::warnings(std::uint64_t certain) const {
  auto said = warnings_of_telling();
  if (unheld_.empty() || count_ + certain == 0) return said;
  const bool several = unheld_.size() > 1;
  std::string models;
  for (const auto& name : unheld_) {
    if (!release::among(several_, name)) models += " --l " + release::shell_quoted("2@" + name);
  }
  // None is not said: it may not have been measured.
  std::vector<std::string> found;
  if (count_ > 0)
    found.push_back(fmt::format("{} of the records stand alone by what no model holds", count_));
  if (certain > 0) found.push_back(fmt::format("of {} the sensitive value is certain", certain));
  said.push_back(fmt::format("{} {} sensitive, and no model holds {}: {}. {}",
                             fmt::join(unheld_, ", "), several ? "are" : "is",
                             several ? "them" : "it", fmt::join(found, ", and "),
                             what_to_do(models)));
  return said;
}

}  // namespace pratique::tables::flow
