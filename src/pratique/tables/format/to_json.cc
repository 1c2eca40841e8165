#include "pratique/tables/format/to_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/tables/attack/assess.h"
#include "pratique/tables/attack/linkage_attack.h"
#include "pratique/tables/profile/profile.h"

namespace pratique::tables {
namespace {

Json measures(const AttributeDisclosure& column) {
  return {{"l_distinct", column.l_distinct},
          {"l_entropy", column.l_entropy},
          {"t", column.t},
          {"alpha", column.alpha}};
}

AttributeDisclosure worst_of(const std::vector<AttributeDisclosure>& columns) {
  AttributeDisclosure worst = columns.front();
  for (const auto& column : columns) {
    worst.l_distinct = std::min(worst.l_distinct, column.l_distinct);
    worst.l_entropy = std::min(worst.l_entropy, column.l_entropy);
    worst.t = std::max(worst.t, column.t);
    worst.alpha = std::max(worst.alpha, column.alpha);
  }
  return worst;
}

}  // namespace

Json to_json(const Assessment& assessment) {
  const auto& risk = assessment.risk;
  Json json = {{"rows", assessment.rows},
               {"suppressed", assessment.suppressed},
               {"classes", assessment.classes},
               {"k", assessment.k},
               {"unique", assessment.unique},
               {"risk",
                {{"prosecutor_max", risk.prosecutor_max},
                 {"prosecutor_mean", risk.prosecutor_mean},
                 {"journalist_max", risk.journalist_max},
                 {"marketer", risk.marketer}}}};
  Json sizes = Json::array();
  for (const auto& range : assessment.class_sizes) {
    sizes.push_back(
        {{"from", range.from}, {"to", range.to}, {"classes", range.classes}, {"rows", range.rows}});
  }
  json["class_sizes"] = std::move(sizes);
  if (!assessment.sensitive.empty()) {
    json.update(measures(worst_of(assessment.sensitive)));
    Json columns = Json::array();
    for (const auto& column : assessment.sensitive) {
      Json entry = {{"column", column.column}};
      entry.update(measures(column));
      columns.push_back(std::move(entry));
    }
    json["sensitive"] = std::move(columns);
  }
  if (assessment.k_map) {
    json["k_map"] = assessment.k_map->k;
    json["population_unmatched"] = assessment.k_map->unmatched;
    json["population_unique"] = assessment.k_map->unique;
  }
  if (const auto& uniques = assessment.population_uniques) {
    json["population_uniques"] = {{"people", uniques->population},
                                  {"sampling_fraction", uniques->sampling_fraction},
                                  {"unique_in_sample", uniques->sample},
                                  {"pitman", uniques->pitman},
                                  {"snb", uniques->snb},
                                  {"zayatz", uniques->zayatz}};
  }
  return json;
}

Json to_json(const LinkageAttack& attack) {
  Json json = {{"targets", attack.targets},
               {"release_rows", attack.release_rows},
               {"release_rows_matched", attack.release_rows_matched},
               {"suppressed", attack.suppressed},
               {"tried", attack.tried()}};
  if (!attack.unread.empty()) json["unread"] = attack.unread;
  const auto put = [&](const std::string& key, std::optional<std::uint64_t> count) {
    if (!count) return;
    // An attack that compared nothing has found nothing out: null, and not 0.
    json[key] = attack.tried() ? Json(*count) : Json();
    json[key + "_share"] = attack.tried() ? Json(attack.share(*count)) : Json();
  };
  put("linked", attack.linked);
  put("linked_uniquely", attack.linked_uniquely);
  put("sensitive_disclosed", attack.sensitive_disclosed);
  put("correctly_linked", attack.correctly_linked);
  put("correct", attack.correct);
  return json;
}

Json to_json(const Profile& profile) {
  Json columns = Json::array();
  for (const auto& column : profile.columns) {
    columns.push_back({{"name", column.name},
                       {"type", to_string(column.type)},
                       {"distinct", column.distinct},
                       {"missing", column.missing},
                       {"suggested_role", to_string(column.suggested_role)},
                       {"why", column.why}});
    if (!column.hierarchy.empty()) columns.back()["hierarchy"] = column.hierarchy;
    if (column.by_search) columns.back()["by_search"] = true;
    if (column.several_rows_each) columns.back()["several_rows_each"] = true;
    if (!column.may_name_people.empty()) columns.back()["may_name_people"] = column.may_name_people;
  }
  Json sets = Json::array();
  for (const auto& set : profile.quasi_identifiers) {
    sets.push_back({{"columns", set.columns},
                    {"distinction", set.distinction},
                    {"separation", set.separation},
                    {"unique_share", set.unique_share}});
  }
  Json findings = Json::array();
  for (const auto& finding : profile.safe_harbor) {
    findings.push_back({{"column", finding.column},
                        {"identifier", to_string(finding.identifier)},
                        {"paragraph", std::string(1, paragraph(finding.identifier))},
                        {"by", to_string(finding.by)},
                        {"share", finding.share},
                        {"why", finding.why}});
  }
  return {{"rows", profile.rows},
          {"columns", std::move(columns)},
          {"quasi_identifiers", std::move(sets)},
          {"searched_columns", profile.searched_columns},
          {"safe_harbor", std::move(findings)}};
}

}  // namespace pratique::tables
