// Reads the two sides of a link. A side is one long file with a row per sighting (location,
// element), or one file per location. Elements of both sides are one under all spellings
// (data/person_spelling.h), named by the first: people must not hide behind themselves, and whoever
// has the lists reads the spellings of a sample as one, too.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pratique/data/dictionary.h"
#include "pratique/engine/engine.h"
#include "pratique/trails/world.h"

namespace pratique::trails {

// A file, and the location it belongs to: empty for a long file, which says it in a column.
struct TrailFile {
  std::string path;
  std::string location;
};

// What a path given by the user stands for: a file; the CSV and Parquet files in a folder, each a
// location by its name without the ending; or a path with one * (hospitals/*/dna.csv), each match a
// location by what the * stands for. In the order of the locations' names.
[[nodiscard]] std::vector<TrailFile> trail_files(const std::string& path);

struct SideSource {
  std::vector<Source> sources;
  std::vector<std::string> locations;  // of each source; empty: in the column
  std::string location_column;
  // The columns that name an element together; its name is then their values with | between them.
  std::vector<std::string> element_columns;
  // A column that both sides share (section 5.1.1: sex, which DNA tells). An element is then seen
  // at a location of its own value, so that only elements with the same value can be linked, and
  // lists are compared value by value. Empty: none.
  std::string block_column = {};
  // Of each source, put before its locations: lists of different times are different locations.
  // Empty: nothing.
  std::vector<std::string> eras = {};
};

// What each name is another one of.
using OtherNames = std::map<std::string, Element, std::less<>>;
// What a location calls an element.
using OwnSpellings = std::map<std::pair<Location, Element>, std::string>;

struct NamedWorld {
  World world;
  Dictionary locations;  // with blocks: location, unit separator, value
  Dictionary identified;
  Dictionary deidentified;
  // Of people, that were joined with the first: two people who were taken for one may protect less.
  std::size_t other_spellings = 0;
  // With a block column; else empty. world.blocks has the block of each location.
  Dictionary blocks = {};
  std::size_t places = 0;  // locations, whatever their blocks

  // The side as if there were no blocks.
  [[nodiscard]] Side unblocked(const Side& side) const;
  std::vector<Location> place_of = {};  // by location
  // Other spellings of de-identified elements, and what is near them (near_elements.h).
  OtherNames variants = {};
  // As a location writes it, where that is not its name: another location's spelling would tell
  // that it was there, too.
  OwnSpellings own_spellings = {};
  // By its name or another one.
  [[nodiscard]] std::optional<Element> find_deidentified(std::string_view name) const;
};

// Throws when a row lacks its location, element or block, or an element has two blocks.
[[nodiscard]] NamedWorld read_world(Engine& engine, const SideSource& identified,
                                    const SideSource& deidentified, Progress& progress);

[[nodiscard]] std::size_t count_other_spellings(Engine& engine, const SideSource& side,
                                                Progress& progress);
// For results; empty where there are none.
[[nodiscard]] std::string note_of_spellings(std::size_t of_people, std::size_t of_samples);

// The first row that names the element, for messages: "dna.csv, row 17".
[[nodiscard]] std::string place_of(Engine& engine, const SideSource& side, std::string_view name,
                                   Progress& progress);

}  // namespace pratique::trails
