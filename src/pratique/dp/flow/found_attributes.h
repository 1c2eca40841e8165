// Columns of a synthetic table whose cuts are found privately: --find-cuts COLUMN=PARTS of numbers,
// COLUMN=PARTS:date of dates.
//
// What a column is, numbers or dates, is said and not looked up. Of numbers, half of the column's
// epsilon finds the bounds and half the cuts; dates lie between 1850 and 2100, and all of it finds
// the cuts (bounds/found_bounds.h). Whatever is found, there are at most PARTS cells and the stray
// one, so whether a model fits is known before anything is charged.
#pragma once

#include <string>
#include <vector>

#include "pratique/data/table.h"
#include "pratique/dp/accounting/epsilon.h"
#include "pratique/dp/mechanism/noise.h"
#include "pratique/dp/synthesis/attribute.h"

namespace pratique::dp::flow {

struct WantedCuts {
  std::string column;
  std::size_t parts = 0;
  bool dates = false;
  DateOrder order = DateOrder::unsaid;  // of dates

  // Throws Error::input.
  [[nodiscard]] static WantedCuts parse(const std::string& text);
  // As many cells as it may have, of numbers that nobody is.
  [[nodiscard]] Attribute placeholder() const;
};

// `counts`: rows that each row stands for, bounded per person.
[[nodiscard]] Attribute find_attribute(const WantedCuts& wanted, const Column& column,
                                       const std::vector<std::uint64_t>& counts,
                                       std::uint64_t max_rows, Epsilon epsilon, Noise& noise);

}  // namespace pratique::dp::flow
