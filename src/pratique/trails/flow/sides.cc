#include "pratique/trails/flow/sides.h"

#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/data/person_spelling.h"

namespace pratique::trails::flow {
namespace {

trails::SideSource open_side(const Run& run, const std::string& path, const std::string& location,
                             const std::vector<std::string>& element, const std::string& block) {
  trails::SideSource side;
  side.block_column = block;
  side.location_column = location;
  side.element_columns = element;
  for (const auto& file : trails::trail_files(path)) {
    side.sources.push_back(run.open(file.path));
    side.locations.push_back(file.location);
  }
  return side;
}

}  // namespace

trails::SideSource Sides::identified_side(const Run& run) const {
  return open_side(run, identified, location,
                   identified_element.empty() ? element : identified_element, block);
}

trails::SideSource Sides::deidentified_side(const Run& run) const {
  return open_side(run, deidentified, location,
                   deidentified_element.empty() ? element : deidentified_element, block);
}

std::optional<trails::Reserved> Sides::said() const { return trails::reserved_from_text(reserved); }

std::set<std::pair<Code, Code>> true_pairs(const Run& run, const std::string& path,
                                           const trails::NamedWorld& world) {
  const Source source = run.open(path);
  const Table table = run.engine.load(source, {"deidentified", "identified"}, run.progress);
  Dictionary people;  // as the lists are read: one person under all spellings
  for (const auto name : world.identified.values()) (void)people.intern(person_as_read(name));
  std::set<std::pair<Code, Code>> pairs;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto deidentified = world.find_deidentified(table.columns[0].text(row));
    const auto identified = people.find(person_as_read(table.columns[1].text(row)));
    if (deidentified && identified) pairs.emplace(*deidentified, *identified);
  }
  if (pairs.empty()) {
    throw Error::input("no pair in the truth matches elements of both sides")
        .at(source.name)
        .hint(
            "It needs the columns deidentified and identified, with the names used on each side.");
  }
  return pairs;
}

JsonValue share_of_samples(std::size_t reidentified, const trails::NamedWorld& world) {
  if (world.identified.size() == 0 || world.deidentified.size() == 0) return Json(nullptr);
  return Json(static_cast<double>(reidentified) / static_cast<double>(world.deidentified.size()));
}

Outcome judged(Json& result, const std::optional<double>& fail_above) {
  const Json share = result.at("share");
  if (share.is_null()) {
    result["note"] = "a list is empty: there was nothing to link, and nothing was tried";
    return {result, !fail_above};
  }
  return {result, !fail_above || share.get<double>() <= *fail_above};
}

}  // namespace pratique::trails::flow
