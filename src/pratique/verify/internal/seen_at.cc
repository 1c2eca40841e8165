#include "pratique/verify/internal/seen_at.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>

#include "pratique/core/error.h"
#include "pratique/data/person_spelling.h"
#include "pratique/verify/internal/spelling.h"

namespace pratique::verify {
namespace {

namespace fs = std::filesystem;

// Files by location; the location is empty for a file that has it in a column.
std::map<std::string, std::string> files_of(const std::string& path) {
  std::map<std::string, std::string> files;
  const auto add = [&](const std::string& location, const fs::path& file) {
    if (!files.emplace(location, file.string()).second) {
      throw Error::input(fmt::format("two files are named after the location '{}'", location))
          .at(path)
          .hint("Keep one file per location.");
    }
  };
  const auto star = path.find('*');
  if (fs::is_directory(path)) {
    for (const auto& entry : fs::directory_iterator(path)) {
      const std::string ending = entry.path().extension().string();
      const bool table =
          ending == ".csv" || ending == ".tsv" || ending == ".txt" || ending == ".parquet";
      if (!entry.is_regular_file() || !table || entry.path().filename().string().front() == '.') {
        continue;
      }
      add(entry.path().stem().string(), entry.path());
    }
  } else if (star != std::string::npos && !fs::exists(path)) {
    const auto begin = path.rfind('/', star) + 1;  // 0 when there is none
    const auto end = std::min(path.find('/', star), path.size());
    const std::string before = path.substr(begin, star - begin);
    const std::string after = path.substr(star + 1, end - star - 1);
    const fs::path folder = begin == 0 ? fs::path(".") : fs::path(path.substr(0, begin));
    if (fs::is_directory(folder)) {
      for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name.front() == '.' || name.size() <= before.size() + after.size() ||
            !name.starts_with(before) || !name.ends_with(after)) {
          continue;
        }
        const fs::path file = entry.path().string() + path.substr(end);
        if (!fs::is_regular_file(file)) continue;
        add(name.substr(before.size(), name.size() - before.size() - after.size()), file);
      }
    }
  } else {
    files.emplace("", path);
  }
  if (files.empty()) {
    throw Error::input("there are no lists of locations here")
        .at(path)
        .hint("A folder needs a CSV or Parquet file per location, named after it.");
  }
  return files;
}

bool is_empty_or_blank(std::string_view value) {
  return value.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// Blanks, signs alone, or a word for what is missing (NA, unknown, -); none of these has a digit.
bool is_unsaid(std::string_view value) {
  if (value.find_first_of("0123456789") != std::string_view::npos) return false;
  return without_spelling(value).empty() || person_as_read(value).empty();
}

// By the values of one column.
std::vector<bool> unsaid_values(const Column& column, bool is_element) {
  std::vector<bool> unsaid;
  for (const auto value : column.dictionary.values())
    unsaid.push_back(is_unsaid(value) || (is_element && names_nobody(value)));
  return unsaid;
}

struct RowNotSaid {
  std::size_t row;
  std::string columns;  // for messages
};

// The first row of which nobody knows who was seen, or where. Of several columns of an element each
// has a text; where none of these says anything, nobody is named.
std::optional<RowNotSaid> row_not_said(const Table& table, std::size_t element_columns) {
  std::vector<std::vector<bool>> unsaid;
  for (const Column& column : table.columns)
    unsaid.push_back(unsaid_values(column, unsaid.size() < element_columns));
  for (std::size_t row = 0; row < table.rows(); ++row) {
    RowNotSaid not_said{row, ""};
    std::size_t parts = 0;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const Column& column = table.columns[c];
      if (!unsaid[c][column.codes[row]]) continue;
      const std::string name = "'" + column.name + "'";
      if (c >= element_columns || is_empty_or_blank(column.text(row))) return RowNotSaid{row, name};
      not_said.columns += (parts++ > 0 ? " or " : "") + name;
    }
    if (parts == element_columns) return not_said;
  }
  return std::nullopt;
}

void refuse_rows_not_said(Engine& engine, const Source& source, const Table& groups,
                          const std::vector<std::string>& columns, std::size_t element_columns,
                          Progress& progress) {
  if (!row_not_said(groups, element_columns)) return;
  const Table rows = engine.load(source, columns, progress);
  const auto first = row_not_said(rows, element_columns);
  if (!first) throw Error::input("the file changed while it was read").at(source.name);
  throw Error::input(
      fmt::format("row {} has no value in column {}", first->row + 1, first->columns))
      .at(source.name)
      .hint(
          "Remove the rows that do not say who was seen where. Blanks and words such as NA, "
          "unknown or - say nothing; if one is a name here, give it another in all lists.");
}

std::uint32_t count_in(std::string_view text, const std::string& place) {
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size() || count == 0)
    throw Error::input("a row does not say how many elements it stands for").at(place);
  return count;
}

struct Sighting {
  Code element;
  Code location;
  friend auto operator<=>(const Sighting&, const Sighting&) = default;
};

}  // namespace

SeenAt::SeenAt(Engine& engine, const TrailList& list, Dictionary& locations, Progress& progress) {
  std::vector<Sighting> sightings;
  const auto files =
      list.opened ? std::map<std::string, std::string>{{"", list.path}} : files_of(list.path);
  for (const auto& [location, path] : files) {
    const Source source = list.opened ? *list.opened : engine.open(path, list.csv, progress);
    std::vector<std::string> columns = list.element_columns;
    if (location.empty()) columns.push_back(list.location_column);
    const std::size_t counted_by = columns.size();
    if (!list.count_column.empty()) columns.push_back(list.count_column);
    for (const auto& column : columns) (void)column_index(source.columns, column, source.name);
    const GroupedTable read = engine.group(source, columns, progress);
    refuse_rows_not_said(engine, source, read.groups, columns, list.element_columns.size(),
                         progress);
    std::string name;
    for (std::size_t row = 0; row < read.groups.rows(); ++row) {
      name.clear();
      for (std::size_t c = 0; c < list.element_columns.size(); ++c) {
        if (c > 0) name += '|';
        name += read.groups.columns[c].text(row);
      }
      const Code at = locations.intern(
          location.empty() ? read.groups.columns[list.element_columns.size()].text(row)
                           : std::string_view(location));
      const Code element = names_.intern(person_as_read(name));
      sightings.push_back({element, at});
      if (list.count_column.empty()) continue;
      const auto count = count_in(read.groups.columns[counted_by].text(row), source.name);
      if (element == counts_.size()) counts_.push_back(count);
      if (counts_[element] != count)
        throw Error::input("an element has another count in another row").at(source.name);
    }
  }
  std::sort(sightings.begin(), sightings.end());
  sightings.erase(std::unique(sightings.begin(), sightings.end()), sightings.end());
  first_.assign(names_.size() + 1, 0);
  locations_.reserve(sightings.size());
  for (const Sighting& sighting : sightings) {
    ++first_[sighting.element + 1];
    locations_.push_back(sighting.location);
  }
  for (std::size_t e = 0; e < names_.size(); ++e) first_[e + 1] += first_[e];
}

std::uint64_t SeenAt::elements() const {
  return counts_.empty() ? size()
                         : std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

std::vector<std::uint64_t> SeenAt::sizes(std::size_t locations) const {
  std::vector<std::uint64_t> sizes(locations);
  for (std::size_t name = 0; name < size(); ++name)
    for (const Code location : this->locations(name)) sizes[location] += count(name);
  return sizes;
}

DistinctSets distinct_sets(const SeenAt& side) {
  DistinctSets result;
  std::map<std::vector<Code>, std::uint32_t> numbers;
  for (std::size_t e = 0; e < side.size(); ++e) {
    const auto trail = side.locations(e);
    const auto [entry, is_new] =
        numbers.try_emplace(std::vector<Code>(trail.begin(), trail.end()),
                            static_cast<std::uint32_t>(result.trails.size()));
    if (is_new) {
      result.trails.push_back(entry->first);
      result.sizes.push_back(0);
    }
    result.sizes[entry->second] += side.count(e);
    result.group_of.push_back(entry->second);
  }
  return result;
}

}  // namespace pratique::verify
