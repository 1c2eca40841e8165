#include "pratique/tables/flow/reconstruct.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/manifest/manifest.h"
#include "pratique/tables/method/randomised_release.h"

namespace pratique::tables::flow {
namespace {

constexpr double kTwoSided95 = 1.959964;

// What the analyst can know of the original: its shares, and how sure they are.
Json estimates_of(const GroupedTable& released, double gamma,
                  const std::vector<std::string>& values) {
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < values.size(); ++i) place[values[i]] = i;
  std::vector<double> shares(values.size(), 0);
  const auto records = static_cast<double>(released.rows());
  for (std::size_t row = 0; row < released.counts.size(); ++row) {
    const auto value = place.find(std::string(released.groups.columns[0].text(row)));
    if (value == place.end()) {
      throw Error::check("the column has a value that its operator cannot give")
          .hint("pratique verify says what is wrong with the file.");
    }
    shares[value->second] = static_cast<double>(released.counts[row]) / records;
  }
  const tables::GammaDiagonal operation(values.size(), gamma);
  const auto unbiased = operation.reconstruct(shares);
  const auto likely = tables::reconstruct(operation.matrix(), shares);
  Json rows = Json::array();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double error = std::sqrt(shares[i] * (1 - shares[i]) / records) /
                         (operation.diagonal() - operation.off_diagonal());
    rows.push_back({{"value", values[i]},
                    {"released", shares[i]},
                    {"estimated", likely.shares[i]},
                    {"unbiased", unbiased[i]},
                    {"low", std::clamp(unbiased[i] - kTwoSided95 * error, 0.0, 1.0)},
                    {"high", std::clamp(unbiased[i] + kTwoSided95 * error, 0.0, 1.0)}});
  }
  return rows;
}

}  // namespace

Outcome reconstruct(const std::string& release, const Run& run) {
  const Manifest manifest = Manifest::read(Manifest::path_of(release));
  const Source source = run.open(release);
  Json result = {{"release", release}, {"columns", Json::array()}};
  std::map<std::string, bool> done;
  for (const auto& claim : *manifest.claims) {
    if (!claim.contains("gamma") || done[claim.at("sensitive")]) continue;
    const std::string column = claim.at("sensitive");
    done[column] = true;
    const GroupedTable released = run.engine.group(source, {column}, run.progress);
    if (released.rows() == 0) throw Error::check("the release has no records");
    result["columns"].push_back(
        {{"column", column},
         {"gamma", claim.at("gamma")},
         {"records", released.rows()},
         {"values", estimates_of(released, claim.at("gamma"), claim.at("values"))}});
  }
  if (result["columns"].empty()) {
    throw Error::input(fmt::format("no column of {} was randomised", release))
        .hint("tables protect --rho or --growth make such releases.");
  }
  Json shown = {{"release", release}};
  for (const auto& column : result["columns"]) {
    shown[column["column"].get<std::string>()] = column["values"];
  }
  return {.result = result, .for_a_person = shown};
}

}  // namespace pratique::tables::flow
