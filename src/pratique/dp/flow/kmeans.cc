#include "pratique/dp/flow/kmeans.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/data/number.h"
#include "pratique/dp/budget/budget.h"
#include "pratique/dp/clustering/kmeans.h"
#include "pratique/dp/flow/charged_rows.h"

namespace pratique::dp::flow {
namespace {

std::vector<NumberRange> declared_bounds(const KmeansRequest& request, const Source& source) {
  const auto declared = parse_domains(request.domains);
  std::vector<NumberRange> bounds;
  for (const auto& column : request.columns) {
    (void)column_index(source.columns, column, source.name);
    const Domain* domain = domain_of(declared, column);
    if (domain == nullptr || !domain->numbers()) {
      throw Error::input(fmt::format("the column {} needs bounds", column))
          .hint(fmt::format("Declare them without looking at the data, such as --domain {}=0..120.",
                            column));
    }
    bounds.push_back(*domain->numbers());
  }
  return bounds;
}

}  // namespace

Outcome kmeans(const KmeansRequest& request, const Run& run) {
  const BudgetState state = read_budget(request.ledger);
  const BudgetTerms& terms = state.terms;
  const Source source = run.open(terms.data);
  require_same_data(request.ledger, state,
                    [&](const std::string& data) { return run.engine.identify(data).sha256; });
  const auto bounds = declared_bounds(request, source);
  const KmeansSettings settings{.clusters = request.clusters,
                                .rounds = request.rounds,
                                .max_rows = terms.max_rows,
                                .epsilon = Epsilon::from(request.epsilon)};
  if (settings.epsilon.part_of(settings.rounds * (bounds.size() + 1)).billionths == 0) {
    throw Error::input("epsilon is too small for so many rounds and columns");
  }
  Noise noise(request.insecure_seed);
  const auto [after, table, counts] =
      charged_rows(request.ledger, terms,
                   {{settings.epsilon, {}},
                    "dp kmeans",
                    fmt::format("{}", fmt::join(request.columns, ", ")),
                    request.analyst,
                    request.insecure_seed.has_value()},
                   source, request.columns, noise, run);
  std::vector<WeightedPoint> points;
  for (std::size_t row = 0; row < counts.size(); ++row) {
    Point point;
    for (std::size_t d = 0; d < bounds.size(); ++d) {
      const std::string_view text = table.groups.columns[d].text(row);
      if (is_number(text)) point.push_back(scaled(to_double(text), bounds[d]));
    }
    if (point.size() == bounds.size()) points.push_back({std::move(point), counts[row]});
  }
  RandomBits of_centres = noise.phase("first centres");
  const auto clusters = noisy_kmeans(
      points, first_centres(settings.clusters, bounds.size(), of_centres), settings, noise);

  Json centres = Json::array();
  for (const auto& cluster : clusters) {
    Json shown = Json::object();
    for (std::size_t d = 0; d < bounds.size(); ++d) {
      shown[request.columns[d]] = unscaled(cluster.centre[d], bounds[d]);
    }
    shown["count"] = cluster.rows;
    centres.push_back(std::move(shown));
  }
  Json result = {{"clusters", centres},
                 {"epsilon_spent", settings.epsilon.value()},
                 {"epsilon_left", after.left_to(request.analyst).value()},
                 {"private", noise.is_private()}};
  if (!noise.is_private()) {
    result["notes"] = Json::array({"NOT PRIVATE: the noise follows from --insecure-seed"});
  }
  return {result};
}

}  // namespace pratique::dp::flow
