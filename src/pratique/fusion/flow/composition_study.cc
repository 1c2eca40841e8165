#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/random.h"
#include "pratique/fusion/composition_simulation.h"
#include "pratique/fusion/flow/compose.h"

namespace pratique::fusion::flow {
namespace {

Json write_figures(const std::string& folder, const fusion::Simulation& simulation,
                   const fusion::SimulationOptions& options) {
  Json files = Json::array();
  std::filesystem::create_directories(folder);
  const auto write = [&](const std::string& name, const std::string& text) {
    const std::string path = (std::filesystem::path(folder) / name).string();
    write_file_atomically(path, text);
    files.push_back(path);
  };
  write("cases.csv", to_csv(simulation));
  for (const auto& figure : figures_of(simulation, options)) {
    write(figure.name + ".csv", to_csv(figure.chart));
    write(figure.name + ".svg", to_svg(figure.chart));
  }
  return files;
}

// What a person wants to see of it.
Json short_table(const fusion::Simulation& simulation) {
  Json rows = Json::array();
  for (const auto& simulated : simulation.cases) {
    if (simulated.runs == 0) continue;
    std::string model = fmt::format("k={}", simulated.k);
    if (simulated.l) model += fmt::format(" l={}", *simulated.l);
    if (simulated.t) model += fmt::format(" t={}", *simulated.t);
    rows.push_back({{"method", simulated.method},
                    {"model", model},
                    {"releases", simulated.releases},
                    {"sensitive", simulated.sensitive},
                    {"perfect_breach", simulated.known.perfect_breach},
                    {"at_0.25", simulated.known.breach_at.back()},
                    {"mean_drop", simulated.known.drop},
                    {"loss", simulated.loss}});
  }
  return rows;
}

}  // namespace

Outcome study_composition(const ComposeRequest& options, const Run& run) {
  const auto began = std::chrono::steady_clock::now();
  if (options.data.empty()) {
    throw Error::input("--simulate needs --data: the table that the releases are drawn from");
  }
  if (!options.releases.empty() || !options.targets.empty()) {
    throw Error::input("--simulate makes its own releases and targets")
        .hint("Leave out --release and --targets, or --simulate.");
  }
  const Source source = run.open(options.data);
  Schema schema = options.columns.schema(source.columns, source.name);
  tables::flow::require_quasi_identifiers(schema);
  if (schema.sensitive.empty()) {
    throw Error::input("no sensitive attribute was given").hint("Name it with --sensitive.");
  }
  std::vector<std::string> columns = schema.quasi_identifiers;
  columns.insert(columns.end(), schema.sensitive.begin(), schema.sensitive.end());
  const Table data = run.engine.load(source, columns, run.progress);
  for (const auto& name : schema.quasi_identifiers) schema.hierarchies.emplace(name, "flat");
  const auto trees =
      tables::flow::make_hierarchies(schema, schema.quasi_identifiers, CountedTable(data));
  tables::Hierarchies hierarchies;
  for (const auto& [name, tree] : trees) hierarchies[name] = &tree;

  fusion::SimulationOptions wanted;
  wanted.quasi_identifiers = schema.quasi_identifiers;
  wanted.sensitive = schema.sensitive;
  wanted.overlap = options.overlap;
  wanted.ks = options.ks;
  wanted.methods = options.methods;
  wanted.ls = options.ls;
  wanted.ts = options.ts;
  wanted.diversity_k = options.diversity_k;
  wanted.releases = options.release_counts;
  wanted.style = options.recoding == "labels" ? tables::CellStyle::labels : tables::CellStyle::free;
  wanted.runs = options.runs;
  wanted.seed = options.seed ? *options.seed : draw_seed();
  const auto simulation = fusion::simulate(data, hierarchies, wanted, run.progress);
  Json result = to_json(simulation);
  Json shown = {{"cases", short_table(simulation)}};
  for (Json* json : {&result, &shown}) {
    (*json)["rows"] = data.rows();
    (*json)["overlap"] = wanted.overlap;
    (*json)["runs"] = wanted.runs;
    (*json)["seed"] = wanted.seed;
    (*json)["seconds"] =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  }
  if (!options.out.empty()) {
    result["files"] = write_figures(options.out, simulation, wanted);
    shown["out"] = options.out;
  }
  return {.result = result, .for_a_person = shown};
}

}  // namespace pratique::fusion::flow
