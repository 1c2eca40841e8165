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

// Who is alike to whom by the cells of all their rows; the column that says whose each row is joins
// them. The columns are read once, however many questions are asked; what is asked of others is
// read for the question. Without a column that names people the engine counts each time.
class PeopleAlike {
 public:
  PeopleAlike(Engine& engine, const Source& source, const std::vector<std::string>& columns,
              const std::string& person, Progress& progress);

  // How many people share all of their rows' cells in these of the columns, for each such set of
  // rows, in no order. Nobody is alike by no column.
  [[nodiscard]] std::vector<std::uint64_t> sizes(const std::vector<std::string>& columns) const;
  // How many are alike to nobody else.
  [[nodiscard]] std::uint64_t alone(const std::vector<std::string>& columns) const;
  // Of these columns, those by each of which alone at least half of the people are told apart from
  // everybody: whoever knows the value finds the person, whatever else is hidden. All of them where
  // they do so together.
  [[nodiscard]] std::vector<std::string> telling_most_apart(
      const std::vector<std::string>& columns) const;
  [[nodiscard]] std::uint64_t people() const;

 private:
  Engine& engine_;
  const Source& source_;
  Progress& progress_;
  std::string person_;
  Table table_;                             // by row, those of a person together
  std::vector<std::size_t> end_of_person_;  // in table_
};

// How many people are alike to nobody else.
[[nodiscard]] std::uint64_t count_people_alone(Engine& engine, const Source& source,
                                               const std::vector<std::string>& columns,
                                               const std::string& person, Progress& progress);

}  // namespace pratique
