#include "pratique/dp/flow/released.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/crypto/hash.h"
#include "pratique/data/number.h"

namespace pratique::dp::flow {

Manifest released_by(const std::string& path, const std::string& verb, const std::string& hint) {
  auto manifest = Manifest::beside(path);
  if (!manifest || manifest->kind != "dp" || manifest->verb != verb) {
    throw Error::input(fmt::format("this was not made by dp {}, with its manifest beside it", verb))
        .at(path)
        .hint(hint);
  }
  if (sha256_file(path) != manifest->output().sha256) {
    throw Error::check("this is not the file that its manifest describes")
        .at(path)
        .hint("It was changed. Take the release as it was published.");
  }
  return *std::move(manifest);
}

namespace {

// As many levels as the domains make of it, or it is not what dp histogram wrote.
CountedTree counted_tree(const Json& json, const std::vector<Domain>& domains,
                         const std::string& path) {
  CountedTree tree{.branching = json.at("branching").get<std::uint64_t>(),
                   .variances = json.at("variances").get<std::vector<double>>()};
  const CellGrid grid(domains);
  constexpr std::uint64_t kMostCellsOfTree = std::uint64_t{1} << 24U;
  if (grid.dimensions() > 2 || grid.cells() > kMostCellsOfTree || tree.branching < 2 ||
      tree.branching > kMostCellsOfTree || tree.variances.size() != levels_of(grid, tree)) {
    throw Manifest::malformed(Manifest::path_of(path));
  }
  return tree;
}

}  // namespace

ReleasedHistogram released_histogram(const std::string& path) {
  ReleasedHistogram read{
      .manifest = released_by(
          path, "histogram",
          "Raw data is asked through its budget: pratique dp query LEDGER \"SELECT ...\"."),
      .domains = {}};
  try {
    const Json& parameters = *read.manifest.parameters;
    for (const auto& column : parameters.at("columns")) {
      const auto name = column.at("column").get<std::string>();
      read.domains.push_back(
          column.contains("values")
              ? Domain::of(name, column.at("values").get<std::vector<std::string>>())
              : Domain::range(name, column.at("low").get<double>(),
                              column.at("high").get<double>()));
    }
    read.deviation_of_box = parameters.at("deviation_of_box").get<double>();
    read.deviation_at_most = parameters.at("deviation_at_most").get<double>();
    if (const auto tree = parameters.find("tree"); tree != parameters.end()) {
      read.tree = counted_tree(*tree, read.domains, path);
    }
  } catch (const nlohmann::json::exception&) {
    throw Manifest::malformed(Manifest::path_of(path));
  }
  return read;
}

std::vector<ReleasedBox> released_boxes(const std::string& path, const ReleasedHistogram& histogram,
                                        const Run& run) {
  const std::size_t dimensions = histogram.domains.size();
  const Table table = run.engine.load(run.open(path), {}, run.progress);
  if (table.columns.size() != 2 * dimensions + 1) {
    throw Manifest::malformed(Manifest::path_of(path));
  }
  std::vector<ReleasedBox> boxes;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    CellBox box{.low = std::vector<std::uint64_t>(dimensions),
                .high = std::vector<std::uint64_t>(dimensions)};
    for (std::size_t d = 0; d < dimensions; ++d) {
      const auto low = histogram.domains[d].cell_of(table.columns[2 * d].text(row));
      const auto high = histogram.domains[d].cell_of(table.columns[2 * d + 1].text(row));
      if (!low || !high || *low > *high) throw Manifest::malformed(Manifest::path_of(path));
      box.low[d] = *low;
      box.high[d] = *high;
    }
    const std::string_view text = table.columns.back().text(row);
    boxes.push_back({std::move(box), is_number(text) ? to_double(text) : 0});
  }
  return boxes;
}

std::vector<Attribute> released_attributes(const std::string& path, const Manifest& manifest) {
  std::vector<Attribute> attributes;
  try {
    for (const auto& column : manifest.parameters->at("columns")) {
      attributes.push_back(Attribute::from_json(column));
    }
  } catch (const nlohmann::json::exception&) {
    throw Manifest::malformed(Manifest::path_of(path));
  }
  return attributes;
}

}  // namespace pratique::dp::flow
