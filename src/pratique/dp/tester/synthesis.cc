#include "pratique/dp/tester/synthesis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "pratique/dp/accounting/zcdp.h"
#include "pratique/dp/synthesis/generate.h"

namespace pratique::dp {
namespace {

// Two values and the stray cell.
constexpr std::uint32_t kTestedCells = 3;
constexpr std::size_t kMostRowsTold = 40;

using TwoCells = std::array<std::uint32_t, 2>;

EncodedRows encoded_people(const std::vector<TwoCells>& people) {
  EncodedRows rows{.cells = {{}, {}}, .counts = std::vector<std::uint64_t>(people.size(), 1)};
  for (const auto& [first, second] : people) {
    rows.cells[0].push_back(first);
    rows.cells[1].push_back(second);
  }
  return rows;
}

// How many rows there are, how many of them are like the first person, and whether a value that was
// not declared is among them.
std::string label_of_rows(const std::vector<std::vector<std::uint32_t>>& cells) {
  const std::size_t rows = cells[0].size();
  std::size_t alike = 0;
  bool stray = false;
  for (std::size_t row = 0; row < rows; ++row) {
    alike += cells[0][row] == 0 && cells[1][row] == 0 ? 1 : 0;
    stray = stray || cells[0][row] + 1 == kTestedCells || cells[1][row] + 1 == kTestedCells;
  }
  return fmt::format("{} {} {}", std::min(rows, kMostRowsTold), std::min(alike, kMostRowsTold) / 2,
                     stray);
}

}  // namespace

std::vector<std::vector<std::uint32_t>> synthesised(const EncodedRows& rows,
                                                    const std::vector<SynthesisColumn>& columns,
                                                    double rho, Noise& noise) {
  constexpr std::size_t kFitSteps = 10;  // changes no cost
  const auto model =
      fit_mst(rows, columns, {.rho = rho, .marginals = {}, .fit_steps = kFitSteps}, noise);
  RandomBits of_rows = noise.phase("synthetic rows");
  return generate(model, static_cast<std::uint64_t>(std::llround(model.rows())), of_rows);
}

std::vector<NeighbourPair> pairs_of_tables(const Synthesiser& synthesiser, Epsilon epsilon,
                                           double delta) {
  const double rho = zcdp_within(epsilon, delta);
  const std::vector<SynthesisColumn> columns(2, {.cells = kTestedCells, .ordered = false});
  const auto sampler = [&](const std::vector<TwoCells>& people) {
    return Sampler([=, rows = encoded_people(people)](std::uint64_t) {
      Noise noise;
      return label_of_rows(synthesiser(rows, columns, rho, noise));
    });
  };
  std::vector<NeighbourPair> pairs;
  const std::vector<TwoCells> some(6, {0, 0});
  const auto add = [&](const char* name, std::vector<TwoCells> people, TwoCells more) {
    const Sampler without = sampler(people);
    people.push_back(more);
    pairs.push_back({name, sampler(people), without});
  };
  add("nobody and one more", {}, {0, 0});
  add("six alike and one more of them", some, {0, 0});
  add("six alike and another", some, {1, 1});
  add("six alike and one who was not declared", some, {2, 2});
  return pairs;
}

}  // namespace pratique::dp
