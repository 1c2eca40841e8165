// A cell of a released table: an exact value, a range, a set, a hierarchy's label, or anything.
//
//   cell  := '*' | range | set | text
//   range := bound '..' bound          both ends included; both numbers, or both ISO dates
//   set   := '{' text ('|' text)* '}'
//   text  := characters; '\' before a character takes it literally
//
// A text is an exact value or a hierarchy's label: only the hierarchy can tell, so contains() takes
// one. print() escapes just enough that parse(print(x)) == x for every x.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pratique {

class Hierarchy;

class GeneralisedValue {
 public:
  enum class Kind { text, range, set, any };

  static GeneralisedValue any();
  static GeneralisedValue text(std::string_view text);
  // Throws Error when the bounds are not two numbers or two dates, or low > high.
  static GeneralisedValue range(std::string_view low, std::string_view high);
  static GeneralisedValue set(std::vector<std::string> members);

  // Every string is a cell; a malformed range or set is a text.
  static GeneralisedValue parse(std::string_view cell);
  // Also reads what other tools write: [20, 30[ and [20, 30), 20-29, >=90, <18, and masked
  // digits (130**). Foreign forms become the ranges and patterns they mean.
  static GeneralisedValue parse_foreign(std::string_view cell);
  [[nodiscard]] std::string print() const;

  // Whether a record with the original `value` may stand behind this cell. Numbers compare as
  // numbers of any length, dates as dates (a year or a month holds its days), a label through its
  // hierarchy. Nothing but '*' and an equal text contains the missing value.
  [[nodiscard]] bool contains(std::string_view value, const Hierarchy* hierarchy = nullptr) const;

  // How wide the cell is: high - low (dates: in days), members - 1, 0 for a text, infinite for '*'.
  [[nodiscard]] double width() const;

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const std::vector<std::string>& parts() const { return parts_; }
  friend bool operator==(const GeneralisedValue&, const GeneralisedValue&) = default;

 private:
  Kind kind_ = Kind::any;
  std::vector<std::string> parts_;  // text: 1; range: low, high; set: sorted members
};

}  // namespace pratique
