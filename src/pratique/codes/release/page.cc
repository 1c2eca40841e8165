#include "pratique/codes/release/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/codes/format/code_file.h"
#include "pratique/codes/metric/ru_map.h"
#include "pratique/codes/released_labels.h"
#include "pratique/engine/code_sets_reader.h"
#include "pratique/kind/distributions.h"
#include "pratique/kind/document.h"
#include "pratique/kind/release_on_map.h"

namespace pratique::release {
namespace {

constexpr std::size_t kMostItems = 12;

std::string fate_of_codes(const Json& metrics) {
  std::string text;
  for (const auto& [key, words] :
       {std::pair{"groups", "{} wider items in place of codes"},
        std::pair{"suppressed_items", "{} codes removed everywhere"},
        std::pair{"suppressed_occurrences", "{} occurrences of codes removed from records"}}) {
    const auto figure = metrics.find(key);
    if (figure == metrics.end() || !figure->is_number() || figure->get<double>() == 0) continue;
    text += (text.empty() ? "" : "; ") +
            fmt::format(fmt::runtime(words), grouped_digits(figure->get<double>()));
  }
  return text.empty() ? "unchanged" : text;
}

void describe_code_columns(PageContext& context, const Json& claim, bool disassociated) {
  const Json& results = *context.manifest.results;
  auto& columns = context.report.columns;
  if (claim.contains("patient")) {
    columns.push_back({cleaned(claim["patient"].get<std::string>()), "identifier",
                       "replaced by numbers in an order that reveals nothing"});
  }
  const std::string name = claim.contains("code") ? claim["code"].get<std::string>() : "codes";
  columns.push_back({cleaned(name), "codes",
                     disassociated ? "unchanged, but which of them belong to one record is hidden"
                                   : fate_of_codes(results.value("metrics", Json::object()))});
  for (const auto& column : claim.value("quasi_identifiers", Json::array())) {
    columns.push_back({cleaned(column.get<std::string>()), "quasi-identifier",
                       "generalised along its hierarchy"});
  }
  for (const auto& [key, became] :
       {std::pair{"unchanged", "unchanged: not protected"}, std::pair{"dropped", "left out"}}) {
    for (const auto& column : results.value(key, Json::array())) {
      columns.push_back({cleaned(column.get<std::string>()), "other", became});
    }
  }
}

// Patients of the original with at least one of the codes.
std::uint64_t patients_with(const CodeSets& sets, const std::vector<std::string>& codes) {
  std::vector<bool> wanted(sets.codes.size());
  for (const auto& code : codes) {
    if (const auto number = sets.codes.find(code)) wanted[*number] = true;
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

// What a bar counts: a code or a label, and the codes it stands for.
struct Item {
  std::string text;
  std::uint64_t released = 0;
  std::vector<std::string> codes = {};
};

// The most frequent items of which neither count, nor their difference, is of 1 to k - 1 patients.
// Labels that share codes, as local recoding makes them, are not shown together: what one counts
// more than the other would be the patients of a few codes.
void describe_items(PageContext& context, std::vector<Item> items, const CodeSets* original) {
  const auto k = std::max<std::uint64_t>(2, context.report.k);
  const auto small = [&](std::uint64_t count) { return count > 0 && count < k; };
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.released > b.released; });
  BarChart chart{"The most frequent items", "item", "patients", {}, {}};
  if (original != nullptr) chart.series.emplace_back("original");
  chart.series.emplace_back("released");
  std::set<std::string> shown;
  for (const auto& item : items) {
    if (chart.rows.size() == kMostItems) break;
    if (small(item.released)) continue;
    BarRow row{cleaned(item.text), {}};
    if (original != nullptr) {
      const bool overlaps =
          std::any_of(item.codes.begin(), item.codes.end(),
                      [&](const std::string& code) { return shown.count(code) > 0; });
      const std::uint64_t before = patients_with(*original, item.codes);
      const std::uint64_t difference =
          before > item.released ? before - item.released : item.released - before;
      if (overlaps || small(before) || small(difference)) continue;
      shown.insert(item.codes.begin(), item.codes.end());
      row.values.push_back(static_cast<double>(before));
    }
    row.values.push_back(static_cast<double>(item.released));
    chart.rows.push_back(std::move(row));
  }
  if (chart.rows.empty()) {
    context.report.hidden.emplace_back("codes");
    return;
  }
  context.report.with_original = original != nullptr;
  context.report.distributions.push_back(std::move(chart));
}

std::vector<Item> items_of(const CodeSets& released, const CodeSets* original, const Json& claim) {
  const auto supports = released.supports();
  const Dictionary shown = codes::codes_shown(released.codes, claim);
  std::vector<const Dictionary*> codes = {&shown};
  if (original != nullptr) codes.push_back(&original->codes);
  const auto labels = codes::labels_in(claim, codes);
  std::vector<Item> items;
  std::size_t sets = 0;
  for (Code code = 0; code < supports.size(); ++code) {
    const std::string text(released.codes.value(code));
    Item item{text, supports[code], {text}};
    if (const auto label = labels.find(text); label != labels.end()) item.codes = label->second;
    // A set such as (401.1|042) names its codes, of which some may be one patient's.
    if (text.find_first_of("|{") != std::string::npos) {
      item.text = fmt::format("set {} of {} codes", ++sets, item.codes.size());
    }
    items.push_back(std::move(item));
  }
  return items;
}

// How often a code can be counted: in parts of chunks. Item chunks only say that somebody has it.
std::vector<Item> items_of(const DisassociatedSets& sets) {
  std::vector<std::uint64_t> counted(sets.codes.size());
  const auto count = [&](const std::vector<CodeChunk>& chunks) {
    for (const auto& chunk : chunks) {
      for (const auto& part : chunk.parts) {
        for (const Code code : part) ++counted[code];
      }
    }
  };
  for (const auto& joint : sets.joints) {
    for (const auto& cluster : joint.clusters) count(cluster.chunks);
    count(joint.shared);
  }
  std::vector<Item> items;
  for (Code code = 0; code < counted.size(); ++code) {
    const std::string text(sets.codes.value(code));
    items.push_back({text, counted[code], {text}});
  }
  return items;
}

std::vector<std::uint64_t> patients_by_like(const CodeSets& sets, std::uint64_t k) {
  return records_by_group_size({sets.counts.begin(), sets.counts.end()}, k);
}

void describe_sets(PageContext& context, const Json& claim) {
  const std::string patient = claim.value("patient", "");
  const std::string code = claim.value("code", "");
  const CodeSets released =
      read_code_sets(context.engine, *context.release, patient, code, context.progress);
  std::optional<CodeSets> original;
  if (context.original) {
    original.emplace(codes::read_original_codes(context.engine, *context.original, patient, code,
                                                *context.manifest.parameters, context.progress));
  }
  const auto k = context.report.k;
  const auto after = patients_by_like(released, k);
  const auto before = original ? patients_by_like(*original, k) : std::vector<std::uint64_t>();
  context.report.groups.push_back(group_size_chart("Patients by how many have all the same codes",
                                                   "patients with the same codes",
                                                   original ? &before : nullptr, &after, k));
  describe_items(context, items_of(released, original ? &*original : nullptr, claim),
                 original ? &*original : nullptr);
}

void describe_clusters(PageContext& context) {
  const Source& source = *context.release;
  const DisassociatedSets sets = read_disassociated(context.engine, source, context.progress);
  std::vector<std::uint64_t> sizes;
  for (const auto& joint : sets.joints) {
    for (const auto& cluster : joint.clusters) sizes.push_back(cluster.records);
  }
  const auto records = records_by_group_size(sizes, context.report.k);
  context.report.groups.push_back(group_size_chart("Records by the size of their cluster",
                                                   "size of the cluster", nullptr, &records,
                                                   context.report.k));
  // The released columns are others than the original's, so no claim names these.
  const Json& parameters = *context.manifest.parameters;
  const std::string patient = parameters.value("patient", "");
  const std::string code = parameters.value("code", "");
  std::optional<CodeSets> original;
  if (context.original && (source.format == FileFormat::sets || !patient.empty())) {
    original.emplace(codes::read_original_codes(context.engine, *context.original, patient, code,
                                                parameters, context.progress));
  }
  describe_items(context, items_of(sets), original ? &*original : nullptr);
  context.report.remarks.emplace_back(
      "Codes of an item chunk are listed without a count: patients with a code can be counted only "
      "where it appears in parts of records, and that is what the charts show for the release.");
}

// The share of patients who are named, in the release and with each setting on the map. One of 1 to
// k - 1 patients is shown as that of k: a report may leave.
void describe_place_on_map(PageContext& context) {
  const Json& results = *context.manifest.results;
  const auto number = [&](const char* pointer) {
    const Json figure = results.value(Json::json_pointer(pointer), Json());
    return figure.is_number() ? figure.get<double>() : -1;
  };
  const double named = number("/after/whole_set_known/named");
  const double targets = number("/after/whole_set_known/targets");
  const double ncp = number("/metrics/ncp");
  std::optional<PlaceOnMap> place;
  if (named >= 0 && targets > 0 && ncp >= 0) place = {named / targets, 1 - ncp};
  show_on_map(context, codes::kNamedShare, place);
  if (!context.report.ru_map) return;
  const double of_k = static_cast<double>(std::max<std::uint64_t>(2, context.report.k)) / targets;
  bool few = false;
  for (auto& series : context.report.ru_map->series) {
    for (auto& point : series.points) {
      if (point.x <= 0 || point.x >= of_k) continue;
      point.x = of_k;
      few = true;
    }
  }
  if (few) context.report.map_caption += " A share of fewer than k patients is shown as that of k.";
}

}  // namespace

void describe_codes(PageContext& context) {
  describe_place_on_map(context);
  add_facts(context, {"patients_in", "patients_out", "classes", "method"});
  const Json& claims = *context.manifest.claims;
  if (claims.empty()) return;
  const Json& claim = claims.front();
  const bool disassociated = claim.value("model", "") == "km-disassociation";
  describe_code_columns(context, claim, disassociated);
  if (!context.release) return;
  if (disassociated) {
    describe_clusters(context);
  } else {
    describe_sets(context, claim);
  }
}

}  // namespace pratique::release
