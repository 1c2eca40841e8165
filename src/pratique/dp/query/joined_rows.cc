#include "pratique/dp/query/joined_rows.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "pratique/dp/person_rows.h"

namespace pratique::dp {
namespace {

constexpr std::uint32_t kNoPartner = std::numeric_limits<std::uint32_t>::max();

// A row of each table joined so far, and how many joined rows are like that.
struct JoinedRow {
  std::vector<std::uint32_t> rows;
  std::uint64_t count = 0;
};

// The rows of every person, by one spelling for all.
using RowsByPerson = std::map<std::string, std::vector<std::uint32_t>>;

RowsByPerson rows_by_person(const Column& person, const std::vector<std::uint64_t>& counts) {
  RowsByPerson rows;
  for (std::uint32_t row = 0; row < counts.size(); ++row) {
    if (counts[row] > 0) rows[spelt_as_one(person.text(row))].push_back(row);
  }
  return rows;
}

// At most `most` of all that these rows stand for, every set of so many as likely as any other.
void keep_at_most(std::vector<JoinedRow>& own, std::uint64_t most, RandomBits& random) {
  std::uint64_t all = 0;
  for (const auto& row : own) all += row.count;
  std::uint64_t wanted = std::min(all, most);
  for (auto& row : own) {
    std::uint64_t kept = 0;
    for (std::uint64_t i = 0; i < row.count; ++i, --all) {
      if (wanted < all && random.below(all) >= wanted) continue;
      ++kept;
      --wanted;
    }
    row.count = kept;
  }
  std::erase_if(own, [](const JoinedRow& row) { return row.count == 0; });
}

}  // namespace

JoinedTable joined_by_person(const std::vector<TableToJoin>& tables, std::uint64_t most_joined,
                             RandomBits& random) {
  std::vector<std::vector<std::uint64_t>> counts;
  std::vector<RowsByPerson> people;
  for (const auto& table : tables) {
    const Column& person = table.rows.groups.columns[table.person];
    counts.push_back(rows_within(table.rows.counts, person, kMostRowsToJoin, random));
    people.push_back(rows_by_person(person, counts.back()));
  }
  std::vector<JoinedRow> joined;
  for (const auto& [person, first] : people.front()) {
    std::vector<JoinedRow> own;
    for (const auto row : first) own.push_back({{row}, counts.front()[row]});
    for (std::size_t t = 1; t < tables.size(); ++t) {
      const auto partners = people[t].find(person);
      std::vector<JoinedRow> wider;
      for (const auto& row : own) {
        if (partners == people[t].end()) {
          if (!tables[t].unmatched_stay) break;
          wider.push_back(row);
          wider.back().rows.push_back(kNoPartner);
          continue;
        }
        for (const auto partner : partners->second) {
          wider.push_back(row);
          wider.back().rows.push_back(partner);
          wider.back().count *= counts[t][partner];
        }
      }
      own = std::move(wider);
      keep_at_most(own, most_joined, random);
    }
    joined.insert(joined.end(), own.begin(), own.end());
  }

  const auto column_of = [&](std::size_t t, std::size_t c) {
    const Column& source = tables[t].rows.groups.columns[c];
    Column column{.name = source.name, .dictionary = {}, .codes = {}};
    for (const auto& row : joined) {
      const std::uint32_t at = row.rows[t];
      column.codes.push_back(
          column.dictionary.intern(at == kNoPartner ? std::string_view() : source.text(at)));
    }
    return column;
  };
  JoinedTable result{.rows = {}, .person = column_of(0, tables.front().person)};
  for (std::size_t t = 0; t < tables.size(); ++t) {
    for (std::size_t c = 0; c < tables[t].rows.groups.columns.size(); ++c) {
      if (c == tables[t].person && !tables[t].person_asked) continue;
      result.rows.groups.columns.push_back(column_of(t, c));
    }
  }
  for (const auto& row : joined) result.rows.counts.push_back(row.count);
  return result;
}

}  // namespace pratique::dp
