#include "pratique/fusion/observations.h"

#include <cmath>
#include <limits>

#include "pratique/core/parallel.h"
#include "pratique/data/generalised.h"
#include "pratique/data/number.h"
#include "pratique/fusion/fcl.h"
#include "pratique/tables/equivalence_classes.h"

namespace pratique::fusion {
namespace {

constexpr std::size_t kObservationsPerBlock = 1024;

Input read_text(std::string_view text, const Variable& variable) {
  if (text.empty()) return {};
  if (is_number(text)) {
    const double value = to_double(text);
    return std::isfinite(value) ? Input{{value, value}} : Input{};
  }
  const auto term = variable.find_term(fcl_identifier(text));
  return term ? Input{core_of(variable.terms[*term].set)} : Input{};
}

const Column* column_of(const Table* table, const std::string& input) {
  if (table == nullptr) return nullptr;
  const std::string wanted = fcl_identifier(input);
  for (const auto& column : table->columns) {
    if (fcl_identifier(column.name) == wanted) return &column;
  }
  return nullptr;
}

// The codes of the column's values in `values`; 0 where nothing is known.
std::vector<std::uint32_t> add_values(const Column& column, const Variable& variable,
                                      std::vector<Input>& values) {
  std::vector<std::uint32_t> of_code;
  for (const auto text : column.dictionary.values()) {
    Input input = read_input(text, variable);
    of_code.push_back(input.empty() ? 0 : static_cast<std::uint32_t>(values.size()));
    if (!input.empty()) values.push_back(std::move(input));
  }
  return of_code;
}

struct DistinctRows {
  std::vector<std::uint32_t> first;   // a row of each
  std::vector<std::uint32_t> of_row;  // into first
};

DistinctRows distinct_rows(const Observations& observations) {
  std::vector<tables::CodedColumn> columns;
  for (const auto& input : observations.inputs) {
    columns.push_back({input.of_row, input.values.size()});
  }
  const auto classes = tables::EquivalenceClasses::of(columns, observations.rows);
  return {classes.representatives(), classes.class_of()};
}

}  // namespace

Input read_input(std::string_view cell, const Variable& variable) {
  const auto value = GeneralisedValue::parse_foreign(cell);
  switch (value.kind()) {
    case GeneralisedValue::Kind::text:
      return read_text(value.parts().front(), variable);
    case GeneralisedValue::Kind::set: {
      Input all;
      for (const auto& member : value.parts()) {
        const Input intervals = read_text(member, variable);
        if (intervals.empty()) return {};  // the value may be the member that means nothing here
        all.insert(all.end(), intervals.begin(), intervals.end());
      }
      return all;
    }
    case GeneralisedValue::Kind::range: {
      constexpr double kInfinity = std::numeric_limits<double>::infinity();
      const auto end = [](const std::string& text, double none) {
        if (text.empty()) return none;
        return is_number(text) ? to_double(text) : std::nan("");
      };
      const double low = end(value.parts()[0], -kInfinity);
      const double high = end(value.parts()[1], kInfinity);
      return low <= high && (std::isfinite(low) || std::isfinite(high)) ? Input{{low, high}}
                                                                        : Input{};
    }
    case GeneralisedValue::Kind::pattern:
    case GeneralisedValue::Kind::any:
      break;
  }
  return {};
}

double Observations::OfInput::known() const {
  if (of_row.empty()) return 0;
  std::size_t rows_known = 0;
  for (const auto value : of_row) rows_known += value != 0 ? 1 : 0;
  return static_cast<double>(rows_known) / static_cast<double>(of_row.size());
}

Observations observe(const FuzzySystem& system, const Table& release, const Table* auxiliary,
                     const std::vector<std::uint32_t>& fact_row) {
  Observations all;
  all.rows = release.rows();
  for (const auto& variable : system.inputs) {
    Observations::OfInput& input = all.inputs.emplace_back();
    input.name = variable.name;
    input.values.emplace_back();
    input.of_row.assign(all.rows, 0);
    if (const Column* column = column_of(&release, variable.name)) {
      input.in_release = true;
      const auto of_code = add_values(*column, variable, input.values);
      for (std::size_t row = 0; row < all.rows; ++row) {
        input.of_row[row] = of_code[column->codes[row]];
      }
    }
    if (const Column* column = column_of(auxiliary, variable.name)) {
      input.in_auxiliary = true;
      const auto of_code = add_values(*column, variable, input.values);
      for (std::size_t row = 0; row < all.rows; ++row) {
        if (fact_row[row] == kNotFound) continue;
        const std::uint32_t value = of_code[column->codes[fact_row[row]]];
        if (value != 0) input.of_row[row] = value;
      }
    }
  }
  return all;
}

Estimates estimate_all(const FuzzySystem& system, std::size_t output,
                       const Observations& observations, Reading reading) {
  const Inference inference(system, output);
  std::vector<std::vector<std::vector<Truth>>> truths;  // by input, value, term
  for (std::size_t i = 0; i < system.inputs.size(); ++i) {
    auto& of_input = truths.emplace_back();
    for (const auto& value : observations.inputs[i].values) {
      of_input.push_back(fuzzify(system.inputs[i], value, reading));
    }
  }
  // People of whom the same is known have the same estimate.
  const auto distinct = distinct_rows(observations);
  std::vector<Inference::Estimate> of_distinct(distinct.first.size());
  parallel_blocks(
      of_distinct.size(), kObservationsPerBlock, [&](std::size_t begin, std::size_t end) {
        std::vector<const Truth*> row_truths(system.inputs.size());
        for (std::size_t d = begin; d < end; ++d) {
          for (std::size_t i = 0; i < row_truths.size(); ++i) {
            row_truths[i] = truths[i][observations.inputs[i].of_row[distinct.first[d]]].data();
          }
          of_distinct[d] = inference.estimate(row_truths);
        }
      });
  Estimates estimates;
  estimates.values.reserve(observations.rows);
  for (const auto d : distinct.of_row) {
    estimates.values.push_back(of_distinct[d].value);
    estimates.unexplained += of_distinct[d].fired ? 0 : 1;
  }
  return estimates;
}

}  // namespace pratique::fusion
