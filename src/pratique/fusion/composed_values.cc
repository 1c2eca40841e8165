#include "pratique/fusion/composed_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "pratique/data/date.h"
#include "pratique/data/generalised.h"
#include "pratique/data/hierarchy.h"
#include "pratique/data/number.h"
#include "pratique/tables/attack/containment_index.h"

namespace pratique::fusion {

std::string plain_number(std::string_view text) {
  const bool negative = text.front() == '-';
  if (negative || text.front() == '+') text.remove_prefix(1);
  const auto point = std::min(text.find('.'), text.size());
  std::string_view whole = text.substr(0, point);
  std::string_view fraction = point < text.size() ? text.substr(point + 1) : std::string_view();
  whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size()));
  fraction = fraction.substr(0, fraction.find_last_not_of('0') + 1);  // npos + 1 is 0
  std::string plain = whole.empty() ? "0" : std::string(whole);
  if (!fraction.empty()) plain += fmt::format(".{}", fraction);
  return negative && plain != "0" ? "-" + plain : plain;
}

namespace {

using Kind = GeneralisedValue::Kind;

// (a|b), as sets of codes are written, is {a|b}; everything else is left as it is.
std::string as_cell(std::string_view text) {
  if (text.size() <= 2 || text.front() != '(' || text.back() != ')' ||
      text.find('|') == std::string_view::npos) {
    return std::string(text);
  }
  std::vector<std::string> members;
  std::string_view rest = text.substr(1, text.size() - 2);
  while (true) {
    const auto bar = rest.find('|');
    members.emplace_back(rest.substr(0, bar));
    if (bar == std::string_view::npos) break;
    rest.remove_prefix(bar + 1);
  }
  return GeneralisedValue::set(std::move(members)).print();
}

bool is_full_date(std::string_view text) {
  const auto date = parse_iso_date(text);
  return date && date->day != 0 && !date->has_time;
}

// All texts that stand in a cell: the value, the members, the ends of the range.
template <class Holds>
bool all_parts(const GeneralisedValue& cell, const Holds& holds) {
  return std::all_of(cell.parts().begin(), cell.parts().end(),
                     [&](const std::string& part) { return part.empty() || holds(part); });
}

bool is_numeric(const GeneralisedValue& cell) {
  return cell.kind() != Kind::pattern && all_parts(cell, is_number);
}

bool spells_a_number_twice(const Column& column) {
  std::map<std::string, std::string_view> spelled;
  for (const auto text : column.dictionary.values()) {
    if (!is_number(text)) continue;
    if (!spelled.emplace(plain_number(text), text).second) return true;
  }
  return false;
}

// The distinct cells of all releases, and the originals that tell them apart.
class Domain {
 public:
  Domain(std::span<const Column* const> releases, const Column* originals,
         const Hierarchy* hierarchy)
      : hierarchy_(hierarchy) {
    for (const Column* column : releases) {
      for (const auto text : column->dictionary.values()) {
        parsed_.push_back(GeneralisedValue::parse_foreign(as_cell(text)));
      }
    }
    numbers_ = hierarchy == nullptr && std::all_of(parsed_.begin(), parsed_.end(), is_numeric) &&
               std::none_of(releases.begin(), releases.end(),
                            [](const Column* column) { return spells_a_number_twice(*column); });
    std::size_t next = 0;
    for (const Column* column : releases) {
      auto& codes = cell_of_.emplace_back();
      for (std::size_t i = 0; i < column->dictionary.size(); ++i) {
        codes.push_back(cells_.dictionary.intern(spelled(parsed_[next++])));
      }
    }
    for (const auto& cell : parsed_) add_originals_of(cell);
    add_points_between();
    if (originals != nullptr) {
      for (const auto text : originals->dictionary.values()) {
        asked_.push_back(originals_.dictionary.intern(
            numbers_ && is_number(text) ? plain_number(text) : std::string(text)));
      }
    }
    fill(cells_);
    fill(originals_);
  }

  [[nodiscard]] ComposedValues values() const {
    const auto cells = identity(cells_);
    const auto originals = identity(originals_);
    const tables::ContainmentIndex index({{&cells_, &originals_, hierarchy_}}, cells, originals);
    std::vector<std::vector<Code>> containing(originals.size());
    index.for_each_original([&](std::size_t original, std::span<const tables::ClassId> cell_ids) {
      containing[original].assign(cell_ids.begin(), cell_ids.end());
      std::sort(containing[original].begin(), containing[original].end());
    });
    ComposedValues result;
    std::map<std::vector<Code>, Value> value_of;
    std::vector<Value> value_of_original;
    std::vector<std::vector<Value>> covered(cells.size());
    for (const auto& signature : containing) {
      if (signature.empty()) {
        value_of_original.push_back(kNoValue);
        continue;
      }
      const auto [place, added] = value_of.emplace(signature, static_cast<Value>(value_of.size()));
      value_of_original.push_back(place->second);
      if (!added) continue;
      for (const Code cell : signature) covered[cell].push_back(place->second);
    }
    result.count = value_of.size();
    // A range that holds nothing anybody could write, ]20, 21[ among whole numbers: a value that it
    // shares with '*' alone.
    const auto any = cells_.dictionary.find("*");
    for (Code cell = 0; cell < covered.size(); ++cell) {
      if (!covered[cell].empty()) continue;
      const auto value = static_cast<Value>(result.count++);
      covered[cell].push_back(value);
      if (any) covered[*any].push_back(value);
    }
    if (any) {
      const auto alone = value_of.find({*any});
      if (alone != value_of.end()) result.unseen = alone->second;
    }
    for (const auto& codes : cell_of_) {
      auto& of_release = result.covered.emplace_back();
      for (const Code cell : codes) of_release.push_back(covered[cell]);
    }
    for (const Code original : asked_) result.of_original.push_back(value_of_original[original]);
    return result;
  }

 private:
  [[nodiscard]] std::string spelled(const GeneralisedValue& cell) const {
    if (!numbers_ || cell.kind() == Kind::range || cell.kind() == Kind::any) return cell.print();
    std::vector<std::string> members;
    for (const auto& part : cell.parts()) members.push_back(part.empty() ? "" : plain_number(part));
    return cell.kind() == Kind::set ? GeneralisedValue::set(members).print()
                                    : GeneralisedValue::text(members.front()).print();
  }

  void add_original(const std::string& text) {
    (void)originals_.dictionary.intern(numbers_ && is_number(text) ? plain_number(text) : text);
  }

  void add_originals_of(const GeneralisedValue& cell) {
    if (cell.kind() == Kind::any) add_original(kUnseen);
    if (cell.kind() == Kind::pattern) add_original(cell.print());
    if (cell.kind() == Kind::range) has_ranges_ = true;
    if (cell.kind() == Kind::range || cell.kind() == Kind::pattern) {
      for (const auto& end : cell.parts()) {
        if (!end.empty() && cell.kind() == Kind::range) add_original(end);
      }
      return;
    }
    for (const auto& part : cell.parts()) {
      const auto node = hierarchy_ == nullptr ? std::nullopt : hierarchy_->find(part);
      if (!node || hierarchy_->is_leaf(*node)) {
        add_original(part);
        continue;
      }
      for (Hierarchy::Node leaf = 0; leaf < hierarchy_->leaf_count(); ++leaf) {
        if (hierarchy_->is_under(leaf, *node)) add_original(std::string(hierarchy_->label(leaf)));
      }
    }
  }

  // Between two neighbouring ends of ranges or exact values, and beyond the outermost: one number,
  // or day, that stands for all there.
  void add_points_between() {
    if (!has_ranges_) return;
    std::vector<std::string> points;
    std::vector<std::int32_t> days;
    constexpr std::size_t kMostPlaces = 15;  // of a double
    std::size_t places = 0;
    for (const auto text : originals_.dictionary.values()) {
      if (is_number(text)) {
        points.emplace_back(text);
        places = std::min(std::max(places, decimals(text)), kMostPlaces);
      } else if (is_full_date(text)) {
        days.push_back(parse_iso_date(text)->first_day());
      }
    }
    std::sort(points.begin(), points.end(),
              [](const auto& a, const auto& b) { return compare_numbers(a, b) < 0; });
    double step = 1;
    for (std::size_t i = 0; i < places; ++i) step /= 10;
    const auto beside = [&](const std::string& point, double off) {
      return fmt::format("{:.{}f}", to_double(point) + off, places);
    };
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i == 0) add_original(beside(points[i], -step));
      const std::string next = beside(points[i], step);
      if (!is_number(next)) continue;  // beyond what a double holds
      if (i + 1 == points.size() || compare_numbers(next, points[i + 1]) < 0) add_original(next);
    }
    std::sort(days.begin(), days.end());
    for (std::size_t i = 0; i < days.size(); ++i) {
      if (i == 0) add_original(to_string(civil_from_days(days[i] - 1)));
      if (i + 1 == days.size() || days[i] + 1 < days[i + 1]) {
        add_original(to_string(civil_from_days(days[i] + 1)));
      }
    }
  }

  static void fill(Column& column) {
    column.codes.resize(column.dictionary.size());
    std::iota(column.codes.begin(), column.codes.end(), 0U);
  }
  static std::vector<std::uint32_t> identity(const Column& column) { return column.codes; }

  // A control character: no value that anybody means.
  static constexpr const char* kUnseen = "\x01";

  const Hierarchy* hierarchy_;
  std::vector<GeneralisedValue> parsed_;  // release by release, as their dictionaries have them
  bool numbers_ = false;
  bool has_ranges_ = false;
  std::vector<std::vector<Code>> cell_of_;  // by release and code
  Column cells_;
  Column originals_;
  std::vector<Code> asked_;
};

}  // namespace

ComposedValues compose_values(std::span<const Column* const> cells, const Column* originals,
                              const Hierarchy* hierarchy) {
  return Domain(cells, originals, hierarchy).values();
}

}  // namespace pratique::fusion
