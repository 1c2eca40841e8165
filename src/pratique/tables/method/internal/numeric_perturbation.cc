#include "pratique/tables/method/internal/numeric_perturbation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/data/number.h"

namespace pratique::tables {
namespace {

void check_numbers(const Column& column, const Perturbation& how) {
  const auto& values = column.dictionary.values();
  const auto others = std::count_if(values.begin(), values.end(), [](std::string_view value) {
    return !value.empty() && !is_number(value);
  });
  if (others == 0) return;
  throw Error::input(
      fmt::format("{} cannot be applied to {}: {} of its distinct values are not numbers",
                  to_string(how), column.name, others))
      .hint("use pram:K for categories, or swap:P where all values are dates");
}

std::size_t most_decimals(const Column& column) {
  std::size_t most = 0;
  for (const auto value : column.dictionary.values()) {
    if (!value.empty()) most = std::max(most, decimals(value));
  }
  return most;
}

std::string fixed(double value, std::size_t digits) {
  std::string text = fmt::format("{:.{}f}", value, digits);
  if (text.front() == '-' && text.find_first_of("123456789") == std::string::npos) text.erase(0, 1);
  return text;
}

double deviation_of(const Column& column, const std::vector<double>& numbers) {
  double mean = 0;
  double squares = 0;
  double n = 0;
  for (const Code code : column.codes) {
    if (std::isnan(numbers[code])) continue;
    n += 1;
    const double step = numbers[code] - mean;
    mean += step / n;
    squares += step * (numbers[code] - mean);
  }
  return n < 2 ? 0 : std::sqrt(squares / (n - 1));
}

// The number in units of 10^-digits; `digits` is at least its decimals.
std::int64_t in_units(std::string_view number, std::size_t digits, const std::string& column) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max() / 100;
  const bool negative = number.front() == '-';
  std::int64_t units = 0;
  const auto append = [&](int digit) {
    if (units > kLargest) {
      throw Error::input(fmt::format("{} has numbers too long to be rounded exactly", column))
          .hint("at most 16 digits, decimals included");
    }
    units = units * 10 + digit;
  };
  for (const char c : number) {
    if (c >= '0' && c <= '9') append(c - '0');
  }
  for (std::size_t i = decimals(number); i < digits; ++i) append(0);
  return negative ? -units : units;
}

std::string from_units(std::int64_t units, std::size_t digits) {
  std::string text = fmt::format("{:0{}}", std::abs(units), digits + 1);
  if (digits > 0) text.insert(text.size() - digits, 1, '.');
  return units < 0 ? "-" + text : text;
}

std::int64_t floor_to(std::int64_t units, std::int64_t base) {
  const std::int64_t rest = units % base;
  return units - (rest < 0 ? rest + base : rest);
}

}  // namespace

Column add_noise(const Column& column, const AdditiveNoise& how, NoiseSource& noise) {
  check_numbers(column, how);
  std::vector<double> numbers;
  for (const auto value : column.dictionary.values()) {
    numbers.push_back(value.empty() ? std::numeric_limits<double>::quiet_NaN() : to_double(value));
  }
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Code code : column.codes) {
    if (std::isnan(numbers[code])) continue;
    low = std::min(low, numbers[code]);
    high = std::max(high, numbers[code]);
  }
  const double deviation = how.deviation * (how.absolute ? 1 : deviation_of(column, numbers));
  const std::size_t digits = most_decimals(column);

  Column noisy;
  noisy.name = column.name;
  noisy.codes.reserve(column.codes.size());
  for (const Code code : column.codes) {
    if (std::isnan(numbers[code])) {
      noisy.codes.push_back(noisy.dictionary.intern({}));
      continue;
    }
    double value = numbers[code] + deviation * noise.normal();
    if (how.clamp) value = std::clamp(value, low, high);
    noisy.codes.push_back(noisy.dictionary.intern(fixed(value, digits)));
  }
  return noisy;
}

Column round_values(const Column& column, const Rounding& how, NoiseSource& noise) {
  check_numbers(column, how);
  const std::size_t written = decimals(how.base);
  const std::size_t digits = std::max(written, most_decimals(column));
  const std::int64_t base = in_units(how.base, digits, column.name);
  std::int64_t drop = 1;
  for (std::size_t i = written; i < digits; ++i) drop *= 10;

  const auto& values = column.dictionary.values();
  std::vector<std::int64_t> below(values.size(), 0);
  std::vector<std::int64_t> rest(values.size(), 0);
  for (Code code = 0; code < values.size(); ++code) {
    if (values[code].empty()) continue;
    const std::int64_t units = in_units(values[code], digits, column.name);
    below[code] = floor_to(units, base);
    rest[code] = units - below[code];
  }

  std::vector<std::uint32_t> order(column.codes.size());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<bool> up(column.codes.size());
  if (how.random) {
    noise.shuffle(order);
    auto filled = static_cast<std::int64_t>(noise.below(static_cast<std::uint64_t>(base)));
    for (const auto row : order) {
      filled += rest[column.codes[row]];
      up[row] = filled >= base;
      if (filled >= base) filled -= base;
    }
  } else {
    for (const auto row : order) {
      const Code code = column.codes[row];
      // Halves go away from zero: up only where the value is not negative.
      const std::int64_t over = base - rest[code];
      up[row] = below[code] >= 0 ? rest[code] >= over : rest[code] > over;
    }
  }

  Column rounded;
  rounded.name = column.name;
  rounded.codes.reserve(column.codes.size());
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    const Code code = column.codes[row];
    const std::int64_t units = below[code] + (up[row] ? base : 0);
    rounded.codes.push_back(rounded.dictionary.intern(
        values[code].empty() ? std::string() : from_units(units / drop, written)));
  }
  return rounded;
}

}  // namespace pratique::tables
