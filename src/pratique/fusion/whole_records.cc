#include "pratique/fusion/whole_records.h"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

#include "pratique/data/generalised.h"
#include "pratique/tables/model/spelling.h"

namespace pratique::fusion {
namespace {

enum class CellReading { as_written, as_read };

std::string cell_text(std::string_view cell, CellReading reading) {
  return reading == CellReading::as_read ? tables::without_spelling(cell) : std::string(cell);
}

// Two releases whose records have numbers in common.
class ComparedRecords {
 public:
  struct Record {
    tables::ClassId class_id = 0;
    std::uint32_t number = 0;
    std::uint64_t people = 0;
  };
  using Places = std::vector<std::size_t>;

  ComparedRecords(const ReleasedRows& earlier, const ReleasedRows& later,
                  const std::string& sensitive, CellReading reading)
      : releases_{&earlier, &later}, of_people_(!earlier.whose.empty() && !later.whose.empty()) {
    add_column(sensitive, reading);
    for (const auto& column : later.rows.groups.columns) {
      const auto& others = earlier.rows.groups.columns;
      const bool shared = std::any_of(others.begin(), others.end(), [&](const Column& other) {
        return other.name == column.name;
      });
      if (shared && column.name != sensitive) add_column(column.name, reading);
    }
  }

  [[nodiscard]] bool of_people() const { return of_people_; }
  // Of the sensitive column and the others, in this order.
  [[nodiscard]] std::size_t columns() const { return columns_.size(); }
  [[nodiscard]] Places all() const {
    Places places;
    for (std::size_t c = 0; c < columns_.size(); ++c) places.push_back(c);
    return places;
  }

  // The records of both, by the sensitive column (place 0) and others. Numbers are of this call.
  [[nodiscard]] std::array<std::vector<Record>, 2> number(const Places& places, bool count_rows) {
    known_.clear();
    secret_of_.clear();
    if (!of_people_) return of_rows(places);
    return {of_side(0, places, count_rows), of_side(1, places, count_rows)};
  }
  // Whether cells that are written differently are read as one.
  [[nodiscard]] bool joins_spellings() const { return joins_spellings_; }
  // By number: the values of the sensitive column, each once, as codes of texts().
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& secrets() const {
    return secret_of_;
  }
  [[nodiscard]] const Dictionary& texts() const { return texts_; }

 private:
  using Cells = std::vector<std::uint64_t>;

  void add_column(const std::string& name, CellReading reading) {
    Dictionary own;
    Dictionary written;
    Dictionary& texts = columns_.empty() ? texts_ : own;
    auto& codes = columns_.emplace_back();
    for (const std::size_t side : {0U, 1U}) {
      const Column& column = releases_[side]->rows.groups.column(name);
      std::vector<std::uint32_t> shared;
      for (const auto value : column.dictionary.values()) {
        (void)written.intern(value);
        shared.push_back(texts.intern(cell_text(value, reading)));
      }
      for (const Code code : column.codes) codes[side].push_back(shared[code]);
    }
    joins_spellings_ = joins_spellings_ || written.size() != texts.size();
  }

  std::uint32_t number_of(const Cells& record, const std::set<std::uint32_t>& secret) {
    const auto [entry, is_new] = known_.emplace(record, static_cast<std::uint32_t>(known_.size()));
    if (is_new) secret_of_.emplace_back(secret.begin(), secret.end());
    return entry->second;
  }

  // Every row is somebody's: equal cells have one number, column after column.
  std::array<std::vector<Record>, 2> of_rows(const Places& places) {
    std::array<std::vector<Record>, 2> records;
    for (const std::size_t side : {0U, 1U}) {
      const ReleasedRows& release = *releases_[side];
      for (std::size_t row = 0; row < release.class_of.size(); ++row)
        records[side].push_back({release.class_of[row], 0, release.rows.counts[row]});
    }
    for (const auto place : places) {
      std::unordered_map<std::uint64_t, std::uint32_t> joined;
      for (const std::size_t side : {0U, 1U}) {
        for (std::size_t row = 0; row < records[side].size(); ++row) {
          std::uint32_t& number = records[side][row].number;
          const std::uint64_t both = std::uint64_t{number} << 32U | columns_[place][side][row];
          number = joined.emplace(both, static_cast<std::uint32_t>(joined.size())).first->second;
        }
      }
    }
    for (const std::size_t side : {0U, 1U}) {
      for (std::size_t row = 0; row < records[side].size(); ++row) {
        const std::uint32_t number = records[side][row].number;
        if (number >= secret_of_.size()) secret_of_.resize(number + 1);
        secret_of_[number] = {columns_[0][side][row]};
      }
    }
    return records;
  }

  std::vector<Record> of_side(std::size_t side, const Places& places, bool count_rows) {
    const ReleasedRows& release = *releases_[side];
    const auto cells_of = [&](std::size_t row) {
      Cells cells;
      for (const auto place : places) cells.push_back(columns_[place][side][row]);
      return cells;
    };
    std::vector<Record> records;
    std::map<std::pair<Code, tables::ClassId>, std::map<Cells, std::uint64_t>> people;
    for (std::size_t row = 0; row < release.class_of.size(); ++row) {
      people[{release.whose[row], release.class_of[row]}][cells_of(row)] +=
          release.rows.counts[row];
    }
    for (const auto& [whose, rows] : people) {
      Cells record;
      std::set<std::uint32_t> secret;
      for (const auto& [cells, count] : rows) {
        record.insert(record.end(), cells.begin(), cells.end());
        record.push_back(count_rows ? count : 1);
        secret.insert(static_cast<std::uint32_t>(cells.front()));
      }
      records.push_back({whose.second, number_of(record, secret), 1});
    }
    return records;
  }

  std::array<const ReleasedRows*, 2> releases_;
  bool of_people_;
  bool joins_spellings_ = false;
  Dictionary texts_;                                                // of the sensitive column
  std::vector<std::array<std::vector<std::uint32_t>, 2>> columns_;  // by row, numbered together
  std::map<Cells, std::uint32_t> known_;
  std::vector<std::vector<std::uint32_t>> secret_of_;
};

using RecordPlaces = ComparedRecords::Places;

ClassValues records_by_class(const std::vector<ComparedRecords::Record>& records,
                             const ReleasedRows& release,
                             const std::vector<std::uint32_t>& secret_of) {
  std::vector<ValueOfClass> values;
  values.reserve(records.size());
  for (const auto& record : records)
    values.push_back({record.class_id, record.number, record.people});
  ClassValues classes = place_values(*release.located, values);
  classes.said_by = secret_of;
  return classes;
}

Differencing subtract_by(ComparedRecords& records, const RecordPlaces& places,
                         const ReleasedRows& earlier, const ReleasedRows& later,
                         const DifferencingLimits& limits) {
  const auto numbered = records.number(places, true);
  std::map<std::vector<std::uint32_t>, std::uint32_t> secrets;
  std::vector<std::uint32_t> secret_of;
  for (const auto& secret : records.secrets())
    secret_of.push_back(
        secrets.emplace(secret, static_cast<std::uint32_t>(secrets.size())).first->second);
  return subtract(records_by_class(numbered[0], earlier, secret_of),
                  records_by_class(numbered[1], later, secret_of), limits);
}

// The records that may be a person's, in each release and in both.
class CommonRecords {
 public:
  CommonRecords(ComparedRecords& records, const RecordPlaces& places, bool count_rows,
                const ReleasedRows& earlier, const ReleasedRows& later)
      : releases_{&earlier, &later} {
    const auto numbered = records.number(places, count_rows);
    for (const std::size_t side : {0U, 1U}) {
      of_class_[side].resize(releases_[side]->located->class_count);
      for (const auto& record : numbered[side])
        of_class_[side][record.class_id].push_back(record.number);
      for (auto& numbers : of_class_[side]) sort_once(numbers);
    }
  }

  // Whether the person was found in both.
  [[nodiscard]] bool is_found(std::size_t person) const {
    return place(0, person) != LocatedTargets::kNowhere &&
           place(1, person) != LocatedTargets::kNowhere;
  }
  const std::vector<std::uint32_t>& of(std::size_t person) {
    const auto [entry, is_new] = known_.try_emplace({place(0, person), place(1, person)});
    if (is_new) {
      const auto before = candidates(0, person);
      const auto after = candidates(1, person);
      std::set_intersection(before.begin(), before.end(), after.begin(), after.end(),
                            std::back_inserter(entry->second));
    }
    return entry->second;
  }
  // The share of the people who were found for whom no record is left.
  [[nodiscard]] double contradicted() {
    std::uint64_t compared = 0;
    std::uint64_t none = 0;
    for (std::size_t p = 0; p < releases_[0]->located->set_of.size(); ++p) {
      if (!is_found(p)) continue;
      ++compared;
      none += of(p).empty() ? 1 : 0;
    }
    return compared == 0 ? 0 : static_cast<double>(none) / static_cast<double>(compared);
  }

 private:
  static void sort_once(std::vector<std::uint32_t>& numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  }
  [[nodiscard]] std::uint32_t place(std::size_t side, std::size_t person) const {
    return releases_[side]->located->set_of[person];
  }
  [[nodiscard]] std::vector<std::uint32_t> candidates(std::size_t side, std::size_t person) const {
    const LocatedTargets& located = *releases_[side]->located;
    const auto set = located.set_of[person];
    if (set < located.class_count) return of_class_[side][set];
    std::vector<std::uint32_t> all;
    for (const auto id : located.joined[set - located.class_count])
      all.insert(all.end(), of_class_[side][id].begin(), of_class_[side][id].end());
    sort_once(all);
    return all;
  }

  std::array<const ReleasedRows*, 2> releases_;
  std::array<std::vector<std::vector<std::uint32_t>>, 2> of_class_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> known_;
};

}  // namespace

Differencing subtract_records(const ReleasedRows& earlier, const ReleasedRows& later,
                              const std::string& sensitive, const DifferencingLimits& limits) {
  Differencing most;
  for (const CellReading reading : {CellReading::as_read, CellReading::as_written}) {
    ComparedRecords records(earlier, later, sensitive, reading);
    std::vector<RecordPlaces> sets = {records.all()};
    for (std::size_t c = 1; c < records.columns() && records.columns() > 2; ++c)
      sets.push_back({0, c});
    if (records.columns() > 1) sets.push_back({0});
    for (const auto& places : sets) {
      const auto difference = subtract_by(records, places, earlier, later, limits);
      if (difference.exposed() > most.exposed()) most = difference;
      // Where whole records cancel, all parts of them do.
      if (difference.changed == 0) break;
    }
    if (reading == CellReading::as_read && !records.joins_spellings()) break;
  }
  return most;
}

NarrowedRecords::NarrowedRecords(const ReleasedRows& added, std::string sensitive)
    : added_(added), sensitive_(std::move(sensitive)), left_(added.located->set_of.size()) {}

std::uint32_t NarrowedRecords::number_of(const Secret& secret) {
  const auto [entry, is_new] =
      numbers_.emplace(secret, static_cast<std::uint32_t>(secrets_.size()));
  if (is_new) secrets_.push_back(secret);
  return entry->second;
}

void NarrowedRecords::narrow(const ReleasedRows& earlier) {
  constexpr double kMayBeMistaken = 0.1;
  ComparedRecords records(earlier, added_, sensitive_, CellReading::as_read);
  if (records.columns() == 1 && !records.of_people()) return;
  const auto stays = [&](const RecordPlaces& places, bool count_rows) {
    return CommonRecords(records, places, count_rows, earlier, added_).contradicted() <=
           kMayBeMistaken;
  };
  const bool count_rows = records.of_people() && stays({0}, true);
  RecordPlaces places = {0};
  for (std::size_t c = 1; c < records.columns(); ++c) {
    if (stays({0, c}, count_rows)) places.push_back(c);
  }
  if (places.size() == 1 && !count_rows) return;
  CommonRecords common(records, places, count_rows, earlier, added_);
  for (std::size_t p = 0; p < left_.size(); ++p) {
    if (!common.is_found(p)) continue;
    Secrets secrets;
    for (const auto record : common.of(p)) {
      Secret secret;
      for (const auto code : records.secrets()[record])
        secret.emplace_back(records.texts().value(code));
      std::sort(secret.begin(), secret.end());
      secrets.push_back(number_of(secret));
    }
    std::sort(secrets.begin(), secrets.end());
    secrets.erase(std::unique(secrets.begin(), secrets.end()), secrets.end());
    Secrets both;
    std::set_intersection(secrets.begin(), secrets.end(), left_[p].begin(), left_[p].end(),
                          std::back_inserter(both));
    // Whom the releases contradict each other about, nothing is known of.
    if (left_[p].empty()) {
      left_[p] = std::move(secrets);
    } else if (!both.empty()) {
      left_[p] = std::move(both);
    }
  }
}

bool NarrowedRecords::is_certain(std::size_t person) const {
  const auto& left = left_[person];
  if (left.empty()) return false;
  const auto& first = secrets_[left.front()];
  return std::any_of(first.begin(), first.end(), [&](const std::string& value) {
    if (value.empty() || GeneralisedValue::parse(value).kind() != GeneralisedValue::Kind::text)
      return false;
    return std::all_of(left.begin(), left.end(), [&](std::uint32_t secret) {
      return std::binary_search(secrets_[secret].begin(), secrets_[secret].end(), value);
    });
  });
}

}  // namespace pratique::fusion
