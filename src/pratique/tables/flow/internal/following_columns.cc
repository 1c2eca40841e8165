#include "pratique/tables/flow/internal/following_columns.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pratique/kind/among.h"
#include "pratique/kind/undoing_columns.h"
#include "pratique/tables/method/anatomy.h"

namespace pratique::tables::flow {
namespace {

constexpr std::size_t kRowsSeen = 2'000;

// Where the rows stand that are looked at: evenly over all, wherever the file begins to differ.
std::vector<std::size_t> places_among(std::size_t all) {
  std::vector<std::size_t> places;
  const std::size_t seen = std::min(all, kRowsSeen);
  for (std::size_t i = 0; i < seen; ++i) places.push_back(i * all / seen);
  return places;
}

// Some of the records that were read, one of each person.
class SomeRows {
 public:
  explicit SomeRows(const PreparedTable& prepared) : prepared_(prepared) {
    if (prepared.people) {
      rows_ = places_among(prepared.people->count());
      for (auto& row : rows_) row = prepared.people->rows_of(row).front();
      return;
    }
    // A group stands for as many rows as it has records; for none where all are of a population.
    const auto& counts = prepared.table.counts;
    std::uint64_t before = 0;
    std::size_t group = 0;
    for (const auto place : places_among(prepared.table.rows())) {
      while (before + counts[group] <= place) before += counts[group++];
      rows_.push_back(group);
    }
    if (prepared.aside) read_aside();
  }

  [[nodiscard]] const Column& column(const std::string& name) {
    const auto [place, made] = columns_.try_emplace(name);
    Column& some = place->second;
    if (!made) return some;
    some.name = name;
    const Column& all =
        prepared_.people ? prepared_.people->column(name) : prepared_.table.groups.column(name);
    for (const auto row : rows_) some.codes.push_back(some.dictionary.intern(all.text(row)));
    return some;
  }

 private:
  // All columns of a row lie together.
  void read_aside() {
    std::vector<Column*> columns;
    for (const auto& name : prepared_.aside->names()) {
      columns.push_back(&columns_[name]);
      columns.back()->name = name;
    }
    SpooledColumns::Reader reader(*prepared_.aside);
    for (const auto row : rows_) {
      const auto& cells = reader.read(prepared_.marks().text(row));
      for (std::size_t c = 0; c < columns.size(); ++c)
        columns[c]->codes.push_back(columns[c]->dictionary.intern(cells[c]));
    }
  }

  const PreparedTable& prepared_;
  std::map<std::string, Column> columns_;
  std::vector<std::size_t> rows_;
};

}  // namespace

void refuse_following_columns(const ProtectRequest& options, const PreparedTable& prepared) {
  const auto& schema = prepared.schema;
  auto looked_at = prepared.as_is;
  looked_at.insert(looked_at.end(), prepared.rounded.begin(), prepared.rounded.end());
  std::erase_if(looked_at, [&](const auto& name) { return release::among(options.allowed, name); });
  std::vector<std::string> replaced;
  std::copy_if(prepared.leaving.begin(), prepared.leaving.end(), std::back_inserter(replaced),
               [&](const auto& name) {
                 return name != prepared.person && schema.role_of(name) == Role::identifier;
               });
  // Anatomy leaves quasi-identifiers as they are, and hides secrets alone.
  if (!options.releases || options.method == tables::kAnatomy || schema.quasi_identifiers.empty() ||
      (looked_at.empty() && replaced.empty()))
    return;
  SomeRows rows(prepared);
  release::UndoingColumns undoing;
  for (const auto& name : schema.quasi_identifiers) undoing.know(rows.column(name));
  for (const auto& name : looked_at)
    undoing.look_at(rows.column(name), schema.role_of(name) == Role::sensitive);
  for (const auto& name : replaced) undoing.look_at_pseudonyms(rows.column(name));
  undoing.check(prepared.source.name);
}

}  // namespace pratique::tables::flow
