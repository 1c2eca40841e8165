// A cell of a released table: an exact value, a range, a set, a hierarchy's label, or anything.
//
//   cell   := '*' | range | set | text
//   range  := bound '..' bound          both ends included; both numbers, or both ISO dates
//   set    := '{' member ('|' member)* '}'
//   member := characters; '\|' is a bar and '\\' a backslash
//   text   := any other characters; in front of what would be one of the above, '\' makes it a text
//
// A text is an exact value or a hierarchy's label: only the hierarchy can tell, so contains() takes
// one. Every string is a cell, and nearly every value is written as it stands: only a value that
// looks like a generalised one gets a backslash (`\*` is the value `*`).
//
//   parse(print(x)) == x                 for every x
//   print(parse(cell)) == cell           for every cell but a set out of order or with doubles
//   parse(cell).contains(cell)           for every cell
//
// Cells of other tools (parse_foreign) keep the text they came with: print() gives it back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pratique {

class Hierarchy;

class GeneralisedValue {
 public:
  enum class Kind { text, range, set, pattern, any };

  static GeneralisedValue any();
  static GeneralisedValue text(std::string_view text);
  // Throws Error when the bounds are not two numbers or two dates, or low > high.
  static GeneralisedValue range(std::string_view low, std::string_view high);
  // Throws Error when there is no member.
  static GeneralisedValue set(std::vector<std::string> members);

  static GeneralisedValue parse(std::string_view cell);

  // Also reads what other tools write:
  //   [20, 30[  [20, 30)  ]20, 30]  (20:30)   with numbers or ISO dates; open and closed ends kept
  //   [20-30)  [20-30]           the same with a hyphen or a dash, of numbers
  //   20-29  20 to 29            whole numbers without leading zeros; 29.5 is in it, 30 is not
  //   >=90  >90  <18  <=17  90+  also with one sign for >= and <=
  //   130**  02138*****          a star hides one character; a star at the end one or none
  //   {F, M}                     a set
  static GeneralisedValue parse_foreign(std::string_view cell);
  [[nodiscard]] std::string print() const;

  // Whether a record with the original `value` may stand behind this cell.
  // - A cell contains a value of the same text.
  // - A label that the hierarchy knows contains exactly the leaves under it.
  // - A range compares numbers as numbers, at any length, and dates as dates; a range of years
  //   (1970..1979) also holds the dates in them. A text compares as text, so that 02138 is not
  //   2138; a text that is a year, a month or a day holds the dates and times in it.
  // - A set contains what one of its members contains.
  // - The missing (empty) value is in '*', in an equal text or member, and in a label whose
  //   hierarchy has it as a leaf; nowhere else.
  // Only ISO dates are dates here: whether 03/05/1970 is in March takes a column to tell.
  [[nodiscard]] bool contains(std::string_view value, const Hierarchy* hierarchy = nullptr) const {
    return contains(value, hierarchy, label_in(hierarchy));
  }
  // The same for who asks about many values, with the node that label_in gives for the hierarchy.
  [[nodiscard]] bool contains(std::string_view value, const Hierarchy* hierarchy,
                              std::optional<std::uint32_t> label) const;
  // The node of this label; nothing where the hierarchy has none, or is null.
  [[nodiscard]] std::optional<std::uint32_t> label_in(const Hierarchy* hierarchy) const;

  // How wide the cell is: high - low (dates: in days), members - 1, 0 for a text, 10^stars - 1 for
  // a pattern, infinite for '*' and for a range without an end.
  [[nodiscard]] double width() const;

  [[nodiscard]] Kind kind() const { return kind_; }
  // text: 1; range: low, high (empty: no end); set: members, sorted; pattern: 1; any: none.
  [[nodiscard]] const std::vector<std::string>& parts() const { return parts_; }
  friend bool operator==(const GeneralisedValue&, const GeneralisedValue&) = default;

 private:
  enum class Scale { none, number, date };
  // The days that a text or a range stands for when it is read as dates; none when first > last.
  struct Days {
    std::int32_t first = 0;
    std::int32_t last = -1;
    [[nodiscard]] bool contain(std::string_view value) const;
    friend bool operator==(const Days&, const Days&) = default;
  };

  static bool make_range(std::string_view low, std::string_view high, GeneralisedValue& out);
  static bool read_interval(std::string_view cell, GeneralisedValue& out);
  static bool read_dashed(std::string_view cell, GeneralisedValue& out);
  static bool read_comparison(std::string_view cell, GeneralisedValue& out);
  static bool read_special(std::string_view cell, GeneralisedValue& out);
  static Days days_of_text(std::string_view text);

  [[nodiscard]] bool has_text(std::string_view text) const;
  [[nodiscard]] bool range_contains(std::string_view value) const;

  Kind kind_ = Kind::any;
  Scale scale_ = Scale::none;
  bool low_open_ = false;
  bool high_open_ = false;
  bool whole_ = false;  // the range is over numbers cut to whole ones
  Days days_;
  std::vector<std::string> parts_;
  std::string foreign_;  // the cell as another tool wrote it; empty for our own
};

}  // namespace pratique
