#include "trail_options.h"

namespace pratique::app {
namespace {

trails::SideSource open_side(Session& session, const std::string& path, const std::string& location,
                             const std::vector<std::string>& element) {
  trails::SideSource side;
  side.location_column = location;
  side.element_columns = element;
  for (const auto& file : trails::trail_files(path)) {
    side.sources.push_back(session.open(file.path));
    side.locations.push_back(file.location);
  }
  return side;
}

}  // namespace

void TrailOptions::add(Verb& verb) {
  verb.file_read("identified", &identified,
                 "who was seen where, with names: a file with a row per sighting, a folder with a "
                 "file per location, or such as 'hospitals/*/discharges.csv'")
      .require();
  verb.file_read("deidentified", &deidentified, "the same without names, such as DNA samples")
      .require();
  verb.column("location", &location, "the column of locations in a file with a row per sighting");
  verb.columns("element", &element, "the columns that together name an element");
  verb.columns("identified-element", &identified_element,
               "the same, where the identified side has other columns");
  verb.columns("deidentified-element", &deidentified_element,
               "the same, where the de-identified side has other columns");
  verb.choice("reserved", &reserved, {"deidentified", "identified", "none"},
              "which side may be incomplete")
      .unless_given("detected from the sizes per location");
}

trails::SideSource TrailOptions::identified_side(Session& session) const {
  return open_side(session, identified, location,
                   identified_element.empty() ? element : identified_element);
}

trails::SideSource TrailOptions::deidentified_side(Session& session) const {
  return open_side(session, deidentified, location,
                   deidentified_element.empty() ? element : deidentified_element);
}

std::optional<trails::Reserved> TrailOptions::said() const {
  return trails::reserved_from_text(reserved);
}

std::set<std::pair<Code, Code>> true_pairs(Session& session, const std::string& path,
                                           const trails::NamedWorld& world) {
  const Source source = session.open(path);
  const Table table =
      session.engine().load(source, {"deidentified", "identified"}, session.progress);
  std::set<std::pair<Code, Code>> pairs;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto deidentified = world.deidentified.find(table.columns[0].text(row));
    const auto identified = world.identified.find(table.columns[1].text(row));
    if (deidentified && identified) pairs.emplace(*deidentified, *identified);
  }
  if (pairs.empty()) {
    throw Error::input("no pair of the truth names elements of both sides")
        .at(source.name)
        .hint("It has the columns deidentified and identified, with the names the sides have.");
  }
  return pairs;
}

}  // namespace pratique::app
