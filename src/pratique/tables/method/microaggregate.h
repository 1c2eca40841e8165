// Microaggregation: classes of near records, and each record shows its class's mean, median or
// range.
//
//   mdav        Maximum distance to average vector (Domingo-Ferrer and Mateo-Sanz 2002, Domingo-
//               Ferrer and Torra 2005): the record farthest from the average, and the one farthest
//               from that, gather the records nearest to them until the models hold; again with the
//               rest. Numbers and dates are standardised; another category, like a missing value
//               beside a known one, is as far as two standard deviations. Quadratic, so it runs in
//               buckets that Mondrian cuts, in parallel.
//   univariate  For one number or date: the classes with the least squared error of all that keep
//               the order (Hansen and Mukherjee 2003: under k-anonymity the shortest path over
//               classes of k to 2k records; that is the least of all). O(n k).
//
// Every class satisfies all models; the size k comes from them. Categories always show the set of
// the class's values, or with labels the lowest node over them. Means have one decimal more than
// the values; a mean of dates is a day; a median is the lower one and a value of the class. A
// missing number shows what its class shows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pratique/tables/method/local_recoding.h"

namespace pratique::tables {

struct MicroaggregationOptions {
  enum class Algorithm { mdav, univariate };
  enum class Centre { mean, median, range };

  Algorithm algorithm = Algorithm::mdav;
  Centre centre = Centre::mean;       // what holds unless asked otherwise
  CellStyle style = CellStyle::free;  // of categories and ranges
  // No more groups than this are held against each other; 0: all of them.
  std::size_t bucket = 1000;
};

[[nodiscard]] std::string_view name_of(MicroaggregationOptions::Centre centre);
[[nodiscard]] std::vector<std::string> centre_names();
// One of these names.
[[nodiscard]] MicroaggregationOptions::Centre centre_of_name(std::string_view name);

struct Microaggregation {
  // A mean or a median counts as many leaves as lie between the ends of its class.
  Recoding recoding;
  // By attribute: the squared error of the classes' means over that of the whole table's mean; 0
  // for categories and where all values are equal.
  std::vector<double> squared_error_share;
};

// Throws Error::check when the table as a whole breaks a model, and Error::input when univariate is
// asked for anything but one number or date.
[[nodiscard]] Microaggregation microaggregate(const ProtectionInput& input, const Models& models,
                                              const MicroaggregationOptions& options,
                                              Progress& progress = Progress::silent());

}  // namespace pratique::tables
