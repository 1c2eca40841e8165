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
  std::string result = fmt::format("{} value{}:", values_.size(), values_.size() == 1 ? "" : "s");
  const char* separator = " ";
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
