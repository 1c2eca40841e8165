#include "pratique/fusion/release/renamed_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/ascii.h"
#include "pratique/kind/among.h"
#include "pratique/kind/column_values.h"
#include "pratique/kind/recorded_figures.h"

namespace pratique::release {
namespace {

struct NamedValues {
  std::string column;
  bool sensitive = false;
  std::set<std::string> values;
};
using Columns = std::vector<NamedValues>;

std::string folded(const std::string& value) {
  std::string text = lower(value);
  std::erase(text, ' ');
  return text;
}

Columns columns_from(const std::vector<ColumnValues>& all,
                     const std::vector<std::string>& left_out) {
  Columns columns;
  for (const auto& column : all) {
    if (among(left_out, column.column)) continue;
    NamedValues named{column.column, column.sensitive, {}};
    for (const auto& value : column.values) named.values.insert(folded(value));
    columns.push_back(std::move(named));
  }
  return columns;
}

// But for quasi-identifiers, and whatever stands for a person.
Columns columns_of(Engine& engine, const ReleaseFile& file, Progress& progress) {
  const Json& parameters = *file.manifest().parameters;
  auto left_out = names_in(parameters, "quasi_identifiers");
  for (auto& name : names_in(parameters, "identifiers")) left_out.push_back(std::move(name));
  left_out.push_back(parameters.value("person", std::string()));
  return columns_from(column_values(engine, file, progress), left_out);
}

// Of a file without a manifest.
Columns columns_of(Engine& engine, const std::string& path, Progress& progress) {
  const Source source = engine.open(path, {}, progress);
  std::vector<ColumnValues> all;
  engine.count_values(source, source.columns, progress, [&](const ValueCounts& counts) {
    ColumnValues column{counts.name};
    for (const auto value : counts.values.values()) {
      if (!value.empty() && value != "*") column.values.emplace_back(value);
    }
    all.push_back(std::move(column));
  });
  return columns_from(all, {});
}

std::size_t count_shared(const NamedValues& a, const NamedValues& b) {
  return static_cast<std::size_t>(
      std::count_if(a.values.begin(), a.values.end(),
                    [&](const std::string& value) { return b.values.count(value) > 0; }));
}

class Matching {
 public:
  Matching(const SequenceRequest& request, Columns added)
      : request_(request), added_(std::move(added)) {}

  void match(const Columns& others) {
    for (const auto& here : unmatched_here(others)) {
      const NamedValues* best = nullptr;
      std::size_t most = 0;
      for (const auto& there : others) {
        if (!is_open(there) || !(there.sensitive || here.sensitive)) continue;
        const std::size_t shared = count_shared(there, here);
        if (shared < 2 || 2 * shared < std::min(there.values.size(), here.values.size())) continue;
        if (shared > most) {
          best = &there;
          most = shared;
        }
      }
      if (best != nullptr) renamed_.same.emplace(best->column, here.column);
    }
  }

  void say_unmatched(const ReleaseFile& file, const Columns& others) {
    for (const auto& there : others) {
      if (!there.sensitive || !is_open(there)) continue;
      for (const auto& here : unmatched_here(others)) {
        if (!here.sensitive) continue;
        renamed_.unmatched.push_back(
            {file.sha256(),
             fmt::format("its sensitive column {0} is not in this release by its name or its "
                         "values, and nobody said whether it is {1} (--same-column {0}={1}) or "
                         "another (--same-column {0}={0})",
                         there.column, here.column)});
        break;
      }
    }
  }

  [[nodiscard]] RenamedColumns take() { return std::move(renamed_); }

 private:
  // Nothing tells yet what it is here.
  [[nodiscard]] bool is_open(const NamedValues& there) const {
    return request_.same_columns.count(there.column) == 0 &&
           renamed_.same.count(there.column) == 0 &&
           std::none_of(added_.begin(), added_.end(), [&](const NamedValues& here) {
             return here.column == there.column ||
                    called(here.column, request_.same_columns) == there.column;
           });
  }
  // Columns of the added release that the other does not have, under any name.
  [[nodiscard]] Columns unmatched_here(const Columns& others) const {
    Columns columns;
    for (const auto& here : added_) {
      const bool there = std::any_of(others.begin(), others.end(), [&](const NamedValues& other) {
        return other.column == here.column ||
               called(other.column, request_.same_columns) == here.column ||
               called(here.column, request_.same_columns) == other.column ||
               called(other.column, renamed_.same) == here.column;
      });
      if (!there) columns.push_back(here);
    }
    return columns;
  }
  static std::string called(const std::string& name,
                            const std::map<std::string, std::string>& names) {
    const auto entry = names.find(name);
    return entry == names.end() ? std::string() : entry->second;
  }

  const SequenceRequest& request_;
  Columns added_;
  RenamedColumns renamed_;
};

}  // namespace

RenamedColumns find_renamed(Engine& engine, const SequenceRequest& request, Progress& progress) {
  if (request.earlier.empty() && request.known.empty()) return {};
  Matching matching(request, columns_of(engine, request.added, progress));
  for (const auto& file : request.earlier) {
    const Columns others = columns_of(engine, file, progress);
    matching.match(others);
    matching.say_unmatched(file, others);
  }
  for (const auto& path : request.known) matching.match(columns_of(engine, path, progress));
  return matching.take();
}

}  // namespace pratique::release
