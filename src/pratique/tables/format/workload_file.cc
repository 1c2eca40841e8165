#include "pratique/tables/format/workload_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "pratique/core/error.h"
#include "pratique/data/generalised.h"

namespace pratique::tables {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// A single value that nobody could have; a reader of cells would take the nearest number for it.
bool is_unknown(const std::string& cell, const Hierarchy& hierarchy) {
  const auto value = GeneralisedValue::parse(cell);
  return value.kind() == GeneralisedValue::Kind::text && !hierarchy.find(cell) &&
         !hierarchy.leaf(value.parts()[0]);
}

class WorkloadReader {
 public:
  WorkloadReader(const std::string& place, const ProtectionInput& input)
      : place_(place), input_(input) {
    for (const auto& attribute : input.attributes) {
      readers_.emplace_back(attribute);
      names_.push_back(attribute.name);
    }
    for (const Column* column : input.sensitive) names_.push_back(column->name);
  }

  CountQuery read(const std::string& line, std::size_t number) {
    CountQuery query;
    std::stringstream parts(line);
    std::string part;
    while (std::getline(parts, part, ',')) {
      const auto sign = part.find('=');
      if (sign == std::string::npos) {
        throw wrong(number, fmt::format("'{}' is not COLUMN=CELL", trimmed(part)));
      }
      add(query, trimmed(part.substr(0, sign)), trimmed(part.substr(sign + 1)), number);
    }
    return query;
  }

 private:
  [[nodiscard]] Error wrong(std::size_t number, const std::string& what) const {
    return Error::input(what)
        .at(fmt::format("{}:{}", place_, number))
        .hint("A query is comma-separated, such as age=20..29,sex=F.");
  }

  void add(CountQuery& query, const std::string& name, const std::string& cell,
           std::size_t number) {
    const auto match = std::find(names_.begin(), names_.end(), name);
    if (match == names_.end()) {
      throw Error::input(
          fmt::format("no quasi-identifier and no sensitive attribute is called '{}'", name))
          .at(fmt::format("{}:{}", place_, number))
          .hint("Queries ask for columns of --qi and --sensitive.");
    }
    const auto at = static_cast<std::size_t>(match - names_.begin());
    if (at < readers_.size()) {
      CountQuery::Predicate predicate{at, readers_[at].spans(cell)};
      // A range that nobody is in is a question all the same; nobody is its answer.
      const bool is_range = input_.attributes[at].kind != Attribute::Kind::category &&
                            GeneralisedValue::parse(cell).kind() == GeneralisedValue::Kind::range;
      if (!is_range &&
          (predicate.spans.empty() || is_unknown(cell, *input_.attributes[at].hierarchy))) {
        throw wrong(number, fmt::format("'{}' matches no value of '{}'", cell, name));
      }
      query.predicates.push_back(std::move(predicate));
      return;
    }
    if (query.sensitive) throw wrong(number, "a query asks for one sensitive value at most");
    const std::size_t sensitive = at - readers_.size();
    const auto code = input_.sensitive[sensitive]->dictionary.find(cell);
    if (!code) throw wrong(number, fmt::format("'{}' is not a value of '{}'", cell, name));
    query.sensitive = {sensitive, *code};
  }

  std::string place_;
  const ProtectionInput& input_;
  std::vector<CellReader> readers_;
  std::vector<std::string> names_;
};

}  // namespace

std::vector<CountQuery> parse_workload(const std::string& text, const std::string& place,
                                       const ProtectionInput& input) {
  WorkloadReader reader(place, input);
  std::vector<CountQuery> workload;
  std::stringstream lines(text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    line = trimmed(line);
    if (line.empty() || line.front() == '#') continue;
    workload.push_back(reader.read(line, number));
  }
  if (workload.empty()) {
    throw Error::input("there is no query in it")
        .at(place)
        .hint("Write one per line, such as age=20..29,sex=F.");
  }
  return workload;
}

}  // namespace pratique::tables
