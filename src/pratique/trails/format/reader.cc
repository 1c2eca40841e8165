#include "pratique/trails/format/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/data/missing_word.h"
#include "pratique/data/person_spelling.h"

namespace pratique::trails {
namespace {

namespace fs = std::filesystem;

Error no_file(const std::string& path) {
  return Error::input("there are no files of locations here")
      .at(path)
      .hint(
          "A folder holds a CSV or Parquet file per location; hospitals/*/dna.csv is one file in "
          "each folder.");
}

bool is_table(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".csv" || ending == ".tsv" || ending == ".txt" || ending == ".parquet";
}

std::vector<TrailFile> sorted(std::vector<TrailFile> files, const std::string& path) {
  if (files.empty()) throw no_file(path);
  std::ranges::sort(files, {}, &TrailFile::location);
  const auto twice = std::ranges::adjacent_find(files, {}, &TrailFile::location);
  if (twice != files.end()) {
    throw Error::input("two files are named after the same location")
        .at(twice->path)
        .hint("Keep one of " + twice->path + " and " + std::next(twice)->path + ".");
  }
  return files;
}

std::vector<TrailFile> files_in(const std::string& folder) {
  std::vector<TrailFile> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() && is_table(entry.path()) && !name.starts_with('.')) {
      files.push_back({entry.path().string(), entry.path().stem().string()});
    }
  }
  return sorted(std::move(files), folder);
}

std::vector<TrailFile> files_matching(const std::string& pattern) {
  const std::size_t star = pattern.find('*');
  const std::size_t slash = pattern.rfind('/', star);
  const std::string folder = slash == std::string::npos ? "." : pattern.substr(0, slash + 1);
  const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
  const std::size_t end = std::min(pattern.find('/', star), pattern.size());
  const std::string before = pattern.substr(begin, star - begin);
  const std::string after = pattern.substr(star + 1, end - star - 1);
  const std::string below = pattern.substr(end);
  std::vector<TrailFile> files;
  if (!fs::is_directory(folder)) throw no_file(pattern);
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.size() <= before.size() + after.size() || name.starts_with('.') ||
        !name.starts_with(before) || !name.ends_with(after)) {
      continue;
    }
    const std::string path = entry.path().string() + below;
    if (!fs::is_regular_file(path)) continue;
    files.push_back({path, name.substr(before.size(), name.size() - before.size() - after.size())});
  }
  return sorted(std::move(files), pattern);
}

// The rows of one side, with locations by their number in the dictionary of both.
struct Rows {
  Dictionary names;
  std::vector<Element> elements;
  std::vector<Location> locations;
};

bool is_blank(std::string_view value) {
  return value.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// Of a location: blanks, a word for what is missing (NA, unknown), or signs alone; none of these
// has a digit.
bool says_nothing(std::string_view value) {
  if (value.find_first_of("0123456789") != std::string_view::npos) return false;
  return is_blank(value) || is_missing_word(value) || person_as_read(value).empty();
}

using IsNothing = bool (*)(std::string_view);

// The first row where each of the columns has nothing.
std::optional<std::size_t> row_without(std::span<const Column> columns, IsNothing nothing) {
  std::vector<std::vector<bool>> says;
  for (const Column& column : columns) {
    const auto& values = column.dictionary.values();
    says.emplace_back(values.size());
    for (std::size_t code = 0; code < values.size(); ++code)
      says.back()[code] = !nothing(values[code]);
    if (std::ranges::find(says.back(), false) == says.back().end()) return std::nullopt;
  }
  for (std::size_t row = 0; row < columns.front().codes.size(); ++row) {
    bool any = false;
    for (std::size_t c = 0; c < columns.size(); ++c) any = any || says[c][columns[c].codes[row]];
    if (!any) return row;
  }
  return std::nullopt;
}

void refuse_row_without(std::span<const Column> columns, IsNothing nothing, const Source& source) {
  const auto row = row_without(columns, nothing);
  if (!row) return;
  std::string names;
  for (const Column& column : columns) {
    names += fmt::format("{}'{}'", names.empty() ? "" : " or ", column.name);
  }
  throw Error::input(fmt::format("row {} has no value in column {}", *row + 1, names))
      .at(source.name)
      .hint(
          "Remove the rows that do not say who was seen where. Blanks and words such as NA, "
          "unknown or - say nothing; if one is a name here, give it another in all lists.");
}

// An element of several columns has a value in each; some of them may say that it is not known.
void refuse_missing(const Table& table, std::size_t element_columns, const Source& source) {
  const std::span<const Column> columns(table.columns);
  refuse_row_without(columns.first(element_columns), names_nobody, source);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    refuse_row_without(columns.subspan(c, 1), c < element_columns ? is_blank : says_nothing,
                       source);
  }
}

// A release has its locations' names in rows.
void refuse_unnamed_location(const std::string& location, const Source& source) {
  if (location.empty() || !says_nothing(location)) return;
  throw Error::input("a location's name is a word for what is not known")
      .at(source.name)
      .hint("The location is what the file or its folder is called: rename it.");
}

std::vector<Code> renumbered(const Dictionary& from, Dictionary& into) {
  std::vector<Code> codes;
  codes.reserve(from.size());
  for (const auto value : from.values()) codes.push_back(into.intern(value));
  return codes;
}

// A | inside a value is written \\|, so that different values give different names.
void append_escaped(std::string& name, std::string_view value) {
  for (const char c : value) {
    if (c == '|' || c == '\\') name += '\\';
    name += c;
  }
}

void append_elements(const Table& table, std::size_t columns, Rows& rows) {
  if (columns == 1) {
    const Column& column = table.columns.front();
    const auto code_of = renumbered(column.dictionary, rows.names);
    for (const Code code : column.codes) rows.elements.push_back(code_of[code]);
    return;
  }
  std::string name;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    name.clear();
    for (std::size_t c = 0; c < columns; ++c) {
      if (c > 0) name += '|';
      append_escaped(name, table.columns[c].text(row));
    }
    rows.elements.push_back(rows.names.intern(name));
  }
}

constexpr char kBeforeBlock = '\x1f';

// The number of the location of each pair of location and block that comes up.
class PlaceNumbers {
 public:
  PlaceNumbers(Dictionary& locations, std::string era)
      : locations_(locations), era_(std::move(era)) {}

  Location number(std::string_view location, std::optional<std::string_view> block) {
    name_ = era_;
    name_ += location;
    if (block) {
      name_ += kBeforeBlock;
      name_ += *block;
    }
    return locations_.intern(name_);
  }

 private:
  Dictionary& locations_;
  std::string era_;
  std::string name_;
};

void append_locations(const Table& table, const SideSource& side, std::size_t i,
                      Dictionary& locations, Rows& rows) {
  const bool blocked = !side.block_column.empty();
  const bool long_file = side.locations[i].empty();
  PlaceNumbers numbers(locations, side.eras.empty() ? std::string() : side.eras[i]);
  const Column* block = blocked ? &table.columns[side.element_columns.size()] : nullptr;
  const Column* location = long_file ? &table.columns.back() : nullptr;
  // One number per pair that comes up, so that names are made once.
  const std::size_t blocks = blocked ? block->dictionary.size() : 1;
  const std::size_t places = long_file ? location->dictionary.size() : 1;
  constexpr Location kNotYet = static_cast<Location>(-1);
  std::vector<Location> known(blocks * places, kNotYet);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::size_t b = blocked ? block->codes[row] : 0;
    const std::size_t c = long_file ? location->codes[row] : 0;
    Location& number = known[c * blocks + b];
    if (number == kNotYet) {
      number = numbers.number(
          long_file ? location->dictionary.value(location->codes[row]) : side.locations[i],
          blocked ? std::optional(block->dictionary.value(block->codes[row])) : std::nullopt);
    }
    rows.locations.push_back(number);
  }
}

Rows read_side(Engine& engine, const SideSource& side, Dictionary& locations, Progress& progress) {
  Rows rows;
  for (std::size_t i = 0; i < side.sources.size(); ++i) {
    refuse_unnamed_location(side.locations[i], side.sources[i]);
    std::vector<std::string> columns = side.element_columns;
    if (!side.block_column.empty()) columns.push_back(side.block_column);
    if (side.locations[i].empty()) columns.push_back(side.location_column);
    const Table table = engine.load(side.sources[i], columns, progress);
    refuse_missing(table, side.element_columns.size(), side.sources[i]);
    append_elements(table, side.element_columns.size(), rows);
    append_locations(table, side, i, locations, rows);
  }
  return rows;
}

// By what name each location first has an element, where that is not the element's.
OwnSpellings spellings_of_locations(const Rows& rows, const std::vector<Element>& one,
                                    const Dictionary& names) {
  OwnSpellings own;
  std::vector<bool> has_others(names.size(), false);
  for (Element spelled = 0; spelled < one.size(); ++spelled) {
    if (rows.names.value(spelled) != names.value(one[spelled])) has_others[one[spelled]] = true;
  }
  std::set<std::pair<Location, Element>> named_alike;
  for (std::size_t row = 0; row < rows.elements.size(); ++row) {
    const std::pair at{rows.locations[row], one[rows.elements[row]]};
    if (!has_others[at.second]) continue;
    const std::string_view name = rows.names.value(rows.elements[row]);
    if (name != names.value(at.second)) {
      if (!named_alike.contains(at)) own.try_emplace(at, name);
    } else if (!own.contains(at)) {
      named_alike.insert(at);
    }
  }
  return own;
}

// One element under all spellings, by the first. The others, and what each is a spelling of.
OtherNames join_spellings(Rows& rows, OwnSpellings* own = nullptr) {
  Dictionary read;
  Dictionary names;
  OtherNames others;
  std::vector<Element> one;
  one.reserve(rows.names.size());
  for (const auto name : rows.names.values()) {
    const Code code = read.intern(person_as_read(name));
    if (code == names.size()) {
      (void)names.intern(name);
    } else {
      others.emplace(name, code);
    }
    one.push_back(code);
  }
  if (others.empty()) return others;
  if (own != nullptr) *own = spellings_of_locations(rows, one, names);
  for (Element& element : rows.elements) element = one[element];
  rows.names = std::move(names);
  return others;
}

// What each location of the dictionary is made of.
void find_blocks(NamedWorld& read) {
  Dictionary places;
  for (const auto name : read.locations.values()) {
    const std::size_t end = name.rfind(kBeforeBlock);
    read.place_of.push_back(places.intern(name.substr(0, end)));
    read.world.blocks.push_back(read.blocks.intern(name.substr(end + 1)));
  }
  read.places = places.size();
}

void refuse_two_blocks(const NamedWorld& read, const Side& side, const std::string& what,
                       const SideSource& source) {
  std::size_t both = 0;
  for (Element element = 0; element < side.elements(); ++element) {
    const auto trail = side.trail(element);
    both += std::ranges::any_of(trail,
                                [&](Location c) {
                                  return read.world.blocks[c] != read.world.blocks[trail.front()];
                                })
                ? 1
                : 0;
  }
  if (both == 0) return;
  throw Error::input(
      fmt::format("{} {} have more than one value in column '{}'", both, what, source.block_column))
      .at(source.sources.front().name)
      .hint(
          "A shared attribute has one value for each element; correct the rows, or leave --block "
          "out.");
}

}  // namespace

std::vector<TrailFile> trail_files(const std::string& path) {
  if (fs::is_directory(path)) return files_in(path);
  if (!fs::exists(path) && path.find('*') != std::string::npos) return files_matching(path);
  return {{path, ""}};
}

NamedWorld read_world(Engine& engine, const SideSource& identified, const SideSource& deidentified,
                      Progress& progress) {
  NamedWorld read;
  Rows people = read_side(engine, identified, read.locations, progress);
  read.other_spellings = join_spellings(people).size();
  Rows samples = read_side(engine, deidentified, read.locations, progress);
  read.variants = join_spellings(samples, &read.own_spellings);
  read.identified = std::move(people.names);
  read.deidentified = std::move(samples.names);
  read.world.locations = read.locations.size();
  read.places = read.locations.size();
  parallel_blocks(2, 1, [&](std::size_t side, std::size_t) {
    if (side == 0) {
      read.world.identified = Side(read.identified.size(), people.elements, people.locations);
    } else {
      read.world.deidentified = Side(read.deidentified.size(), samples.elements, samples.locations);
    }
  });
  if (!identified.block_column.empty()) {
    find_blocks(read);
    refuse_two_blocks(read, read.world.identified, "identified elements", identified);
    refuse_two_blocks(read, read.world.deidentified, "de-identified elements", deidentified);
  }
  return read;
}

std::size_t count_other_spellings(Engine& engine, const SideSource& side, Progress& progress) {
  Dictionary locations;
  Rows rows = read_side(engine, side, locations, progress);
  return join_spellings(rows).size();
}

std::string note_of_spellings(std::size_t of_people, std::size_t of_samples) {
  const auto counted = [](std::size_t others) {
    return others == 1 ? std::string("1 name") : fmt::format("{} names", others);
  };
  std::string note;
  if (of_people > 0)
    note = fmt::format(
        "{} of people {} read as another spelling of somebody; if two of them are different "
        "people, k may be less",
        counted(of_people), of_people == 1 ? "was" : "were");
  if (of_samples > 0)
    note +=
        fmt::format("{}{} of samples {} read as another spelling of one", note.empty() ? "" : "; ",
                    counted(of_samples), of_samples == 1 ? "was" : "were");
  return note;
}

std::optional<Element> NamedWorld::find_deidentified(std::string_view name) const {
  if (const auto variant = variants.find(name); variant != variants.end()) return variant->second;
  return deidentified.find(name);
}

Side NamedWorld::unblocked(const Side& side) const {
  if (place_of.empty()) return side;
  std::vector<Element> elements;
  std::vector<Location> seen;
  for (Element element = 0; element < side.elements(); ++element) {
    for (const Location location : side.trail(element)) {
      elements.push_back(element);
      seen.push_back(place_of[location]);
    }
  }
  return {side.elements(), elements, seen};
}

std::string place_of(Engine& engine, const SideSource& side, std::string_view name,
                     Progress& progress) {
  for (const Source& source : side.sources) {
    Rows rows;
    append_elements(engine.load(source, side.element_columns, progress),
                    side.element_columns.size(), rows);
    const auto code = rows.names.find(name);
    if (!code) continue;
    const auto row = std::ranges::find(rows.elements, *code) - rows.elements.begin();
    return fmt::format("{}, row {}", source.name, row + 1);
  }
  return side.sources.front().name;
}

}  // namespace pratique::trails
