#include "pratique/data/uncovered.h"

#include <fmt/format.h>

#include <algorithm>

#include "pratique/data/utf8.h"

namespace pratique {
namespace {

constexpr std::size_t kNamed = 10;

}  // namespace

void Uncovered::add(Code code, std::string_view value) {
  values_.push_back({code < counts_.size() ? counts_[code] : 0, value});
}

std::vector<Uncovered::Value> Uncovered::first() const {
  std::vector<Value> sorted = values_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Value& a, const Value& b) { return a.rows > b.rows; });
  sorted.resize(std::min(sorted.size(), kNamed));
  return sorted;
}

std::vector<std::string_view> Uncovered::first_values() const {
  std::vector<std::string_view> texts;
  for (const Value& value : first()) texts.push_back(value.text);
  return texts;
}

std::string Uncovered::describe() const {
  const auto counted = [](std::uint64_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  if (counts_.empty()) return counted(values_.size(), "value");
  std::uint64_t rows = 0;
  for (const Value& value : values_) rows += value.rows;
  return fmt::format("{} ({})", counted(values_.size(), "value"), counted(rows, "row"));
}

std::string Uncovered::named() const {
  std::string result;
  const char* separator = "";
  for (const Value& value : first()) {
    result += separator + in_quotes(value.text);
    if (!counts_.empty()) {
      result += fmt::format(" ({} row{})", value.rows, value.rows == 1 ? "" : "s");
    }
    separator = ", ";
  }
  if (values_.size() > kNamed) result += fmt::format(" and {} more", values_.size() - kNamed);
  return result;
}

}  // namespace pratique
