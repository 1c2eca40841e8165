#include "pratique/data/number.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "pratique/core/ascii.h"

namespace pratique {
namespace {

// A number in the one form in which digits can be compared as text: no leading zeros before the
// point, no trailing zeros after it.
struct Normal {
  bool negative = false;
  std::string_view whole;
  std::string_view fraction;

  [[nodiscard]] bool is_zero() const { return whole.empty() && fraction.empty(); }
};

Normal normal(std::string_view number) {
  Normal result;
  if (number.front() == '+' || number.front() == '-') {
    result.negative = number.front() == '-';
    number.remove_prefix(1);
  }
  const std::size_t point = std::min(number.find('.'), number.size());
  result.whole = number.substr(0, point);
  if (point < number.size()) result.fraction = number.substr(point + 1);
  while (!result.whole.empty() && result.whole.front() == '0') result.whole.remove_prefix(1);
  while (!result.fraction.empty() && result.fraction.back() == '0') {
    result.fraction.remove_suffix(1);
  }
  if (result.is_zero()) result.negative = false;
  return result;
}

int sign(int comparison) { return (comparison > 0) - (comparison < 0); }

int compare_magnitudes(const Normal& a, const Normal& b) {
  if (a.whole.size() != b.whole.size()) return a.whole.size() < b.whole.size() ? -1 : 1;
  const int whole = a.whole.compare(b.whole);
  return sign(whole != 0 ? whole : a.fraction.compare(b.fraction));
}

}  // namespace

bool is_number(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at > start;
  };
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  const bool whole = digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    return digits() && at == text.size();
  }
  return whole && at == text.size();
}

int compare_numbers(std::string_view a, std::string_view b) {
  const Normal left = normal(a);
  const Normal right = normal(b);
  if (left.negative != right.negative) return left.negative ? -1 : 1;
  const int magnitudes = compare_magnitudes(left, right);
  return left.negative ? -magnitudes : magnitudes;
}

std::size_t decimals(std::string_view number) {
  const std::size_t point = number.find('.');
  return point == std::string_view::npos ? 0 : number.size() - point - 1;
}

double to_double(std::string_view number) {
  if (number.front() == '+') number.remove_prefix(1);
  double result = 0;
  const auto [end, failure] = std::from_chars(number.data(), number.data() + number.size(), result);
  if (failure == std::errc::result_out_of_range) {
    const Normal parts = normal(number);
    if (parts.whole.empty()) return 0;  // too small to tell from zero
    const double infinite = std::numeric_limits<double>::infinity();
    return parts.negative ? -infinite : infinite;
  }
  return result;
}

}  // namespace pratique
