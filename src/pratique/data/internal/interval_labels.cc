#include "pratique/data/internal/interval_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "pratique/core/error.h"
#include "pratique/data/number.h"
#include "pratique/data/utf8.h"
#include "pratique/data/written_range.h"

namespace pratique {
namespace {

std::vector<std::string_view> width_texts(std::string_view spec) {
  const std::size_t colon = spec.find(':');
  if (colon == std::string_view::npos) return {};
  std::string_view rest = spec.substr(colon + 1);
  std::vector<std::string_view> texts;
  while (true) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    texts.push_back(rest.substr(0, comma));
    if (comma == rest.size()) return texts;
    rest.remove_prefix(comma + 1);
  }
}

Error bad_widths(const std::string& spec, const std::string& what) {
  return Error::input(fmt::format("the hierarchy {} {}", in_quotes(spec), what))
      .hint("Write the widths, each a multiple of the one before: interval:5,10,20.");
}

}  // namespace

IntervalLabels IntervalLabels::parse(const std::string& spec) {
  IntervalLabels labels;
  labels.spec_ = spec;
  const auto texts = width_texts(spec);
  if (texts.empty()) throw bad_widths(spec, "has no widths");
  std::size_t most_decimals = 0;
  for (const auto text : texts) {
    if (!is_number(text) || compare_numbers(text, "0") <= 0) {
      throw bad_widths(
          spec, fmt::format("has the width {}, which is not a number above 0", in_quotes(text)));
    }
    most_decimals = std::max(most_decimals, decimals(text));
  }
  return labels.with_decimals(most_decimals);
}

IntervalLabels IntervalLabels::with_decimals(std::size_t decimals) const {
  IntervalLabels labels = *this;
  labels.decimals_ = std::max(decimals_, decimals);
  labels.widths_.clear();
  for (const auto text : width_texts(spec_)) {
    const auto width = labels.units(text);
    if (!width) {
      throw bad_widths(spec_,
                       fmt::format("needs more than {} digits over this column", kMostDigits));
    }
    if (!labels.widths_.empty() &&
        (*width <= labels.widths_.back() || *width % labels.widths_.back() != 0)) {
      throw bad_widths(spec_, fmt::format("does not nest: {} is not a larger multiple of the width "
                                          "before it",
                                          text));
    }
    labels.widths_.push_back(*width);
  }
  return labels;
}

std::optional<IntervalLabels::Units> IntervalLabels::units(std::string_view number) const {
  const bool negative = number.front() == '-';
  if (negative || number.front() == '+') number.remove_prefix(1);
  while (number.size() > 1 && number.front() == '0') number.remove_prefix(1);
  const std::size_t own_decimals = pratique::decimals(number);
  const std::size_t whole = std::min(number.find('.'), number.size());
  if (own_decimals > decimals_ || whole + decimals_ > kMostDigits) return std::nullopt;
  Units units = 0;
  for (const char c : number) {
    if (c != '.') units = 10 * units + (c - '0');
  }
  for (std::size_t i = own_decimals; i < decimals_; ++i) units *= 10;
  return negative ? -units : units;
}

std::string IntervalLabels::text(Units units) const {
  std::string digits;  // from the last
  const Units size = units < 0 ? -units : units;
  const auto put = [&](auto rest) {
    for (; rest != 0 || digits.size() <= decimals_; rest /= 10)
      digits += static_cast<char>('0' + static_cast<int>(rest % 10));
  };
  // Dividing 128 bits takes many times as long, and few numbers need them.
  if (size <= std::numeric_limits<std::int64_t>::max()) {
    put(static_cast<std::uint64_t>(size));
  } else {
    put(size);
  }
  if (decimals_ > 0) digits.insert(decimals_, 1, '.');
  if (units < 0) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::optional<IntervalLabels::Ends> IntervalLabels::ends(std::string_view value) const {
  if (is_number(value)) {
    const auto at = units(value);
    return at ? std::optional(Ends{*at, *at}) : std::nullopt;
  }
  const auto range = read_written_range(value);
  if (!range) return std::nullopt;
  const auto low = units(range->low);
  const auto high = units(range->high);
  if (!low || !high) return std::nullopt;
  const Ends ends{range->low_open ? *low + 1 : *low, range->high_open ? *high - 1 : *high};
  return ends.first <= ends.last ? std::optional(ends) : std::nullopt;
}

bool IntervalLabels::label(std::string_view value, std::vector<std::string>& labels) const {
  const auto at = ends(value);
  if (!at) return false;
  for (std::size_t i = 0; i < widths_.size(); ++i) {
    const Units width = widths_[i];
    const Units within = ((at->first % width) + width) % width;
    const Units low = at->first - within;
    if (at->last >= low + width) return false;
    labels[i] = text(low) + ".." + text(low + width - 1);
  }
  return true;
}

}  // namespace pratique
