#include "pratique/dp/flow/synthetic_release.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/dp/flow/released.h"
#include "pratique/dp/mechanism/noise.h"
#include "pratique/dp/synthesis/generate.h"
#include "pratique/kind/publish.h"

namespace pratique::dp::flow {
namespace {

constexpr std::array<std::string_view, 3> kToldOfSynthetic = {"method", "rows", "marginals"};

// Of a histogram: boxes get rows by their counts, and rows their places in a box by chance.
std::vector<std::vector<std::uint32_t>> rows_of_boxes(const std::vector<ReleasedBox>& boxes,
                                                      const std::vector<Domain>& domains,
                                                      const std::vector<Attribute>& attributes,
                                                      std::uint64_t rows, RandomBits& random) {
  std::vector<double> weights;
  for (const auto& box : boxes) weights.push_back(std::max(0.0, box.count));
  std::vector<std::vector<std::uint32_t>> cells(domains.size());
  const auto counts = apportioned(weights, rows, random);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::uint64_t n = 0; n < counts[i]; ++n) {
      for (std::size_t d = 0; d < domains.size(); ++d) {
        const auto [low, high] = std::pair(boxes[i].box.low[d], boxes[i].box.high[d]);
        const std::string value = domains[d].value_of(low + random.below(high - low + 1));
        cells[d].push_back(static_cast<std::uint32_t>(attributes[d].cell_of(value)));
      }
    }
  }
  return cells;
}

}  // namespace

std::vector<std::string> files_of_domains(const std::vector<std::string>& domains,
                                          const std::string& ledger) {
  std::vector<std::string> files;
  if (!ledger.empty()) files.push_back(ledger);
  for (const auto& text : domains) {
    const std::string spec = text.substr(text.find('=') + 1);
    const bool range = spec.find("..") != std::string::npos && spec.find('/') == std::string::npos;
    if (spec.find('|') == std::string::npos && !range) files.push_back(spec);
  }
  return files;
}

Json publish_synthetic(const SyntheticTable& table, const std::string& out, const Run& run) {
  const std::size_t rows = table.cells.front().size();
  Output output{.columns = {}, .row_count = rows};
  Json columns = Json::array();
  Json values = Json::object();
  for (std::size_t c = 0; c < table.attributes.size(); ++c) {
    const Attribute& attribute = table.attributes[c];
    output.columns.push_back({attribute.column(), &table.cells[c], &attribute.labels()});
    columns.push_back(attribute.to_json());
    values[attribute.column()] = attribute.labels();
  }
  Json claims = Json::array();
  if (table.is_private) {
    claims.push_back({{"model", "differential-privacy"},
                      {"epsilon", table.epsilon},
                      {"delta", table.delta},
                      {"max_rows", table.max_rows},
                      {"values", values}});
  }
  Json result = {{"method", table.method}, {"rows", rows}};
  if (table.marginals->is_array()) result["marginals"] = *table.marginals;
  release::publish(run.engine, release::TableArtefact(std::move(output)), out,
                   {.kind = "dp",
                    .verb = "synthesize",
                    .command = run.command,
                    .seed = 0,
                    .inputs = table.inputs,
                    .other_files = run.settings(table.settings),
                    .options = run.options,
                    .told = kToldOfSynthetic,
                    .private_folder = run.private_folder},
                   {{"columns", columns},
                    {"method", table.method},
                    {"epsilon", table.epsilon},
                    {"delta", table.delta},
                    {"max_rows", table.max_rows},
                    {"private", table.is_private}},
                   claims, result, run.progress);
  result["out"] = out;
  result["private"] = table.is_private;
  if (!table.is_private) {
    result["notes"] = Json::array({"NOT PRIVATE: the noise follows from --insecure-seed"});
  }
  return result;
}

Outcome synthesize_from_histogram(const SynthesizeRequest& request, const Run& run) {
  if (!request.columns.empty() || !request.domains.empty() || !request.marginals.empty() ||
      !request.cuts.empty() || request.epsilon || request.delta) {
    throw Error::input("--from takes columns, domains and epsilon from the histogram")
        .hint("Leave --columns, --domain, --marginals, --epsilon and --delta out.");
  }
  const ReleasedHistogram histogram = released_histogram(request.from);
  const Source source = run.open(request.from);
  release::refuse_overwriting_inputs(request.out, {source}, run.settings());
  std::vector<Attribute> attributes;
  for (const auto& domain : histogram.domains) {
    attributes.push_back(Attribute::of(domain));
  }
  const auto boxes = released_boxes(request.from, histogram, run);
  double total = 0;
  for (const auto& box : boxes) total += std::max(0.0, box.count);
  const std::uint64_t rows =
      request.rows.value_or(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(total)));
  Noise noise(request.insecure_seed);
  RandomBits of_rows = noise.phase("synthetic rows");
  if (boxes.empty()) {
    throw Error::input("the histogram has no lines").at(request.from);
  }
  const auto cells = rows_of_boxes(boxes, histogram.domains, attributes, rows, of_rows);
  double epsilon = 0;
  double delta = 0;
  std::uint64_t max_rows = 1;
  bool is_private = false;
  try {
    const Json& parameters = *histogram.manifest.parameters;
    epsilon = parameters.at("epsilon").get<double>();
    max_rows = parameters.at("max_rows").get<std::uint64_t>();
    is_private = parameters.at("private").get<bool>();
  } catch (const nlohmann::json::exception&) {
    throw Manifest::malformed(Manifest::path_of(request.from));
  }
  Json result = publish_synthetic({.attributes = attributes,
                                   .cells = cells,
                                   .method = "histogram",
                                   .epsilon = epsilon,
                                   .delta = delta,
                                   .max_rows = max_rows,
                                   .is_private = is_private,
                                   .inputs = {source}},
                                  request.out, run);
  result["epsilon_spent"] = 0;
  result["epsilon"] = epsilon;
  return {result};
}

}  // namespace pratique::dp::flow
