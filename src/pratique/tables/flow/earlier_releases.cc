#include "pratique/tables/flow/earlier_releases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/error.h"
#include "pratique/data/generalised.h"
#include "pratique/kind/among.h"
#include "pratique/kind/release_file.h"
#include "pratique/kind/sequence.h"
#include "pratique/tables/flow/prepared_table.h"

namespace pratique::tables::flow {
namespace {

std::set<std::string> named_in(const Json& parameters, const char* key) {
  const auto names = parameters.value(key, std::vector<std::string>());
  return {names.begin(), names.end()};
}

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Error::input(fmt::format("this release is not a version of the table: {}", what))
      .at(path)
      .hint(
          "--against takes releases made with the same columns, hierarchies and levels, by "
          "--method levels, optimal or again.");
}

// What would tell the records of one version from those of another leaves with neither.
void check_what_leaves(const PreparedTable& prepared) {
  std::vector<std::string> others;
  for (const auto& name : prepared.leaving) {
    const Role role = prepared.schema.role_of(name);
    if (role != Role::quasi_identifier && role != Role::sensitive && name != prepared.person)
      others.push_back(name);
  }
  if (!others.empty()) {
    throw Error::input(
        fmt::format("with --against only quasi-identifiers and sensitive columns leave, not {}",
                    fmt::join(others, ", ")))
        .hint(
            "Such columns tell records apart from those of the release before. Make them "
            "sensitive, or leave them out with --id.");
  }
  if (!prepared.randomised.empty()) {
    throw Error::input("values drawn at random cannot be held against those of another release")
        .hint("Leave out --perturb, --rho and --growth, or --against.");
  }
  if (const auto names = prepared.not_measured(); !names.empty()) {
    throw Error::input(
        fmt::format("somebody has several values of {}, and --against counts one for each person",
                    fmt::join(names, ", ")))
        .hint(
            "Make it one value for each person before (the first, the worst), leave the column out "
            "with --id, or release such values as codes (pratique codes protect).");
  }
}

// Of those who joined the same has to be asked as of a class.
void check_models(const Models& models) {
  for (const auto& model : models) {
    const std::string name = model->claim({}).value("model", "");
    if (name == "k-anonymity" || name == "distinct-l-diversity") continue;
    throw Error::input(fmt::format("with --against, {} is not asked of those who joined", name))
        .hint("Ask for --k and --l alone.");
  }
}

// The largest number of values of the column that a model asks of a class; 1 where none does.
std::uint64_t values_required(const Models& models, const std::string& column) {
  std::uint64_t most = 1;
  for (const auto& model : models) {
    const Json claim = model->claim({});
    if (claim.value("sensitive", "") == column && claim.contains("l"))
      most = std::max(most, static_cast<std::uint64_t>(claim["l"].get<double>()));
  }
  return most;
}

std::uint64_t values_claimed(const Manifest& manifest, const std::string& column) {
  std::uint64_t most = 1;
  for (const auto& claim : *manifest.claims) {
    if (claim.contains("l") && claim.value("sensitive", "") == column)
      most = std::max(most, static_cast<std::uint64_t>(claim["l"].get<double>()));
  }
  return most;
}

std::vector<int> levels_of(const release::ReleaseFile& file, const PreparedTable& prepared) {
  const Manifest& manifest = file.manifest();
  const Json& parameters = *manifest.parameters;
  const Schema& schema = prepared.schema;
  if (manifest.kind != "tables") refuse(file.path, "it is of another kind");
  if (!file.complete()) {
    throw Error::input("the private manifest of this release is not at hand")
        .at(file.path)
        .hint("It tells the levels of its columns. Name its folder with --private.");
  }
  if (named_in(parameters, "quasi_identifiers") !=
      std::set<std::string>(schema.quasi_identifiers.begin(), schema.quasi_identifiers.end()))
    refuse(file.path, "it has other quasi-identifiers");
  if (named_in(parameters, "sensitive") !=
      std::set<std::string>(schema.sensitive.begin(), schema.sensitive.end()))
    refuse(file.path, "it has other sensitive columns");
  if (parameters.value("person", std::string()) != prepared.person)
    refuse(file.path, "it counts people otherwise");
  if (parameters.value("hierarchies", Json::object()) != Json(schema.hierarchies))
    refuse(file.path, "it has other hierarchies");
  if (manifest.results->contains("randomised"))
    refuse(file.path, "values in it were drawn at random");
  if (!manifest.results->contains("levels"))
    refuse(file.path, "its columns are not each generalised to one level");
  std::vector<int> levels;
  for (const auto& name : schema.quasi_identifiers)
    levels.push_back(manifest.results->at("levels").at(name).get<int>());
  return levels;
}

EarlierVersion read_version(const release::ReleaseFile& file, const PreparedTable& prepared,
                            const Run& run) {
  const Source source = release::open_release(run.engine, file, run.progress);
  const Schema& schema = prepared.schema;
  std::vector<std::string> columns = schema.quasi_identifiers;
  columns.insert(columns.end(), schema.sensitive.begin(), schema.sensitive.end());
  const bool of_people = !prepared.person.empty();
  std::vector<std::string> read = columns;
  if (of_people) read.push_back(prepared.person);
  const auto rows = run.engine.group(source, read, run.progress);
  EarlierVersion version;
  for (std::size_t row = 0; row < rows.counts.size(); ++row) {
    Cells cells;
    Cells values;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      auto& texts = c < schema.quasi_identifiers.size() ? cells : values;
      texts.emplace_back(rows.groups.columns[c].text(row));
    }
    if (of_people) values.push_back(std::to_string(rows.counts[row]));
    version[cells][values] += of_people ? 1 : rows.counts[row];
  }
  return version;
}

}  // namespace

EarlierVersions read_earlier_releases(const std::vector<std::string>& paths,
                                      const PreparedTable& prepared, const Run& run) {
  check_what_leaves(prepared);
  check_models(prepared.models);
  EarlierVersions earlier;
  earlier.k = least_records(prepared.models);
  for (const auto& name : prepared.schema.sensitive) {
    earlier.sensitive.push_back(&prepared.table.groups.column(name));
    earlier.l.push_back(values_required(prepared.models, name));
  }
  if (prepared.people) earlier.rows = &prepared.people->rows_of_records();
  for (const auto& path : paths) {
    auto file = release::ReleaseFile::read(path, run.private_folder);
    if (!file.complete()) file = release::ReleaseFile::read(path);
    try {
      const auto levels = levels_of(file, prepared);
      if (earlier.versions.empty()) {
        earlier.levels = levels;
      } else if (levels != earlier.levels) {
        refuse(path, "it has other levels than the first");
      }
      // What the weaker of the two asks of a class is all that a lost class can offer.
      earlier.k = std::min(earlier.k, file.k());
      for (std::size_t c = 0; c < earlier.l.size(); ++c) {
        earlier.l[c] =
            std::min(earlier.l[c], values_claimed(file.manifest(), prepared.schema.sensitive[c]));
      }
    } catch (const Json::exception&) {
      throw release::ReleaseFile::malformed(path);
    }
    earlier.versions.push_back(read_version(file, prepared, run));
  }
  for (std::size_t a = 0; a < earlier.levels.size(); ++a) {
    const int height = prepared.input.attributes[a].hierarchy->height();
    if (earlier.levels[a] < 0 || earlier.levels[a] >= height)
      refuse(paths.front(), "its levels are not those of the hierarchies");
  }
  return earlier;
}

Json claim_of_versions(const std::vector<std::string>& paths, const PreparedTable& prepared,
                       const Recoding& recoding, const Run& run) {
  const Schema& schema = prepared.schema;
  const EarlierVersions& earlier = *prepared.earlier;
  Json claim = {{"model", "safe-versions"}, {"quasi_identifiers", schema.quasi_identifiers},
                {"k", earlier.k},           {"diversity", Json::object()},
                {"earlier", Json::array()}, {"labels", Json::object()}};
  for (std::size_t c = 0; c < schema.sensitive.size(); ++c)
    claim["diversity"][schema.sensitive[c]] = earlier.l[c];
  for (const auto& path : paths)
    claim["earlier"].push_back({{"path", path}, {"sha256", run.engine.identify(path).sha256}});
  // Every cell that some version shows, and which of them stand above it. What nobody released is
  // not told.
  for (std::size_t a = 0; a < schema.quasi_identifiers.size(); ++a) {
    std::set<std::string> shown;
    for (const auto code : recoding.columns[a].codes)
      shown.insert(recoding.columns[a].values[code]);
    for (const auto& version : earlier.versions) {
      for (const auto& [cells, values] : version) shown.insert(cells[a]);
    }
    const Hierarchy& tree = *prepared.input.attributes[a].hierarchy;
    std::set<Hierarchy::Node> nodes;
    for (const auto leaf : prepared.input.attributes[a].leaf)
      nodes.insert(tree.ancestor(leaf, earlier.levels[a]));
    Json& paths_up = claim["labels"][schema.quasi_identifiers[a]] = Json::array();
    for (auto node : nodes) {
      const std::string label(tree.label(node));
      const std::string cell =
          earlier.levels[a] == 0 ? GeneralisedValue::text(label).print() : label;
      if (!shown.contains(cell)) continue;
      Json up = Json::array({cell});
      while (node != tree.root()) {
        node = tree.parent(node);
        // How wide a label is that nobody sees may tell the extremes of the records.
        if (const std::string above(tree.label(node)); shown.contains(above)) up.push_back(above);
      }
      paths_up.push_back(std::move(up));
    }
  }
  return claim;
}

}  // namespace pratique::tables::flow
