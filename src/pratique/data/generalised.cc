#include "pratique/data/generalised.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "pratique/core/error.h"
#include "pratique/data/date.h"
#include "pratique/data/hierarchy.h"
#include "pratique/data/number.h"
#include "pratique/data/utf8.h"
#include "pratique/data/written_range.h"

namespace pratique {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::size_t leading_backslashes(std::string_view text) {
  return std::min(text.find_first_not_of('\\'), text.size());
}

bool looks_like_set(std::string_view cell) {
  return cell.size() >= 2 && cell.front() == '{' && cell.back() == '}';
}

std::vector<std::string> read_members(std::string_view inside) {
  std::vector<std::string> members(1);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const bool escapes = inside[i] == '\\' && i + 1 < inside.size() &&
                         (inside[i + 1] == '|' || inside[i + 1] == '\\');
    if (inside[i] == '|') {
      members.emplace_back();
    } else {
      members.back() += escapes ? inside[++i] : inside[i];
    }
  }
  return members;
}

void print_member(std::string_view member, std::string& out) {
  for (const char c : member) {
    if (c == '|' || c == '\\') out += '\\';
    out += c;
  }
}

std::optional<PartialDate> date_without_time(std::string_view text) {
  const auto date = parse_iso_date(text);
  return date && !date->has_time ? date : std::nullopt;
}

// Each star stands for one character; those at the end for one or none.
bool matches(std::string_view pattern, std::string_view value) {
  const std::size_t fixed = pattern.find_last_not_of('*') + 1;  // npos + 1 is 0
  std::size_t optional = pattern.size() - fixed;
  pattern = pattern.substr(0, fixed);
  while (!pattern.empty()) {
    if (value.empty()) return false;
    const std::size_t length = first_character(value);
    if (pattern.front() == '*') {
      pattern.remove_prefix(1);
    } else {
      if (pattern.substr(0, length) != value.substr(0, length)) return false;
      pattern.remove_prefix(length);
    }
    value.remove_prefix(length);
  }
  for (; optional > 0 && !value.empty(); --optional) value.remove_prefix(first_character(value));
  return value.empty();
}

}  // namespace

bool GeneralisedValue::Days::contain(std::string_view value) const {
  if (first > last) return false;
  const auto date = parse_iso_date(value);
  return date && first <= date->first_day() && date->last_day() <= last;
}

GeneralisedValue::Days GeneralisedValue::days_of_text(std::string_view text) {
  const auto date = date_without_time(text);
  return date ? Days{date->first_day(), date->last_day()} : Days{};
}

GeneralisedValue GeneralisedValue::any() { return {}; }

GeneralisedValue GeneralisedValue::text(std::string_view text) {
  GeneralisedValue value;
  value.kind_ = Kind::text;
  value.parts_.emplace_back(text);
  value.days_ = days_of_text(text);
  return value;
}

GeneralisedValue GeneralisedValue::set(std::vector<std::string> members) {
  if (members.empty()) throw Error::input("a set of values needs a member");
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  GeneralisedValue value;
  value.kind_ = Kind::set;
  value.parts_ = std::move(members);
  return value;
}

GeneralisedValue GeneralisedValue::range(std::string_view low, std::string_view high) {
  GeneralisedValue value;
  if (low.empty() || high.empty() || !make_range(low, high, value)) {
    throw Error::input("a range needs two numbers or two ISO dates, the lower one first");
  }
  return value;
}

// The open ends are set in `out` before; an empty bound is no end.
bool GeneralisedValue::make_range(std::string_view low, std::string_view high,
                                  GeneralisedValue& out) {
  const auto is_end_or_number = [](std::string_view bound) {
    return bound.empty() || is_number(bound);
  };
  const auto first = date_without_time(low);
  const auto last = date_without_time(high);
  if ((first || low.empty()) && (last || high.empty())) {
    out.days_.first = low.empty()     ? std::numeric_limits<std::int32_t>::min()
                      : out.low_open_ ? first->last_day() + 1
                                      : first->first_day();
    out.days_.last = high.empty()     ? std::numeric_limits<std::int32_t>::max()
                     : out.high_open_ ? last->first_day() - 1
                                      : last->last_day();
    out.scale_ = Scale::date;
  }
  if (is_end_or_number(low) && is_end_or_number(high)) {
    out.scale_ = Scale::number;
    if (!low.empty() && !high.empty()) {
      const int order = compare_numbers(low, high);
      if (order > 0 || (order == 0 && (out.low_open_ || out.high_open_))) return false;
    }
  } else if (out.days_.first > out.days_.last) {
    return false;
  }
  if (out.scale_ == Scale::none) return false;
  out.kind_ = Kind::range;
  out.parts_ = {std::string(low), std::string(high)};
  return true;
}

// '*', a set or a range: all that is not a text.
bool GeneralisedValue::read_special(std::string_view cell, GeneralisedValue& out) {
  if (cell == "*") {
    out = any();
    return true;
  }
  if (looks_like_set(cell)) {
    out = set(read_members(cell.substr(1, cell.size() - 2)));
    return true;
  }
  const std::size_t dots = cell.find("..");
  if (dots == std::string_view::npos || dots == 0 || dots + 2 == cell.size()) return false;
  GeneralisedValue value;
  if (!make_range(cell.substr(0, dots), cell.substr(dots + 2), value)) return false;
  out = std::move(value);
  return true;
}

GeneralisedValue GeneralisedValue::parse(std::string_view cell) {
  GeneralisedValue value;
  const std::size_t backslashes = leading_backslashes(cell);
  if (!read_special(cell.substr(backslashes), value)) return text(cell);
  return backslashes == 0 ? value : text(cell.substr(1));
}

std::string GeneralisedValue::print() const {
  if (!foreign_.empty()) return foreign_;
  switch (kind_) {
    case Kind::any:
      return "*";
    case Kind::range:
      return parts_[0] + ".." + parts_[1];
    case Kind::set: {
      std::string result = "{";
      for (const auto& member : parts_) {
        if (&member != &parts_.front()) result += '|';
        print_member(member, result);
      }
      return result + "}";
    }
    case Kind::text:
    case Kind::pattern:
      break;
  }
  GeneralisedValue ignored;
  const std::string& text = parts_[0];
  const bool special =
      read_special(std::string_view(text).substr(leading_backslashes(text)), ignored);
  return special ? "\\" + text : text;
}

// Whether `text` is this cell, written in any way. Only what starts like a set or an escape can be
// written in more than one.
bool GeneralisedValue::has_text(std::string_view text) const {
  switch (kind_) {
    case Kind::any:
      return true;
    case Kind::text:
      return text == parts_[0] || (!text.empty() && text.front() == '\\' && parse(text) == *this);
    case Kind::set:
      return looks_like_set(text) && (foreign_.empty() ? parse(text) == *this : text == foreign_);
    case Kind::pattern:
      return text == parts_[0];
    case Kind::range:
      break;
  }
  if (!foreign_.empty()) return text == foreign_;
  return text.size() == parts_[0].size() + 2 + parts_[1].size() && text.starts_with(parts_[0]) &&
         text.ends_with(parts_[1]) && text.substr(parts_[0].size(), 2) == "..";
}

bool GeneralisedValue::range_contains(std::string_view value) const {
  if (scale_ == Scale::number && is_number(value)) {
    const int above_low = parts_[0].empty() ? 1 : compare_numbers(value, parts_[0]);
    if (whole_) value = value.substr(0, value.find('.'));
    if (value.empty() || value == "+") value = "0";  // what .5 is cut to
    const int above_high = parts_[1].empty() ? -1 : compare_numbers(value, parts_[1]);
    return (low_open_ ? above_low > 0 : above_low >= 0) &&
           (high_open_ ? above_high < 0 : above_high <= 0);
  }
  if (days_.contain(value)) return true;
  // A value that is a range itself: 60..79 holds all of [70-80), the first and the last number of
  // it.
  const auto range = scale_ == Scale::number ? read_written_range(value) : std::nullopt;
  const auto holds = [&](const std::string& end, bool open, int step) {
    return range_contains(end) || (open && end.find('.') == std::string::npos &&
                                   range_contains(fmt::format("{:.0f}", to_double(end) + step)));
  };
  return range && holds(range->low, range->low_open, 1) && holds(range->high, range->high_open, -1);
}

std::optional<std::uint32_t> GeneralisedValue::label_in(const Hierarchy* hierarchy) const {
  if (hierarchy == nullptr) return std::nullopt;
  return hierarchy->find(kind_ == Kind::text ? parts_[0] : print());
}

bool GeneralisedValue::contains(std::string_view value, const Hierarchy* hierarchy,
                                std::optional<std::uint32_t> label) const {
  if (has_text(value)) return true;
  const bool needs_leaf = hierarchy != nullptr && (label || kind_ == Kind::set);
  const auto leaf = needs_leaf ? hierarchy->leaf(value) : std::nullopt;
  if (leaf && label) return hierarchy->is_under(*leaf, *label);
  switch (kind_) {
    case Kind::set:
      return std::any_of(parts_.begin(), parts_.end(), [&](const std::string& member) {
        if (member == value) return true;
        const auto node = leaf ? hierarchy->find(member) : std::nullopt;
        return node ? hierarchy->is_under(*leaf, *node) : days_of_text(member).contain(value);
      });
    case Kind::range:
      return range_contains(value);
    case Kind::pattern:
      return !value.empty() && matches(parts_[0], value);
    default:
      return days_.contain(value);
  }
}

double GeneralisedValue::width() const {
  switch (kind_) {
    case Kind::any:
      return kInfinite;
    case Kind::text:
      return 0;
    case Kind::set:
      return static_cast<double>(parts_.size() - 1);
    case Kind::pattern: {
      const auto stars = std::count(parts_[0].begin(), parts_[0].end(), '*');
      return std::pow(10.0, static_cast<double>(stars)) - 1;
    }
    case Kind::range:
      break;
  }
  if (parts_[0].empty() || parts_[1].empty()) return kInfinite;
  if (scale_ == Scale::date) {
    return static_cast<double>(days_.last) - static_cast<double>(days_.first);
  }
  if (compare_numbers(parts_[0], parts_[1]) == 0) return 0;
  const double width = to_double(parts_[1]) - to_double(parts_[0]);
  return std::isnan(width) ? kInfinite : width;
}

}  // namespace pratique
