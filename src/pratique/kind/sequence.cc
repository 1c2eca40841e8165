#include "pratique/kind/sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"

namespace pratique::release {

double SequenceRevealed::breach() const {
  double largest = std::max(singled_out, differenced());
  if (k_counts) largest = std::max(largest, std::min(under_k, rows_linked));
  for (const auto& attribute : attributes) {
    if (attribute.counts) largest = std::max(largest, attribute.disclosed);
  }
  return largest;
}

std::uint64_t SequenceRevealed::differenced_people() const {
  std::uint64_t most = 0;
  for (const auto& attribute : attributes) most = std::max(most, attribute.differenced_people);
  return most;
}

double SequenceRevealed::differenced() const {
  if (differenced_people() == 0) return 0;
  const auto all = static_cast<double>(std::max<std::uint64_t>(people, 1));
  return std::min(1.0, static_cast<double>(differenced_people()) / all);
}

void leave_out(SequenceRevealed& revealed, const std::string& sha256, std::string why) {
  revealed.not_attacked.push_back({sha256, std::move(why)});
}

Source open_people(Engine& engine, const SequenceRequest& request, std::string_view who,
                   std::string_view known_by, bool sets, Progress& progress) {
  if (request.people) {
    return sets ? engine.open_sets(*request.people, progress)
                : engine.open(*request.people, {}, progress);
  }
  auto original = request.added.open_original(engine, progress);
  if (!original) {
    throw Error::input(fmt::format("the {} of this release are not at hand: its original is not at "
                                   "its recorded place with its recorded hash",
                                   who))
        .at(request.added.path)
        .hint(fmt::format("Name a file with their {} with --people FILE.", known_by));
  }
  return std::move(*original);
}

Source open_release(Engine& engine, const ReleaseFile& file, Progress& progress) {
  auto source = file.open(engine, progress);
  if (!source) throw Error::check("this is not the file that its manifest describes").at(file.path);
  return std::move(*source);
}

Json to_json(const SequenceRevealed& revealed) {
  Json not_attacked = Json::array();
  for (const auto& left_out : revealed.not_attacked)
    not_attacked.push_back({{"release", left_out.sha256}, {"why", left_out.why}});
  if (!revealed.attacked) {
    Json json = {{"attacked", false},
                 {"why_not", revealed.why_not},
                 {"not_attacked", std::move(not_attacked)},
                 {"singled_out", revealed.singled_out},
                 {"breach", revealed.breach()}};
    if (!revealed.singled_out_by.empty()) json["singled_out_by"] = revealed.singled_out_by;
    if (revealed.alone_by_rows > 0) json["alone_by_rows"] = revealed.alone_by_rows;
    return json;
  }
  Json attributes = Json::array();
  for (const auto& attribute : revealed.attributes) {
    attributes.push_back({{"sensitive", attribute.sensitive},
                          {"releases", attribute.releases},
                          {"disclosed_alone", attribute.disclosed_alone},
                          {"disclosed", attribute.disclosed},
                          {"vulnerable", attribute.vulnerable},
                          {"values_left", attribute.values_left},
                          {"contradicted", attribute.contradicted},
                          {"differenced_people", attribute.differenced_people}});
  }
  Json json = {{"attacked", true},
               {"people", revealed.people},
               {"releases", revealed.releases},
               {"located", revealed.located},
               {"not_attacked", std::move(not_attacked)},
               {"attributes", std::move(attributes)},
               {"differenced", revealed.differenced()},
               {"k_alone", revealed.k_alone},
               {"k_across", revealed.k_across},
               {"promised_k", revealed.promised_k == 0 ? Json() : Json(revealed.promised_k)},
               {"under_k", revealed.under_k},
               {"rows_link", revealed.rows_link},
               {"rows_linked", revealed.rows_link ? revealed.rows_linked : 0},
               {"singled_out", revealed.singled_out},
               {"breach", revealed.breach()}};
  if (!revealed.singled_out_by.empty()) json["singled_out_by"] = revealed.singled_out_by;
  if (revealed.alone_by_rows > 0) json["alone_by_rows"] = revealed.alone_by_rows;
  for (const auto& [column, here] : revealed.same_columns)
    json["same_columns"].push_back({{"column", column}, {"here", here}});
  // Two at a time: of three, a difference of differences may belong to fewer.
  if (revealed.releases > 2) {
    json["note"] =
        "releases were subtracted from each other two at a time; what three or more tell together "
        "by their counts was not tried";
  }
  return json;
}

}  // namespace pratique::release
