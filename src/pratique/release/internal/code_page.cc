#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/core/file.h"
#include "pratique/data/disassociated.h"
#include "pratique/engine/code_sets_reader.h"
#include "pratique/release/distributions.h"
#include "pratique/release/internal/kinds.h"

namespace pratique::release {
namespace {

constexpr std::size_t kMostItems = 12;

void describe_columns(KindContext& context, const Json& claim, bool disassociated) {
  const Json& results = context.manifest.at("results");
  auto& columns = context.report.columns;
  if (claim.contains("patient")) {
    columns.push_back({cleaned(claim["patient"].get<std::string>()), "identifier",
                       "replaced by numbers in an order that tells nothing"});
  }
  const std::string name = claim.contains("code") ? claim["code"].get<std::string>() : "codes";
  if (disassociated) {
    columns.push_back(
        {cleaned(name), "codes", "as they were; which belong to one record is taken apart"});
  } else {
    const std::size_t labels = claim.contains("labels") ? claim["labels"].size() : 0;
    columns.push_back(
        {cleaned(name), "codes",
         fmt::format("generalised where needed: {} wider items in use or allowed", labels)});
  }
  for (const auto& [key, became] :
       {std::pair{"unchanged", "as it was: not protected"}, std::pair{"dropped", "left out"}}) {
    for (const auto& column : results.value(key, Json::array())) {
      columns.push_back({cleaned(column.get<std::string>()), "other", became});
    }
  }
}

// Patients of the original with at least one of the codes.
std::uint64_t patients_with(const CodeSets& sets, const std::vector<std::string>& codes) {
  std::vector<bool> wanted(sets.codes.size());
  for (const auto& code : codes) {
    if (const auto found = sets.codes.find(code)) wanted[*found] = true;
  }
  std::uint64_t patients = 0;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const auto set = sets.set(s);
    if (std::any_of(set.begin(), set.end(), [&](Code code) { return wanted[code]; })) {
      patients += sets.counts[s];
    }
  }
  return patients;
}

void describe_items(KindContext& context, const CodeSets& released, const CodeSets* original,
                    const Json& claim) {
  const auto k = std::max<std::uint64_t>(2, context.report.k);
  const auto small = [&](std::uint64_t count) { return count > 0 && count < k; };
  const auto supports = released.supports();
  std::vector<Code> order(supports.size());
  for (Code code = 0; code < order.size(); ++code) order[code] = code;
  std::stable_sort(order.begin(), order.end(),
                   [&](Code a, Code b) { return supports[a] > supports[b]; });
  BarChart chart{"The most frequent items", "item", "patients", {}, {}};
  if (original != nullptr) chart.series.emplace_back("original");
  chart.series.emplace_back("released");
  for (const Code item : order) {
    if (chart.rows.size() == kMostItems) break;
    if (small(supports[item])) continue;
    const std::string text(released.codes.value(item));
    BarRow row{cleaned(text), {}};
    if (original != nullptr) {
      std::vector<std::string> codes = {text};
      if (claim.contains("labels") && claim["labels"].contains(text)) {
        codes = claim["labels"][text].get<std::vector<std::string>>();
      }
      const std::uint64_t before = patients_with(*original, codes);
      const std::uint64_t difference =
          before > supports[item] ? before - supports[item] : supports[item] - before;
      if (small(before) || small(difference)) continue;
      row.values.push_back(static_cast<double>(before));
    }
    row.values.push_back(static_cast<double>(supports[item]));
    chart.rows.push_back(std::move(row));
  }
  if (chart.rows.empty()) {
    context.report.hidden.emplace_back("codes");
    return;
  }
  context.report.with_original = original != nullptr;
  context.report.distributions.push_back(std::move(chart));
}

std::vector<std::uint64_t> sizes_of_sets(const CodeSets& sets) {
  return {sets.counts.begin(), sets.counts.end()};
}

void describe_sets(KindContext& context, const Json& claim) {
  const std::string patient = claim.value("patient", "");
  const std::string code = claim.value("code", "");
  const CodeSets released =
      read_code_sets(context.engine, *context.release, patient, code, context.progress);
  std::optional<CodeSets> original;
  if (context.original) {
    original.emplace(
        read_code_sets(context.engine, *context.original, patient, code, context.progress));
  }
  const auto after = sizes_of_sets(released);
  const auto before = original ? sizes_of_sets(*original) : std::vector<std::uint64_t>();
  context.report.groups.push_back(group_size_chart(
      "Patients by how many have all the same codes", "patients with the same codes",
      original ? &before : nullptr, &after, context.report.k));
  describe_items(context, released, original ? &*original : nullptr, claim);
}

void describe_clusters(KindContext& context) {
  const Source& source = *context.release;
  const DisassociatedSets sets =
      source.format == FileFormat::sets
          ? parse_disassociated(read_file(source.path), source.name)
          : collect_disassociated(
                context.engine.load(source,
                                    {"joint", "cluster", "records", "chunk", "part", "code"},
                                    context.progress),
                source.name);
  std::vector<std::uint64_t> sizes;
  for (const auto& joint : sets.joints) {
    for (const auto& cluster : joint.clusters) sizes.push_back(cluster.records);
  }
  context.report.groups.push_back(group_size_chart("Records by the size of their cluster",
                                                   "size of the cluster", nullptr, &sizes,
                                                   context.report.k));
  context.report.remarks.emplace_back(
      "How often a code occurs is not compared: codes of an item chunk are listed without a "
      "count.");
}

}  // namespace

void describe_codes(KindContext& context) {
  add_facts(context, {"patients_in", "patients_out", "classes", "model", "method"});
  const Json& claims = context.manifest.at("claims");
  if (claims.empty()) return;
  const Json& claim = claims.front();
  const bool disassociated = claim.value("model", "") == "km-disassociation";
  describe_columns(context, claim, disassociated);
  if (!context.release) return;
  if (disassociated) {
    describe_clusters(context);
  } else {
    describe_sets(context, claim);
  }
}

}  // namespace pratique::release
