#include "pratique/verify/internal/likely_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pratique/data/date.h"
#include "pratique/data/number.h"

namespace pratique::verify {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// A cell may be written so, too.
bool reads_like_a_cell(std::string_view value) {
  return !value.empty() && (value.front() == '\\' || value.front() == '{' ||
                            value.find("..") != std::string_view::npos);
}

void add_between(const std::vector<std::pair<double, Code>>& places, double low, double high,
                 std::vector<Code>& codes) {
  const auto first =
      std::lower_bound(places.begin(), places.end(), low,
                       [](const auto& place, double from) { return place.first < from; });
  for (auto place = first; place != places.end() && place->first <= high; ++place)
    codes.push_back(place->second);
}

}  // namespace

LikelyValues::LikelyValues(const Dictionary& values, const Hierarchy* tree)
    : values_(values), tree_(tree) {
  if (tree != nullptr) of_leaf_.resize(tree->leaf_count());
  for (Code code = 0; code < values.size(); ++code) {
    const std::string_view value = values.value(code);
    if (tree != nullptr) {
      const auto leaf = tree->leaf(value);
      (leaf ? of_leaf_[*leaf] : leafless_).push_back(code);
    }
    const auto day = parse_iso_date(value);
    const bool number = is_number(value);
    if (reads_like_a_cell(value) || (day && number)) {
      odd_.push_back(code);
    } else if (number) {
      numbers_.emplace_back(to_double(value), code);
    } else if (day) {
      days_.emplace_back(day->first_day(), code);
    }
  }
  std::sort(numbers_.begin(), numbers_.end());
  std::sort(days_.begin(), days_.end());
}

void LikelyValues::add_text(const std::string& text, std::vector<Code>& codes) const {
  if (const auto code = values_.find(text)) codes.push_back(*code);
}

void LikelyValues::add_days(const std::string& first, const std::string& last,
                            std::vector<Code>& codes) const {
  const auto from = parse_iso_date(first);
  const auto to = parse_iso_date(last);
  if ((!from && !first.empty()) || (!to && !last.empty())) return;
  add_between(days_, from ? from->first_day() : -kInfinite, to ? to->last_day() : kInfinite, codes);
}

// Numbers may be cut to whole ones before they are compared, and are compared to more digits than a
// double has.
void LikelyValues::add_numbers(const std::string& low, const std::string& high,
                               std::vector<Code>& codes) const {
  if ((!low.empty() && !is_number(low)) || (!high.empty() && !is_number(high))) return;
  const auto spare = [](double number) { return 1 + std::abs(number) * 1e-9; };
  const double from = low.empty() ? -kInfinite : to_double(low) - spare(to_double(low));
  const double to = high.empty() ? kInfinite : to_double(high) + spare(to_double(high));
  add_between(numbers_, from, to, codes);
}

std::optional<std::vector<Code>> LikelyValues::of(const GeneralisedValue& cell,
                                                  std::optional<Hierarchy::Node> label) const {
  using Kind = GeneralisedValue::Kind;
  std::vector<Code> codes = odd_;
  const auto& parts = cell.parts();
  if (label) {
    if (!tree_->is_leaf(*label)) return std::nullopt;
    codes.insert(codes.end(), of_leaf_[*label].begin(), of_leaf_[*label].end());
    codes.insert(codes.end(), leafless_.begin(), leafless_.end());
  }
  switch (cell.kind()) {
    case Kind::text:
      add_text(parts[0], codes);
      add_days(parts[0], parts[0], codes);
      break;
    case Kind::range:
      add_numbers(parts[0], parts[1], codes);
      add_days(parts[0], parts[1], codes);
      break;
    case Kind::set:
      for (const auto& member : parts) {
        const auto node = tree_ == nullptr ? std::nullopt : tree_->find(member);
        if (node && !tree_->is_leaf(*node)) return std::nullopt;
        if (node) codes.insert(codes.end(), of_leaf_[*node].begin(), of_leaf_[*node].end());
        add_text(member, codes);
        add_days(member, member, codes);
      }
      break;
    case Kind::pattern:
    case Kind::any:
      return std::nullopt;
  }
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  return codes;
}

}  // namespace pratique::verify
