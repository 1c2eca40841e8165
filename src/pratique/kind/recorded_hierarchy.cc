#include "pratique/kind/recorded_hierarchy.h"

#include <nlohmann/json.hpp>

#include "pratique/columns/safe_harbor_rule.h"
#include "pratique/core/error.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/data/hierarchy_csv.h"
#include "pratique/kind/among.h"
#include "pratique/kind/recorded_figures.h"

namespace pratique::release {
namespace {

// What Safe Harbor did to a column before any hierarchy; none where it did nothing.
std::optional<columns::SafeHarborRule> recorded_rule(const Manifest& manifest,
                                                     const std::string& name) {
  using Treatment = columns::SafeHarborTreatment;
  for (const auto& claim : *manifest.claims) {
    if (claim.value("model", "") != "safe-harbor") continue;
    for (const auto& [key, treatment] : {std::pair{"dates", Treatment::year},
                                         {"ages", Treatment::age},
                                         {"zips", Treatment::zip}}) {
      if (among(names_in(claim, key), name))
        return columns::SafeHarborRule(treatment, claim.value("as_of", 0));
    }
  }
  return std::nullopt;
}

// Over the values of `column`, by the specification alone.
std::optional<Hierarchy> hierarchy_of(const ReleaseFile& file, const std::string& name,
                                      const Column& column,
                                      const std::vector<std::uint64_t>& counts) {
  if (!records_hierarchy(file, name)) return std::nullopt;
  const auto spec = file.manifest().parameters->at("hierarchies")[name].get<std::string>();
  if (is_builtin_hierarchy(spec))
    return make_builtin_hierarchy(spec, column.dictionary, counts, column.name);
  const auto path = file.find_input(spec);
  return path ? std::optional(read_hierarchy_csv(*path)) : std::nullopt;
}

// Each value stands under the cell that Safe Harbor made of it, and that under its labels.
std::optional<Hierarchy> with_coarser_cells(const ReleaseFile& file, const std::string& name,
                                            const Column& column,
                                            const columns::SafeHarborRule& rule) {
  constexpr std::string_view kAny = "*";
  Column coarse;
  coarse.name = column.name;
  std::vector<std::string> cells;  // by value
  for (const auto value : column.dictionary.values()) {
    cells.push_back(rule.cell(value));
    (void)coarse.dictionary.intern(cells.back());
  }
  const auto above =
      hierarchy_of(file, name, coarse, std::vector<std::uint64_t>(coarse.dictionary.size(), 1));
  Hierarchy::Builder builder(name);
  for (Code code = 0; code < cells.size(); ++code) {
    std::vector<std::string_view> path = {column.dictionary.value(code)};
    const auto leaf = above ? above->leaf(cells[code]) : std::nullopt;
    // What left as an empty cell says nothing of its value.
    const bool emptied = cells[code].empty() && !path.front().empty();
    path.push_back(emptied ? kAny : std::string_view(cells[code]));
    for (int level = 1; above && level < above->height(); ++level)
      path.push_back(emptied || !leaf ? kAny : above->label(above->ancestor(*leaf, level)));
    if (!above) path.push_back(kAny);
    path.back() = above ? above->label(above->root()) : kAny;
    builder.add(path);
  }
  return builder.build();
}

}  // namespace

bool records_hierarchy(const ReleaseFile& file, const std::string& name) {
  const Json& parameters = *file.manifest().parameters;
  return parameters.contains("hierarchies") && parameters["hierarchies"].contains(name);
}

std::optional<Hierarchy> recorded_hierarchy(const ReleaseFile& file, const std::string& name,
                                            const Column& column,
                                            const std::vector<std::uint64_t>& counts) {
  try {
    if (const auto rule = recorded_rule(file.manifest(), name))
      return with_coarser_cells(file, name, column, *rule);
    return hierarchy_of(file, name, column, counts);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace pratique::release
