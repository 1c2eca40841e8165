#include "pratique/data/hierarchy_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/data/utf8.h"

namespace pratique {
namespace {

constexpr std::size_t kSampledRecords = 200;

// Records of a CSV text, one after the other. Fields without quotes are views of the text.
class CsvRecords {
 public:
  CsvRecords(std::string_view text, char delimiter, const std::string& place)
      : text_(text), delimiter_(delimiter), place_(place) {}

  // False at the end of the text. Blank lines are no records.
  bool next(std::vector<std::string_view>& fields) {
    while (at_ < text_.size() && end_of_line()) {
    }
    if (at_ >= text_.size()) return false;
    record_line_ = line_;
    fields.clear();
    unquoted_.clear();
    while (true) {
      fields.push_back(text_[at_] == '"' ? quoted_field() : plain_field());
      if (at_ >= text_.size() || end_of_line()) return true;
      ++at_;  // the delimiter
      if (at_ >= text_.size()) {
        fields.emplace_back();
        return true;
      }
    }
  }

  [[nodiscard]] std::size_t line() const { return record_line_; }

 private:
  bool end_of_line() {
    std::size_t length = 0;
    if (text_[at_] == '\n') {
      length = 1;
    } else if (text_[at_] == '\r') {
      length = at_ + 1 < text_.size() && text_[at_ + 1] == '\n' ? 2 : 1;
    }
    at_ += length;
    line_ += length == 0 ? 0 : 1;
    return length != 0;
  }

  std::string_view plain_field() {
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != delimiter_ && text_[at_] != '\n' &&
           text_[at_] != '\r') {
      ++at_;
    }
    return text_.substr(start, at_ - start);
  }

  std::string_view quoted_field() {
    std::string& field = unquoted_.emplace_back();
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') ++line_;
      if (text_[at_] != '"') {
        field += text_[at_];
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        field += text_[at_++];
      } else {
        ++at_;
        if (at_ < text_.size() && text_[at_] != delimiter_ && text_[at_] != '\n' &&
            text_[at_] != '\r') {
          throw Error::input("there is text after a closing quote")
              .at(fmt::format("{}:{}", place_, line_))
              .hint("Double the quotes inside a quoted field: \"a \"\"b\"\" c\".");
        }
        return field;
      }
    }
    throw Error::input("a quoted field does not end")
        .at(fmt::format("{}:{}", place_, record_line_))
        .hint("Close the quote that this line opens, or double it if it is part of the value.");
  }

  std::string_view text_;
  char delimiter_;
  const std::string& place_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t record_line_ = 1;
  std::deque<std::string> unquoted_;
};

struct Sample {
  bool even = false;  // every record has as many fields, and more than one
  std::size_t fields = 0;
};

Sample sample(std::string_view text, char delimiter, const std::string& place) {
  Sample result;
  std::vector<std::string_view> fields;
  CsvRecords records(text, delimiter, place);
  std::size_t first = 0;
  try {
    for (std::size_t i = 0; i < kSampledRecords && records.next(fields); ++i) {
      if (i == 0) first = fields.size();
      result.even = fields.size() > 1 && fields.size() == first && (i == 0 || result.even);
      result.fields += fields.size() - 1;
    }
  } catch (const Error&) {
    result.even = false;
  }
  return result;
}

// Labels such as [20, 30[ hold commas far more often than semicolons or tabs: hence the order.
char find_delimiter(std::string_view text, const std::string& place) {
  char best = ';';
  std::size_t most = 0;
  for (const char candidate : {';', '\t', ','}) {
    const Sample sampled = sample(text, candidate, place);
    if (sampled.even) return candidate;
    if (sampled.fields > most) {
      most = sampled.fields;
      best = candidate;
    }
  }
  return best;
}

}  // namespace

Hierarchy parse_hierarchy_csv(std::string_view text, const std::string& place,
                              PathLengths lengths) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.find('\0') != std::string_view::npos) {
    throw Error::input("the hierarchy is not text: it has NUL bytes")
        .at(place)
        .hint("Save it as CSV in UTF-8 (UTF-16 is not supported).");
  }
  std::string converted;
  if (!is_utf8(text)) {
    converted = latin1_to_utf8(text);
    text = converted;
  }
  const char delimiter = find_delimiter(text, place);
  Hierarchy::Builder builder(place, delimiter);
  CsvRecords records(text, delimiter, place);
  std::vector<std::string_view> path;
  std::size_t longest = 0;
  if (lengths == PathLengths::ragged) {
    for (CsvRecords all(text, delimiter, place); all.next(path);) {
      longest = std::max(longest, path.size());
    }
  }
  while (records.next(path)) {
    if (path.size() == 1) {
      throw Error::input("this line has one field; it needs a value and its generalisation")
          .at(fmt::format("{}:{}", place, records.line()))
          .hint("Write the value first and the root last, with ; or , or tab between: F;*");
    }
    if (path.size() < longest) {
      const auto value = path.front();
      path.insert(path.begin(), longest - path.size(), value);
    }
    builder.add(path, records.line());
  }
  return builder.build();
}

Hierarchy read_hierarchy_csv(const std::string& path, PathLengths lengths) {
  return parse_hierarchy_csv(read_file(path), path, lengths);
}

}  // namespace pratique
