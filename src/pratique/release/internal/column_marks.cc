#include "pratique/release/internal/column_marks.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/ascii.h"

namespace pratique::release {
namespace {

constexpr std::size_t kMarkBytes = 6;
constexpr std::size_t kMarkDigits = 2 * kMarkBytes;
constexpr std::size_t kMostOfSensitive = 256;
constexpr std::size_t kMostOfOthers = 32;
constexpr std::size_t kCategory = 3;

// A mark stands for a value, not for a way of writing it.
std::string plain(const std::string& value) {
  std::string text;
  for (const char c : lower(value)) {
    const bool blank = c == ' ' || c == '\t' || c == '.' || c == '_' || c == '-';
    if (!blank) text += c;
  }
  return text;
}

Marks smallest_marks(const std::set<std::string>& texts, std::size_t most,
                     std::span<const std::uint8_t> secret) {
  Marks marks;
  for (const auto& text : texts) {
    const auto digest = hmac_sha256(secret, text);
    marks.smallest.push_back(to_hex(std::span(digest).first(kMarkBytes)));
  }
  std::sort(marks.smallest.begin(), marks.smallest.end());
  marks.whole = marks.smallest.size() <= most;
  if (!marks.whole) marks.smallest.resize(most);
  return marks;
}

std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words(1);
  for (const char c : lower(name)) {
    const bool letter = (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
    if (letter) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

Json to_json(const Marks& marks) {
  std::string all;
  for (const auto& mark : marks.smallest) all += mark;
  return {{"marks", std::move(all)}, {"whole", marks.whole}};
}

Marks marks_from(const Json& json) {
  Marks marks;
  const auto all = json.at("marks").get<std::string>();
  for (std::size_t at = 0; at + kMarkDigits <= all.size(); at += kMarkDigits)
    marks.smallest.push_back(all.substr(at, kMarkDigits));
  std::sort(marks.smallest.begin(), marks.smallest.end());
  marks.whole = json.at("whole").get<bool>();
  return marks;
}

}  // namespace

std::vector<ColumnMarks> marks_of(const std::vector<ColumnValues>& columns,
                                  std::span<const std::uint8_t> secret) {
  std::vector<ColumnMarks> all;
  for (const auto& column : columns) {
    std::set<std::string> values;
    std::set<std::string> beginnings;
    for (const auto& value : column.values) {
      const std::string text = plain(value);
      if (column.sensitive && text.size() >= kCategory)
        beginnings.insert("begins " + text.substr(0, kCategory));
      values.insert(text);
    }
    const std::size_t most = column.sensitive ? kMostOfSensitive : kMostOfOthers;
    all.push_back({column.column, column.sensitive, smallest_marks(values, most, secret),
                   smallest_marks(beginnings, most, secret)});
  }
  return all;
}

bool share_most(const Marks& a, const Marks& b, std::size_t least) {
  const auto below = [](const Marks& marks, const Marks& other) {
    if (other.whole || other.smallest.empty()) return marks.smallest.size();
    return static_cast<std::size_t>(
        std::upper_bound(marks.smallest.begin(), marks.smallest.end(), other.smallest.back()) -
        marks.smallest.begin());
  };
  const std::size_t of_a = below(a, b);
  const std::size_t of_b = below(b, a);
  std::vector<std::string> both;
  std::set_intersection(a.smallest.begin(), a.smallest.end(), b.smallest.begin(), b.smallest.end(),
                        std::back_inserter(both));
  return both.size() >= least && 2 * both.size() >= std::min(of_a, of_b);
}

bool same_name(const std::string& a, const std::string& b) {
  const auto words = words_of(a);
  const auto others = words_of(b);
  if (words.empty() || others.empty()) return lower(a) == lower(b);
  const std::size_t shorter = std::min(words.size(), others.size());
  return std::equal(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(shorter),
                    others.begin());
}

Json to_json(const std::vector<ColumnMarks>& columns) {
  Json all = Json::array();
  for (const auto& column : columns) {
    Json json = {{"column", column.column},
                 {"sensitive", column.sensitive},
                 {"values", to_json(column.values)}};
    if (column.sensitive) json["beginnings"] = to_json(column.beginnings);
    all.push_back(std::move(json));
  }
  return all;
}

std::vector<ColumnMarks> column_marks_from(const Json& json) {
  std::vector<ColumnMarks> all;
  for (const auto& column : json) {
    all.push_back({column.at("column").get<std::string>(),
                   column.at("sensitive").get<bool>(),
                   marks_from(column.at("values")),
                   {}});
    if (column.contains("beginnings")) all.back().beginnings = marks_from(column["beginnings"]);
  }
  return all;
}

}  // namespace pratique::release
