// The cells of other tools; see GeneralisedValue::parse_foreign.
#include <algorithm>

#include "pratique/data/date.h"
#include "pratique/data/generalised.h"
#include "pratique/data/number.h"

namespace pratique {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Leading zeros mark codes (ZIP+4, ICD), not quantities.
bool is_plain_whole(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }) &&
         (text.size() == 1 || text.front() != '0');
}

// At a hyphen, a dash or the word "to".
bool split_at_dash(std::string_view text, std::string_view& low, std::string_view& high) {
  for (const std::string_view dash : {"-", "\u2013", "\u2014", " to "}) {
    const std::size_t at = text.find(dash, 1);
    if (at == std::string_view::npos) continue;
    low = trimmed(text.substr(0, at));
    high = trimmed(text.substr(at + dash.size()));
    return true;
  }
  return false;
}

// >= and <= as one sign.
std::string_view after_sign(std::string_view cell, std::string_view sign) {
  return cell.starts_with(sign) ? trimmed(cell.substr(sign.size())) : std::string_view();
}

}  // namespace

bool GeneralisedValue::read_interval(std::string_view cell, GeneralisedValue& out) {
  if (cell.size() < 5) return false;
  const char open = cell.front();
  const char close = cell.back();
  if ((open != '[' && open != ']' && open != '(') ||
      (close != ']' && close != '[' && close != ')')) {
    return false;
  }
  const std::string_view inside = cell.substr(1, cell.size() - 2);
  const std::size_t separator = inside.find_first_of(",;:");
  std::string_view low = trimmed(inside.substr(0, separator));
  std::string_view high;
  if (separator != std::string_view::npos) {
    high = trimmed(inside.substr(separator + 1));
  } else if (!split_at_dash(inside, low, high) || !is_number(low) || !is_number(high)) {
    return false;
  }
  if (low.empty() || high.empty()) return false;
  out.low_open_ = open != '[';
  out.high_open_ = close != ']';
  return make_range(low, high, out);
}

bool GeneralisedValue::read_dashed(std::string_view cell, GeneralisedValue& out) {
  std::string_view low;
  std::string_view high;
  if (!split_at_dash(cell, low, high)) return false;
  if (!is_plain_whole(low) || !is_plain_whole(high) || parse_iso_date(cell)) return false;
  out.whole_ = true;
  return make_range(low, high, out);
}

bool GeneralisedValue::read_comparison(std::string_view cell, GeneralisedValue& out) {
  if (cell.size() < 2) return false;
  if (cell.back() == '+') return make_range(cell.substr(0, cell.size() - 1), {}, out);
  if (const auto bound = after_sign(cell, "\u2265"); !bound.empty())
    return make_range(bound, {}, out);
  if (const auto bound = after_sign(cell, "\u2264"); !bound.empty())
    return make_range({}, bound, out);
  const char sign = cell.front();
  if (sign != '<' && sign != '>') return false;
  const bool closed = cell[1] == '=';
  const std::string_view bound = trimmed(cell.substr(closed ? 2 : 1));
  if (bound.empty()) return false;
  if (sign == '>') {
    out.low_open_ = !closed;
    return make_range(bound, {}, out);
  }
  out.high_open_ = !closed;
  return make_range({}, bound, out);
}

GeneralisedValue GeneralisedValue::parse_foreign(std::string_view cell) {
  GeneralisedValue own = parse(cell);
  GeneralisedValue foreign;
  if (own.kind_ == Kind::set && own.parts_.size() == 1) {
    std::string_view rest = cell.substr(1, cell.size() - 2);
    std::vector<std::string> members;
    for (std::size_t comma = rest.find(','); comma != std::string_view::npos;
         comma = rest.find(',')) {
      members.emplace_back(trimmed(rest.substr(0, comma)));
      rest.remove_prefix(comma + 1);
    }
    if (members.empty()) return own;
    members.emplace_back(trimmed(rest));
    foreign = set(std::move(members));
    foreign.foreign_ = cell;
    return foreign;
  }
  if (own.kind_ != Kind::text || own.parts_[0] != cell) return own;
  for (const auto read : {read_interval, read_dashed, read_comparison}) {
    foreign = GeneralisedValue();
    if (read(cell, foreign)) {
      foreign.foreign_ = cell;
      return foreign;
    }
  }
  if (cell.find('*') == std::string_view::npos) return own;
  own.kind_ = Kind::pattern;
  own.foreign_ = cell;
  own.days_ = {};
  return own;
}

}  // namespace pratique
