#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "fusion_compose.h"
#include "pratique/core/file.h"
#include "pratique/crypto/random.h"
#include "pratique/fusion/composition_simulation.h"

namespace pratique::app {
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
  for (const auto& one : simulation.cases) {
    if (one.runs == 0) continue;
    std::string model = fmt::format("k={}", one.k);
    if (one.l) model += fmt::format(" l={}", *one.l);
    if (one.t) model += fmt::format(" t={}", *one.t);
    rows.push_back({{"method", one.method},
                    {"model", model},
                    {"releases", one.releases},
                    {"sensitive", one.sensitive},
                    {"perfect_breach", one.known.perfect_breach},
                    {"at_0.25", one.known.breach_at.back()},
                    {"mean_drop", one.known.drop},
                    {"loss", one.loss}});
  }
  return rows;
}

}  // namespace

int run_composition_study(const ComposeOptions& options, Session& session) {
  const auto began = std::chrono::steady_clock::now();
  if (options.data.empty()) {
    throw Error::input("--simulate needs --data: the table that the releases are drawn from");
  }
  if (!options.releases.empty() || !options.targets.empty()) {
    throw Error::input("--simulate makes its own releases and targets")
        .hint("Leave out --release and --targets, or --simulate.");
  }
  const Source source = session.open(options.data);
  Schema schema = options.columns.schema(source.columns, source.name);
  require_quasi_identifiers(schema);
  if (schema.sensitive.empty()) {
    throw Error::input("no sensitive attribute was named").hint("Name it with --sensitive.");
  }
  std::vector<std::string> columns = schema.quasi_identifiers;
  columns.insert(columns.end(), schema.sensitive.begin(), schema.sensitive.end());
  const Table data = session.engine().load(source, columns, session.progress);
  for (const auto& name : schema.quasi_identifiers) schema.hierarchies.emplace(name, "flat");
  const auto trees = make_hierarchies(schema, schema.quasi_identifiers, CountedTable(data));
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
  const auto simulation = fusion::simulate(data, hierarchies, wanted, session.progress);
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
  session.print(result, shown);
  return 0;
}

void add_composition_study(Verb& verb, ComposeOptions& options) {
  verb.flag("simulate", &options.simulate,
            "instead of attacking releases at hand, draw overlapping subsets of --data, anonymise "
            "each by itself and attack them");
  verb.file_read("data", &options.data, "of --simulate: the table to draw from");
  verb.whole_number("overlap", &options.overlap, 1, 100'000'000,
                    "of --simulate: how many people are in all releases");
  verb.whole_number("ks", &options.ks, 1, 1'000'000'000, "of --simulate: values of k")
      .separated_by_commas();
  verb.choice("methods", &options.methods, {"mondrian", "microaggregate", "mixed"},
              "of --simulate: methods to draw; the first is used for l, t, "
              "sensitive attributes and numbers of releases")
      .separated_by_commas();
  verb.number("l", &options.ls, 1.0, 1e9, "of --simulate: entropy l-diversity")
      .separated_by_commas();
  verb.share("t", &options.ts, "of --simulate: t-closeness").separated_by_commas();
  verb.whole_number("diversity-k", &options.diversity_k, 1, 1'000'000'000,
                    "of --simulate: the k beside --l and --t");
  verb.whole_number("releases", &options.release_counts, 1, 64,
                    "of --simulate: how many releases there are; 1 is everybody in one release")
      .separated_by_commas();
  verb.choice("recoding", &options.recoding, {"labels", "free"},
              "of --simulate: cells are labels of the hierarchies or free");
  verb.whole_number("runs", &options.runs, 1, 100'000, "of --simulate: how often to draw");
  verb.seed(&options.seed, "of --simulate: repeats it").unless_given("drawn and printed");
}

}  // namespace pratique::app
