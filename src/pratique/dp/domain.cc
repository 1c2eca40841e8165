#include "pratique/dp/domain.h"

#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/data/number.h"

namespace pratique::dp {
namespace {

constexpr double kLargestNumber = 1e15;

Error bad_domain(const std::string& column, const std::string& what) {
  return Error::input(fmt::format("--domain {}: {}", column, what))
      .hint(
          "Write COLUMN=LOW..HIGH, COLUMN=a|b|c or COLUMN=FILE, a value per line: --domain "
          "age=0..120");
}

std::vector<std::string> cut_at_bars(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  std::string part;
  while (std::getline(stream, part, '|')) parts.push_back(part);
  return parts;
}

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::istringstream stream(read_file(path));
  std::string line;
  while (std::getline(stream, line)) {
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

}  // namespace

Domain Domain::parse(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) throw bad_domain(text, "it names no column");
  const std::string column = text.substr(0, equals);
  const std::string spec = text.substr(equals + 1);
  if (const auto dots = spec.find(".."); dots != std::string::npos) {
    const std::string low = spec.substr(0, dots);
    const std::string high = spec.substr(dots + 2);
    if (is_number(low) && is_number(high)) return range(column, to_double(low), to_double(high));
    // Hardly a file; ../values.txt is one.
    if (is_number(low)) throw bad_domain(column, fmt::format("'{}' is no LOW..HIGH", spec));
  }
  if (spec.find('|') != std::string::npos) return of(column, cut_at_bars(spec));
  return of(column, lines_of(spec));
}

Domain Domain::range(std::string column, double low, double high) {
  if (!(low <= high) || !(std::abs(low) <= kLargestNumber && std::abs(high) <= kLargestNumber)) {
    throw bad_domain(column, "the range is empty or too wide");
  }
  Domain domain;
  domain.column_ = std::move(column);
  domain.numbers_ = {low, high};
  return domain;
}

Domain Domain::of(std::string column, std::vector<std::string> values) {
  Domain domain;
  domain.column_ = std::move(column);
  domain.values_ = std::move(values);
  if (domain.values_.empty()) throw bad_domain(domain.column_, "it has no value");
  for (std::size_t i = 0; i < domain.values_.size(); ++i) {
    if (!domain.cell_of_.emplace(domain.values_[i], i).second) {
      throw bad_domain(domain.column_, "it has a value twice");
    }
  }
  return domain;
}

std::uint64_t Domain::cells() const {
  if (!numbers_) return values_.size();
  const auto [low, high] = *numbers_;
  if (low != std::floor(low) || high != std::floor(high) || high - low >= 0x1.0p32) {
    throw bad_domain(column_, "cells need a range of whole numbers, at most 2^32 of them");
  }
  return static_cast<std::uint64_t>(high - low) + 1;
}

std::optional<std::uint64_t> Domain::cell_of(std::string_view text) const {
  if (!numbers_) {
    const auto at = cell_of_.find(std::string(text));
    if (at == cell_of_.end()) return std::nullopt;
    return at->second;
  }
  if (!is_number(text)) return std::nullopt;
  const double value = to_double(text);
  if (!(value >= numbers_->low && value <= numbers_->high) || value != std::floor(value)) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(value - numbers_->low);
}

std::string Domain::value_of(std::uint64_t cell) const {
  if (!numbers_) return values_[cell];
  return fmt::format("{:.0f}", numbers_->low + static_cast<double>(cell));
}

std::vector<Domain> parse_domains(const std::vector<std::string>& texts) {
  std::vector<Domain> domains;
  for (const auto& text : texts) {
    Domain domain = Domain::parse(text);
    if (domain_of(domains, domain.column()) != nullptr) {
      throw bad_domain(domain.column(), "the column has one already");
    }
    domains.push_back(std::move(domain));
  }
  return domains;
}

const Domain* domain_of(const std::vector<Domain>& domains, std::string_view column) {
  for (const auto& domain : domains) {
    if (domain.column() == column) return &domain;
  }
  return nullptr;
}

}  // namespace pratique::dp
