// Counting people instead of rows, where several rows are one person's: a column says whose each
// row is, under all spellings of the person (data/person_spelling.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/engine/engine.h"

namespace pratique {

// As Engine::group, but counts[i] is how many people have a row with these cells. Without a column
// that names people (`person` empty), every row is somebody else.
[[nodiscard]] GroupedTable group_people(Engine& engine, const Source& source,
                                        const std::vector<std::string>& columns,
                                        const std::string& person, Progress& progress);

// A row for each person: the cells that most of the person's rows have; of those that as many have,
// the first by their texts.
[[nodiscard]] Table load_people(Engine& engine, const Source& source,
                                const std::vector<std::string>& columns, const std::string& person,
                                Progress& progress);

// The rows, or the people where a column says whose they are.
[[nodiscard]] std::uint64_t count_people(Engine& engine, const Source& source,
                                         const std::string& person, Progress& progress);

// How many people share all of their rows' cells in these columns, for each such set of rows: the
// column that says whose each row is joins them. In no order.
[[nodiscard]] std::vector<std::uint64_t> sizes_of_people_alike(
    Engine& engine, const Source& source, const std::vector<std::string>& columns,
    const std::string& person, Progress& progress);

// How many people are alike to nobody else.
[[nodiscard]] std::uint64_t count_people_alone(Engine& engine, const Source& source,
                                               const std::vector<std::string>& columns,
                                               const std::string& person, Progress& progress);

// Of these columns, those by each of which alone at least half of the people are told apart from
// everybody: whoever knows the value finds the person, whatever else is hidden. All of them where
// they do so together.
[[nodiscard]] std::vector<std::string> columns_telling_most_apart(
    Engine& engine, const Source& source, const std::vector<std::string>& columns,
    const std::string& person, Progress& progress);

}  // namespace pratique
