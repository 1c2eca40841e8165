// Reads the two sides of a link. A side is one long file with a row per sighting (location,
// element), or one file per location.
#pragma once

#include <string>
#include <string_view>
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
};

struct NamedWorld {
  World world;
  Dictionary locations;
  Dictionary identified;
  Dictionary deidentified;
};

// Throws when a row lacks its location or element.
[[nodiscard]] NamedWorld read_world(Engine& engine, const SideSource& identified,
                                    const SideSource& deidentified, Progress& progress);

// The first row that names the element, for messages: "dna.csv, row 17".
[[nodiscard]] std::string place_of(Engine& engine, const SideSource& side, std::string_view name,
                                   Progress& progress);

}  // namespace pratique::trails
