#include "pratique/tables/flow/people.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "pratique/core/error.h"
#include "pratique/data/generalised.h"
#include "pratique/data/person_spelling.h"
#include "pratique/data/row_numbers.h"
#include "pratique/kind/among.h"

namespace pratique::tables::flow {
namespace {

// Where each value stands among all of them, by its text.
std::vector<std::uint32_t> ranks_of(const Dictionary& values) {
  std::vector<Code> sorted(values.size());
  std::iota(sorted.begin(), sorted.end(), Code{0});
  std::sort(sorted.begin(), sorted.end(),
            [&](Code a, Code b) { return values.value(a) < values.value(b); });
  std::vector<std::uint32_t> ranks(values.size());
  for (std::uint32_t rank = 0; rank < sorted.size(); ++rank) ranks[sorted[rank]] = rank;
  return ranks;
}

void append_cell(std::string& text, std::string_view cell) {
  text += fmt::format("{}:", cell.size());
  text += cell;
}

}  // namespace

People::People(const PeopleColumns& columns, const Source& source, const Run& run,
               const std::function<void(Table&)>& rewrite) {
  std::vector<std::string> names = {columns.person};
  for (const auto& name : columns.all) {
    if (name != columns.person) names.push_back(name);
  }
  table_ = run.engine.load(source, names, run.progress);
  Column person = std::move(table_.columns.front());
  table_.columns.erase(table_.columns.begin());
  if (rewrite) rewrite(table_);
  if (const auto nobody = person.dictionary.find("")) {
    throw Error::input(fmt::format("'{}' is empty in {} rows: whose are they?", columns.person,
                                   std::count(person.codes.begin(), person.codes.end(), *nobody)))
        .at(source.name)
        .hint("Fill them in, or leave these rows out of the file.");
  }
  (void)join_people_as_read(person);
  first_row_.assign(person.dictionary.size() + 1, 0);
  for (const Code code : person.codes) ++first_row_[code + 1];
  for (std::size_t p = 0; p + 1 < first_row_.size(); ++p) first_row_[p + 1] += first_row_[p];
  rows_.resize(person.codes.size());
  auto next = first_row_;
  for (std::uint32_t row = 0; row < rows_.size(); ++row) rows_[next[person.codes[row]]++] = row;

  choose_quasi_identifiers(columns.quasi_identifiers);
  std::vector<std::string> recorded = columns.quasi_identifiers;
  for (const auto& name : columns.single) {
    if (release::among(recorded, name)) continue;
    if (!is_single(column(name))) {
      throw Error::input(
          fmt::format("'{}' has several values for one person, and what looks at it counts people",
                      name))
          .at(source.name)
          .hint(
              "Make it one value for each person (the first, the worst), release such values as "
              "codes (pratique codes protect), or ask for no model or method that looks at it; "
              "--rows-are-people counts every row as a different person.");
    }
    recorded.push_back(name);
  }
  for (const auto& name : columns.if_single) {
    if (!release::among(recorded, name) && is_single(column(name))) recorded.push_back(name);
  }
  collect_records(recorded, columns.tell_rows);
}

bool People::is_single(const Column& column) const {
  for (std::size_t p = 0; p < count(); ++p) {
    const auto rows = rows_of(p);
    for (const auto row : rows) {
      if (column.codes[row] != column.codes[rows.front()]) return false;
    }
  }
  return true;
}

void People::choose_quasi_identifiers(const std::vector<std::string>& names) {
  RowNumbers tuples(rows_.size());
  for (const auto& name : names) tuples.add(column(name));
  const auto& tuple = tuples.numbers();
  const auto text = [&](std::uint32_t row) {
    std::string cells;
    for (const auto& name : names) append_cell(cells, column(name).text(row));
    return cells;
  };
  for (std::size_t p = 0; p < count(); ++p) {
    std::unordered_map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> seen;  // count, row
    for (const auto row : rows_of(p)) {
      auto& [times, first] = seen.try_emplace(tuple[row], 0, row).first->second;
      ++times;
    }
    // Of those that as many rows have, the first by its text: the order of the file says nothing.
    auto best = seen.begin();
    for (auto other = seen.begin(); other != seen.end(); ++other) {
      const auto [times, row] = other->second;
      const auto [most, chosen] = best->second;
      if (times > most || (times == most && row != chosen && text(row) < text(chosen)))
        best = other;
    }
    known_by_.push_back(best->second.second);
    rows_changed_ += rows_of(p).size() - best->second.first;
  }
}

void People::collect_records(const std::vector<std::string>& names, bool tell_rows) {
  RowNumbers combined(count());
  if (tell_rows)
    combined.add(rows_.size() + 1, [this](std::size_t p) { return rows_of(p).size(); });
  for (const auto& name : names) {
    const Column& values = column(name);
    combined.add(values.dictionary.size(),
                 [&](std::size_t p) { return values.codes[known_by_[p]]; });
  }
  record_of_ = combined.take();
  std::vector<std::uint32_t> first;
  for (std::uint32_t p = 0; p < record_of_.size(); ++p) {
    if (record_of_[p] == first.size()) first.push_back(p);
  }
  // Methods break ties by the order of records: it follows from what they say, not from the file.
  std::vector<std::vector<std::uint32_t>> ranks;  // by column, and by person
  for (const auto& name : names) {
    const Column& values = column(name);
    const auto by_text = ranks_of(values.dictionary);
    auto& rank = ranks.emplace_back(count());
    for (const auto p : first) rank[p] = by_text[values.codes[known_by_[p]]];
  }
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    for (const auto& rank : ranks) {
      if (rank[a] != rank[b]) return rank[a] < rank[b];
    }
    return tell_rows && rows_of(a).size() < rows_of(b).size();
  };
  std::sort(first.begin(), first.end(), before);
  std::vector<std::uint32_t> number(first.size());
  for (std::uint32_t record = 0; record < first.size(); ++record)
    number[record_of_[first[record]]] = record;
  records_.counts.assign(first.size(), 0);
  for (auto& record : record_of_) {
    record = number[record];
    ++records_.counts[record];
  }
  for (const auto& name : names) {
    Column kept;
    kept.name = name;
    for (const auto p : first)
      kept.codes.push_back(kept.dictionary.intern(column(name).text(known_by_[p])));
    records_.groups.columns.push_back(std::move(kept));
  }
  if (!tell_rows) return;
  for (const auto p : first) {
    rows_of_records_.codes.push_back(
        rows_of_records_.dictionary.intern(std::to_string(rows_of(p).size())));
  }
}

std::vector<std::uint64_t> People::people_with(const Column& column) const {
  std::vector<std::uint64_t> people(column.dictionary.size(), 0);
  std::vector<std::size_t> last(column.dictionary.size(), count());
  for (std::size_t p = 0; p < count(); ++p) {
    for (const auto row : rows_of(p)) {
      const Code code = column.codes[row];
      if (last[code] == p) continue;
      last[code] = p;
      ++people[code];
    }
  }
  return people;
}

std::string People::text_of(std::size_t person) const {
  std::vector<std::string> texts;
  for (const auto row : rows_of(person)) {
    texts.emplace_back();
    for (const auto& column : table_.columns) append_cell(texts.back(), column.text(row));
  }
  std::sort(texts.begin(), texts.end());
  std::string all;
  for (const auto& text : texts) append_cell(all, text);
  return all;
}

std::vector<std::uint32_t> People::entries_of(const Recoding& recoding) const {
  std::size_t records = 0;
  for (const auto record : record_of_) records = std::max<std::size_t>(records, record + 1);
  std::vector<std::vector<std::uint32_t>> waiting(records);
  for (std::uint32_t p = 0; p < record_of_.size(); ++p) waiting[record_of_[p]].push_back(p);
  std::vector<std::uint32_t> entry_of(count(), kSuppressed);
  std::vector<std::size_t> taken(waiting.size(), 0);
  for (std::uint32_t entry = 0; entry < recoding.groups.size(); ++entry) {
    if (recoding.counts[entry] == 0) continue;  // of people who are in a population alone
    auto& people = waiting[recoding.groups[entry]];
    std::size_t& next = taken[recoding.groups[entry]];
    // Where people of one record part, who goes where follows from what their rows say.
    if (next == 0 && recoding.counts[entry] < people.size()) {
      std::unordered_map<std::uint32_t, std::string> texts;
      for (const auto p : people) texts.emplace(p, text_of(p));
      std::sort(people.begin(), people.end(),
                [&](std::uint32_t a, std::uint32_t b) { return texts.at(a) < texts.at(b); });
    }
    for (std::uint64_t i = 0; i < recoding.counts[entry]; ++i) entry_of[people[next++]] = entry;
  }
  return entry_of;
}

std::uint64_t People::alone_by(const std::vector<std::string>& columns,
                               const std::vector<std::uint32_t>& entry_of,
                               const Recoding* recoding) const {
  if (columns.empty()) return 0;
  RowNumbers cells(rows_.size());
  for (const auto& name : columns) cells.add(column(name));
  std::map<std::vector<std::uint32_t>, std::uint64_t> people;  // by what all their rows say
  for (std::uint32_t p = 0; p < count(); ++p) {
    if (entry_of[p] == kSuppressed) continue;
    std::vector<std::uint32_t> said;
    for (const auto row : rows_of(p)) said.push_back(cells.numbers()[row]);
    std::sort(said.begin(), said.end());
    if (recoding != nullptr) said.push_back(recoding->class_of[entry_of[p]]);
    ++people[std::move(said)];
  }
  return static_cast<std::uint64_t>(std::count_if(
      people.begin(), people.end(), [](const auto& alike) { return alike.second == 1; }));
}

std::uint64_t People::alone_by_rows(const Recoding& recoding,
                                    const std::vector<std::uint32_t>& entry_of) const {
  std::map<std::pair<ClassId, std::size_t>, std::uint64_t> people;
  for (std::uint32_t p = 0; p < count(); ++p) {
    if (entry_of[p] != kSuppressed) ++people[{recoding.class_of[entry_of[p]], rows_of(p).size()}];
  }
  return static_cast<std::uint64_t>(std::count_if(
      people.begin(), people.end(), [](const auto& alike) { return alike.second == 1; }));
}

double People::overwritten(const std::vector<std::string>& quasi_identifiers,
                           const std::map<std::string, Hierarchy>& hierarchies,
                           const Recoding& recoding,
                           const std::vector<std::uint32_t>& entry_of) const {
  std::uint64_t cells = 0;
  std::uint64_t wrong = 0;
  for (std::size_t a = 0; a < quasi_identifiers.size(); ++a) {
    const Column& said = column(quasi_identifiers[a]);
    const auto tree = hierarchies.find(quasi_identifiers[a]);
    const RecodedColumn& recoded = recoding.columns[a];
    std::map<std::pair<Code, Code>, bool> contains;  // a cell, what a row said
    for (std::size_t p = 0; p < count(); ++p) {
      if (entry_of[p] == kSuppressed) continue;
      const Code cell = recoded.codes[entry_of[p]];
      for (const auto row : rows_of(p)) {
        ++cells;
        if (said.codes[row] == said.codes[known_by_[p]]) continue;
        const auto [known, is_new] = contains.try_emplace({cell, said.codes[row]}, false);
        if (is_new) {
          known->second =
              GeneralisedValue::parse(recoded.values[cell])
                  .contains(said.text(row), tree == hierarchies.end() ? nullptr : &tree->second);
        }
        wrong += known->second ? 0 : 1;
      }
    }
  }
  return cells == 0 ? 0 : static_cast<double>(wrong) / static_cast<double>(cells);
}

}  // namespace pratique::tables::flow
