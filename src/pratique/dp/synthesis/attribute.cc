#include "pratique/dp/synthesis/attribute.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "pratique/core/error.h"
#include "pratique/data/date.h"
#include "pratique/data/number.h"
#include "pratique/dp/domain.h"

namespace pratique::dp {
namespace {

constexpr std::size_t kMostCellsOfColumn = std::size_t{1} << 16U;

Error bad_attribute(const std::string& column, const std::string& what) {
  return Error::input(fmt::format("--domain {}: {}", column, what))
      .hint(
          "Write COLUMN=LOW..HIGH, COLUMN=LOW..HIGH:WIDTH, COLUMN=0..17|18..64, "
          "COLUMN=1950-01-01..2009-12-31:year, COLUMN=a|b|c or COLUMN=FILE.");
}

struct Ends {
  std::string low;
  std::string high;
};

// LOW..HIGH; none where there are no two dots.
std::optional<Ends> ends_of(const std::string& text) {
  const auto dots = text.find("..");
  if (dots == std::string::npos) return std::nullopt;
  return Ends{text.substr(0, dots), text.substr(dots + 2)};
}

// What follows the last colon is taken off.
std::string take_step(std::string& spec) {
  const auto colon = spec.rfind(':');
  if (colon == std::string::npos) return {};
  std::string step = spec.substr(colon + 1);
  spec.erase(colon);
  return step;
}

std::string shortest(double value) { return fmt::format("{}", value); }

std::vector<std::string> parts_of(const std::string& spec) {
  std::vector<std::string> parts;
  std::istringstream stream(spec);
  std::string part;
  while (std::getline(stream, part, '|')) parts.push_back(part);
  return parts;
}

bool is_bin(const std::string& text) {
  const auto ends = ends_of(text);
  return ends && is_number(ends->low) && (ends->high.empty() || is_number(ends->high));
}

}  // namespace

DateOrder take_order(std::string& spec) {
  for (const auto& [ending, order] :
       {std::pair<std::string_view, DateOrder>{":dmy", DateOrder::day_first},
        {":mdy", DateOrder::month_first}}) {
    if (!spec.ends_with(ending)) continue;
    spec.resize(spec.size() - ending.size());
    return order;
  }
  return DateOrder::unsaid;
}

Attribute Attribute::parse(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) throw bad_attribute(text, "it names no column");
  const std::string column = text.substr(0, equals);
  const std::string spec = text.substr(equals + 1);
  const auto parts = parts_of(spec);
  Attribute attribute = [&] {
    if (parts.size() > 1 && std::all_of(parts.begin(), parts.end(), is_bin)) {
      return of_bins(column, spec);
    }
    if (const auto ends = ends_of(spec); ends && parts.size() == 1) {
      if (is_number(ends->low)) return of_numbers(column, spec);
      if (is_iso_day(ends->low)) return of_dates(column, spec);
    }
    const Domain domain = Domain::parse(text);
    if (domain.numbers()) throw bad_attribute(column, "these are not numbers");
    return of(domain);
  }();
  if (attribute.kind_ != Kind::values) attribute.labels_.emplace_back();
  if (attribute.cells() > kMostCellsOfColumn) {
    throw bad_attribute(column, "it has more than 2^16 cells: make bins, such as LOW..HIGH:WIDTH");
  }
  return attribute;
}

void Attribute::add_bin(double begin, std::string label) {
  if (!begins_.empty() && begin <= begins_.back()) {
    throw bad_attribute(column_, "bins must begin one after the other");
  }
  if (begins_.size() > kMostCellsOfColumn) return;
  begins_.push_back(begin);
  labels_.push_back(std::move(label));
}

Attribute Attribute::of_numbers(const std::string& column, const std::string& spec) {
  std::string range = spec;
  const std::string step = take_step(range);
  const auto ends = ends_of(range);
  if (!ends || !is_number(ends->low) || !is_number(ends->high) ||
      !(step.empty() || is_number(step))) {
    throw bad_attribute(column, "these are not numbers");
  }
  const double low = to_double(ends->low);
  const double high = to_double(ends->high);
  const double width = step.empty() ? 1 : to_double(step);
  const bool whole = low == std::floor(low) && width == std::floor(width);
  if (!(low <= high) || !(width > 0)) throw bad_attribute(column, "the range is empty");
  if (step.empty() && (!whole || high != std::floor(high))) {
    throw bad_attribute(column, "numbers that are not whole need a width: LOW..HIGH:WIDTH");
  }
  Attribute attribute(column, Kind::numbers);
  const double bins =
      whole ? std::floor((high - low) / width) + 1 : std::ceil((high - low) / width);
  if (!(bins <= static_cast<double>(kMostCellsOfColumn))) {
    throw bad_attribute(column, "it has more than 2^16 cells: make bins, such as LOW..HIGH:WIDTH");
  }
  for (double i = 0; i < std::max(1.0, bins); ++i) {
    const double begin = low + i * width;
    const double end = std::min(high, begin + (whole ? width - 1 : width));
    attribute.add_bin(begin, whole && begin == end
                                 ? shortest(begin)
                                 : fmt::format("{}..{}", shortest(begin), shortest(end)));
  }
  return attribute;
}

Attribute Attribute::of_bins(const std::string& column, const std::string& spec) {
  Attribute attribute(column, Kind::numbers);
  for (const auto& part : parts_of(spec)) {
    const auto ends = ends_of(part);
    attribute.add_bin(to_double(ends->low), part);
  }
  return attribute;
}

Attribute Attribute::of_dates(const std::string& column, const std::string& spec) {
  std::string range = spec;
  const DateOrder order = take_order(range);
  std::string step = take_step(range);
  if (step.empty()) step = "month";
  const auto ends = ends_of(range);
  if (!ends || !is_iso_day(ends->low) || !is_iso_day(ends->high)) {
    throw bad_attribute(column, "these are not days as 1950-01-31");
  }
  if (step != "year" && step != "month" && step != "day") {
    throw bad_attribute(column, "dates go by year, month or day");
  }
  const std::int32_t last = parse_iso_date(ends->high)->first_day();
  Attribute attribute(column, Kind::dates);
  attribute.order_ = order;
  for (std::int32_t day = parse_iso_date(ends->low)->first_day();
       day <= last && attribute.cells() <= kMostCellsOfColumn;) {
    PartialDate date = civil_from_days(day);
    if (step != "day") date.day = 0;
    if (step == "year") date.month = 0;
    attribute.add_bin(day, to_string(date));
    day = date.last_day() + 1;
  }
  if (attribute.labels_.empty()) throw bad_attribute(column, "the range is empty");
  return attribute;
}

Attribute Attribute::of_number_cuts(const std::string& column, const std::vector<double>& cuts,
                                    double end) {
  const bool whole = end - cuts.front() >= 2 * static_cast<double>(cuts.size());
  std::vector<double> begins;
  for (const double cut : cuts) {
    const double begin = !whole ? cut : begins.empty() ? std::floor(cut) : std::ceil(cut);
    if (begins.empty() || begin > begins.back()) begins.push_back(begin);
  }
  Attribute attribute(column, Kind::numbers);
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const bool last = i + 1 == begins.size();
    double high = last ? end : begins[i + 1];
    if (whole) high = last ? std::max(begins[i], std::ceil(end)) : high - 1;
    attribute.add_bin(begins[i], begins[i] == high
                                     ? shortest(high)
                                     : fmt::format("{}..{}", shortest(begins[i]), shortest(high)));
  }
  attribute.labels_.emplace_back();
  return attribute;
}

Attribute Attribute::of_date_cuts(const std::string& column, const std::vector<double>& cuts,
                                  double end, DateOrder order) {
  std::vector<std::int32_t> days;
  for (const double cut : cuts) {
    const auto day = static_cast<std::int32_t>(std::ceil(cut));
    if (days.empty() || day > days.back()) days.push_back(day);
  }
  Attribute attribute(column, Kind::dates);
  attribute.order_ = order;
  for (std::size_t i = 0; i < days.size(); ++i) {
    const std::int32_t last =
        i + 1 < days.size() ? days[i + 1] - 1 : static_cast<std::int32_t>(end);
    attribute.add_bin(days[i], fmt::format("{}..{}", to_string(civil_from_days(days[i])),
                                           to_string(civil_from_days(last))));
  }
  attribute.labels_.emplace_back();
  return attribute;
}

Attribute Attribute::of(const Domain& domain) {
  if (domain.cells() >= kMostCellsOfColumn) {
    throw bad_attribute(domain.column(), "it has more than 2^16 cells");
  }
  Attribute attribute(domain.column(), domain.numbers() ? Kind::numbers : Kind::values);
  for (std::uint64_t cell = 0; cell < domain.cells(); ++cell) {
    if (domain.numbers()) {
      attribute.add_bin(domain.numbers()->low + static_cast<double>(cell), domain.value_of(cell));
    } else {
      attribute.labels_.push_back(domain.value_of(cell));
    }
  }
  if (!domain.numbers()) {
    // Where it was declared, it is the stray cell.
    const std::string other = "other";
    std::erase(attribute.labels_, other);
    attribute.labels_.push_back(other);
    attribute.index_labels();
  } else {
    attribute.labels_.emplace_back();
  }
  return attribute;
}

Attribute Attribute::of_cut(const std::string& column, const Hierarchy& tree,
                            const std::vector<Hierarchy::Node>& cut) {
  Attribute attribute(column, Kind::values);
  for (std::size_t cell = 0; cell < cut.size(); ++cell) {
    attribute.labels_.emplace_back(tree.label(cut[cell]));
    for (Hierarchy::Node leaf = 0; leaf < tree.leaf_count(); ++leaf) {
      if (leaf != cut[cell] && tree.is_under(leaf, cut[cell])) {
        attribute.members_.emplace(tree.label(leaf), cell);
      }
    }
  }
  attribute.labels_.emplace_back("other");
  attribute.index_labels();
  return attribute;
}

void Attribute::index_labels() {
  for (const auto& [value, cell] : members_) cell_of_.emplace(value, cell);
  for (std::size_t cell = 0; cell < labels_.size(); ++cell) cell_of_.emplace(labels_[cell], cell);
}

Json Attribute::to_json() const {
  constexpr std::array<std::string_view, 3> kKinds = {"values", "numbers", "dates"};
  Json json = {{"column", column_},
               {"kind", kKinds[static_cast<std::size_t>(kind_)]},
               {"begins", begins_},
               {"labels", labels_}};
  if (!members_.empty()) json["members"] = members_;
  if (order_ != DateOrder::unsaid) json["order"] = order_ == DateOrder::day_first ? "dmy" : "mdy";
  return json;
}

Attribute Attribute::from_json(const Json& json) {
  const auto kind = json.at("kind").get<std::string>();
  Attribute attribute(json.at("column").get<std::string>(), kind == "numbers" ? Kind::numbers
                                                            : kind == "dates" ? Kind::dates
                                                                              : Kind::values);
  json.at("begins").get_to(attribute.begins_);
  json.at("labels").get_to(attribute.labels_);
  if (json.contains("members")) json["members"].get_to(attribute.members_);
  if (json.contains("order")) {
    std::string order = ":" + json["order"].get<std::string>();
    attribute.order_ = take_order(order);
  }
  attribute.index_labels();
  return attribute;
}

std::size_t Attribute::cell_of(std::string_view text) const {
  if (kind_ == Kind::values) {
    const auto at = cell_of_.find(std::string(text));
    return at == cell_of_.end() ? stray() : at->second;
  }
  double value = 0;
  if (kind_ == Kind::numbers) {
    if (!is_number(text)) return stray();
    value = to_double(text);
  } else {
    const auto date = written_date(text, order_);
    if (!date) return stray();
    value = date->first_day();
  }
  const auto after = std::upper_bound(begins_.begin(), begins_.end(), value);
  return after == begins_.begin() ? 0 : static_cast<std::size_t>(after - begins_.begin()) - 1;
}

std::vector<Attribute> parse_attributes(const std::vector<std::string>& texts) {
  std::vector<Attribute> attributes;
  for (const auto& text : texts) {
    Attribute attribute = Attribute::parse(text);
    for (const auto& earlier : attributes) {
      if (earlier.column() == attribute.column()) {
        throw bad_attribute(attribute.column(), "the column has one already");
      }
    }
    attributes.push_back(std::move(attribute));
  }
  return attributes;
}

}  // namespace pratique::dp
