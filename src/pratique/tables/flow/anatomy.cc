#include "pratique/tables/flow/anatomy.h"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/crypto/random.h"
#include "pratique/kind/among.h"
#include "pratique/kind/publish.h"
#include "pratique/kind/singled_out.h"
#include "pratique/tables/attack/exposure.h"
#include "pratique/tables/attack/mined_rules.h"
#include "pratique/tables/flow/known_table.h"
#include "pratique/tables/method/anatomy.h"
#include "pratique/tables/metric/anatomy_error.h"
#include "pratique/tables/model/spelling.h"
#include "pratique/tables/release/words.h"

namespace pratique::tables::flow {
namespace {

constexpr const char* kGroup = "group";
constexpr const char* kCount = "count";

// Of the only model; it must be distinct l-diversity.
std::uint64_t l_of(const PreparedTable& prepared) {
  const bool one = prepared.models.size() == 1 && prepared.request.beliefs.empty() &&
                   !prepared.request.population && prepared.schema.sensitive.size() == 1;
  const Json claim = one ? prepared.models.front()->claim({}) : Json::object();
  if (claim.value("model", "") == "distinct-l-diversity") return claim["l"].get<std::uint64_t>();
  throw Error::input("--method anatomy holds distinct l-diversity of one sensitive column alone")
      .hint(
          "Ask for --l and no other model, with one --sensitive column: people are not hidden, so "
          "that k and its like would not hold.");
}

// Records and, beside them, the values of their groups.
class AnatomyArtefact final : public release::Artefact {
 public:
  AnatomyArtefact(const release::Content& records, const release::Content& values,
                  std::uint64_t seed, char delimiter)
      : records_(records, seed, delimiter), values_(values, seed, delimiter) {}

  [[nodiscard]] std::vector<release::ArtefactFile> files(const std::string& path) const override {
    auto files = records_.files(path);
    files.push_back(values_.files(path).front());
    files.back().ending = path.ends_with(".parquet") ? ".values.parquet" : ".values.csv";
    return files;
  }
  void write(Engine& engine, std::size_t file, const std::string& path,
             Progress& progress) const override {
    (file == 0 ? records_ : values_).write(engine, 0, path, progress);
  }
  [[nodiscard]] Source reopen(Engine& engine, const std::vector<std::string>& paths,
                              Progress& progress) const override {
    return records_.reopen(engine, {paths.front()}, progress);
  }

 private:
  release::TableArtefact records_;
  release::TableArtefact values_;
};

// What leaves, as columns of codes.
struct TwoTables {
  std::vector<std::string> group_numbers;
  std::vector<RecodedColumn> kept;  // beside `unchanged`
  std::vector<std::string> names;   // of columns that leave as they are
  release::Content records;

  RecodedColumn group_of_value, value, count;
  std::vector<std::uint64_t> once;
  release::Content values;
};

void fill(TwoTables& tables, const PreparedTable& prepared, const Recoding& groups) {
  const auto all = [](release::Content& content, const std::vector<std::uint64_t>& counts) {
    content.counts = &counts;
    content.groups.resize(counts.size());
    std::iota(content.groups.begin(), content.groups.end(), 0);
  };
  for (std::size_t id = 0; id < groups.class_count; ++id)
    tables.group_numbers.push_back(std::to_string(id + 1));
  const std::string& sensitive = prepared.schema.sensitive.front();
  for (const auto& name : prepared.source.columns) {
    if (!release::among(prepared.leaving, name) || name == sensitive) continue;
    tables.names.push_back(name);
    tables.kept.push_back(keep(prepared.table.groups.column(name), groups));
  }
  for (std::size_t c = 0; c < tables.kept.size(); ++c)
    tables.records.columns.push_back(
        {tables.names[c], &tables.kept[c].codes, &tables.kept[c].values});
  tables.records.columns.push_back({kGroup, &groups.class_of, &tables.group_numbers});
  all(tables.records, groups.counts);

  const Column& values = prepared.table.groups.column(sensitive);
  std::vector<std::map<Code, std::uint64_t>> of_group(groups.class_count);
  for (std::size_t i = 0; i < groups.groups.size(); ++i)
    of_group[groups.class_of[i]][values.codes[groups.groups[i]]] += groups.counts[i];
  std::map<std::uint64_t, Code> code_of_count;
  for (const auto value : values.dictionary.values()) tables.value.values.emplace_back(value);
  for (std::size_t id = 0; id < of_group.size(); ++id) {
    for (const auto& [value, count] : of_group[id]) {
      const auto [code, fresh] =
          code_of_count.try_emplace(count, static_cast<Code>(tables.count.values.size()));
      if (fresh) tables.count.values.push_back(std::to_string(count));
      tables.group_of_value.codes.push_back(static_cast<Code>(id));
      tables.value.codes.push_back(value);
      tables.count.codes.push_back(code->second);
    }
  }
  tables.values.columns = {{kGroup, &tables.group_of_value.codes, &tables.group_numbers},
                           {sensitive, &tables.value.codes, &tables.value.values},
                           {kCount, &tables.count.codes, &tables.count.values}};
  tables.once.assign(tables.value.codes.size(), 1);
  all(tables.values, tables.once);
}

std::uint64_t draw_below(std::uint64_t bound) {
  // What lies beyond the last whole multiple of the bound would favour small numbers.
  const std::uint64_t excess = (~std::uint64_t{0} % bound + 1) % bound;
  for (;;) {
    const std::uint64_t drawn = secure_u64();
    if (drawn <= ~std::uint64_t{0} - excess) return drawn % bound;
  }
}

// Who is found by what: quasi-identifiers are as they were, values are those of groups.
Json exposure_of(const PreparedTable& prepared, const Recoding& groups) {
  Exposure exposure = exposure_before(prepared.measured);
  const Exposure of_values = exposure_after(prepared.measured, groups);
  exposure.sensitive_disclosed = of_values.sensitive_disclosed;
  exposure.believed = of_values.believed;
  return to_json(exposure);
}

}  // namespace

void refuse_beside_anatomy(const ProtectRequest& options) {
  const std::pair<const char*, bool> given[] = {
      {"--person", !options.person.empty()},      {"--safe-harbor", options.safe_harbor},
      {"--perturb", !options.perturb.empty()},    {"--identifiers", options.identifiers != "drop"},
      {"--suppression", options.suppression > 0}, {"--label", !options.label.empty()},
  };
  for (const auto& [option, is_given] : given) {
    if (!is_given) continue;
    throw Error::input(fmt::format("{} does not go with --method anatomy", option))
        .hint("Leave it out, or choose a method that generalises.");
  }
}

Outcome protect_by_anatomy(const ProtectRequest& options, const PreparedTable& prepared,
                           const std::vector<std::string>& files, Json parameters,
                           const Json& private_parameters, const Run& run) {
  const auto began = std::chrono::steady_clock::now();
  const std::uint64_t l = l_of(prepared);
  if (l < 2) {
    throw Error::input("--l 1 asks for nothing: each record would be joined to its own value")
        .hint("Ask for --l 2 or more.");
  }
  const std::string& sensitive = prepared.schema.sensitive.front();
  for (const char* taken : {kGroup, kCount}) {
    const bool beside_records = taken == std::string_view(kGroup);
    if (sensitive == taken ||
        (beside_records && release::among(prepared.leaving, std::string(taken)))) {
      throw Error::input(fmt::format("anatomy adds a column '{}', and there is one", taken))
          .at(prepared.source.name)
          .hint("Rename the column.");
    }
  }
  // Values that differ in spelling alone are one to whoever reads them.
  ProtectionInput counted = prepared.measured;
  const auto joined = joined_spellings(*counted.sensitive.front());
  if (joined) counted.sensitive.front() = &*joined;
  const Recoding groups = anatomy(counted, l, draw_below);
  TwoTables tables;
  fill(tables, prepared, groups);

  Seeded seeded = with_seed(run, options.seed);
  const std::uint64_t rows = prepared.table.rows();
  Json result = {{"method", options.method},
                 {"note",
                  "anatomy hides nobody: every record leaves with its quasi-identifiers as they "
                  "are, so who is in the table can be found. Only which of its group's sensitive "
                  "values a record has is hidden"},
                 {"rows_in", rows},
                 {"rows_out", rows},
                 {"suppressed", 0},
                 {"groups", groups.class_count}};
  const auto workload = prepared.workload ? *prepared.workload
                                          : generate_workload(prepared.measured, WorkloadOptions{});
  result["metrics"] = {{"are", anatomy_relative_error(prepared.measured, groups, workload)}};
  result["metrics_compare_with"] = "the table as it was read";
  result["before"] = to_json(prepared.before);
  result["after"] = exposure_of(prepared, groups);
  std::vector<const std::vector<Code>*> shown;
  for (const auto& name : tables.names) shown.push_back(&prepared.table.groups.column(name).codes);
  const std::uint64_t alone = release::singled_out(shown, prepared.table.counts);
  for (const char* when : {"before", "after"}) {
    result[when]["singled_out"] = alone;
    result[when]["singled_out_share"] =
        rows == 0 ? 0 : static_cast<double>(alone) / static_cast<double>(rows);
    result[when]["singled_out_by"] = tables.names;
  }
  for (const char* key : {"believed", "believed_share"})
    result["before"]["rules"][key] = result["before"][key];
  std::optional<GroupedTable> known;
  if (!options.rules_from.empty()) known = known_to_adversary(options, prepared, run);
  result["after"]["rules"] = to_json(attack_by_rules(
      prepared.measured, groups,
      {.support = options.rule_support, .known = known ? &*known : nullptr, .values_apart = true}));
  result["unchanged"] = Json::array();
  for (const auto& name : tables.names) {
    if (prepared.dates.count(name) + prepared.numbers.count(name) == 0)
      result["unchanged"].push_back(name);
  }
  if (!prepared.allowed.empty()) result["allowed"] = prepared.allowed;

  parameters["group"] = kGroup;
  parameters["diversity"][sensitive] = "distinct";
  const Json claims = Json::array({{{"model", kAnatomy},
                                    {"quasi_identifiers", prepared.schema.quasi_identifiers},
                                    {"sensitive", sensitive},
                                    {"l", l},
                                    {"group", kGroup},
                                    {"count", kCount}}});
  const release::Origin origin{.kind = "tables",
                               .verb = "protect",
                               .command = seeded.command,
                               .seed = seeded.seed,
                               .inputs = prepared.sources,
                               .other_files = files,
                               .options = seeded.options,
                               .figures = figures(),
                               .told = told_results(),
                               .private_parameters = private_parameters,
                               .private_folder = run.private_folder};
  const AnatomyArtefact artefact(tables.records, tables.values, seeded.seed,
                                 prepared.source.delimiter);
  const auto published = release::publish(run.engine, artefact, options.out, origin, parameters,
                                          claims, result, run.progress);
  result["models"]["anatomy"] = {{"required", published.claims.front().required},
                                 {"achieved", published.claims.front().achieved}};
  result["out"] = options.out;
  result["files"] = Json::array();
  for (const auto& file : artefact.files(options.out))
    result["files"].push_back(options.out + file.ending);
  result["private_manifest"] = published.private_manifest;
  result["seed"] = seeded.seed;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  result["seconds"] = took.count();
  return {result};
}

}  // namespace pratique::tables::flow
