// A column of a synthetic table: what its values may be, declared without looking at the data.
//
//   COLUMN=LOW..HIGH           whole numbers, a cell each
//   COLUMN=LOW..HIGH:WIDTH     numbers in bins of this width, shown as 20..29
//   COLUMN=0..17|18..64|65..   numbers in bins that begin where these do
//   COLUMN=DAY..DAY[:STEP]     dates (1950-01-01..2009-12-31) by year, month (default) or day; with
//                              :dmy or :mdy at the end, which comes first in 05/03/1970
//   COLUMN=a|b|c, COLUMN=FILE  these values; a value per line
//
// Every text has a cell, so that nothing about a row can stop a run: numbers and dates beyond an
// end belong to it, those between two bins to the one before, and whatever else there is (no
// number, a value that was not declared, a missing cell) to the stray cell, the last.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/data/hierarchy.h"
#include "pratique/dp/domain.h"
#include "pratique/dp/written_date.h"

namespace pratique::dp {

// Takes :dmy or :mdy off the end.
[[nodiscard]] DateOrder take_order(std::string& spec);

class Attribute {
 public:
  // Throws Error::input: it is none of the above, is empty, or has more than 2^16 cells.
  [[nodiscard]] static Attribute parse(const std::string& text);
  // The same cells as a histogram's, and the stray one.
  [[nodiscard]] static Attribute of(const Domain& domain);
  // Bins that begin at these (ascending), the last up to `end`. Of numbers, whole ones where the
  // bins are wide enough for that; of dates, in days.
  [[nodiscard]] static Attribute of_number_cuts(const std::string& column,
                                                const std::vector<double>& cuts, double end);
  [[nodiscard]] static Attribute of_date_cuts(const std::string& column,
                                              const std::vector<double>& cuts, double end,
                                              DateOrder order = DateOrder::unsaid);

  // Nodes of a tree, none above another: a value is in the cell of the node that it is under.
  [[nodiscard]] static Attribute of_cut(const std::string& column, const Hierarchy& tree,
                                        const std::vector<Hierarchy::Node>& cut);

  [[nodiscard]] const std::string& column() const { return column_; }
  [[nodiscard]] std::size_t cells() const { return labels_.size(); }
  [[nodiscard]] std::size_t stray() const { return labels_.size() - 1; }
  // Whether cells that stand side by side are alike: numbers and dates.
  [[nodiscard]] bool ordered() const { return kind_ != Kind::values; }
  [[nodiscard]] std::size_t cell_of(std::string_view text) const;
  // As it is released. The stray cell is the empty text where numbers or dates are meant, and else
  // "other".
  [[nodiscard]] const std::vector<std::string>& labels() const { return labels_; }

  // What a manifest keeps of it: column, kind, begins, labels; of a cut, the cells of values.
  [[nodiscard]] Json to_json() const;
  // Throws nlohmann::json::exception where it is not that.
  [[nodiscard]] static Attribute from_json(const Json& json);

 private:
  enum class Kind { values, numbers, dates };

  Attribute(std::string column, Kind kind) : column_(std::move(column)), kind_(kind) {}
  void add_bin(double begin, std::string label);
  void index_labels();
  [[nodiscard]] static Attribute of_numbers(const std::string& column, const std::string& spec);
  [[nodiscard]] static Attribute of_bins(const std::string& column, const std::string& spec);
  [[nodiscard]] static Attribute of_dates(const std::string& column, const std::string& spec);

  std::string column_;
  Kind kind_;
  DateOrder order_ = DateOrder::unsaid;
  std::vector<double> begins_;  // of numbers; of dates, in days
  std::vector<std::string> labels_;
  std::unordered_map<std::string, std::size_t> cell_of_;  // of values
  std::map<std::string, std::size_t> members_;            // of a cut: values that are no labels
};

[[nodiscard]] std::vector<Attribute> parse_attributes(const std::vector<std::string>& texts);

}  // namespace pratique::dp
