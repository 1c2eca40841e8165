// What a release lost. Suppressed records count in LM and NCP as fully generalised, in DM as in one
// class with all records; they are no class of UM and C_AVG. Methods that search by a metric search
// by these very definitions.
#pragma once

#include "pratique/tables/recoding.h"

namespace pratique::tables {

// LM, Iyengar 2002: mean over all quasi-identifier cells of (leaves under the value - 1) / (leaves
// - 1); 0 for an attribute of one leaf. A suppressed record counts 1 in each cell. A cell counts by
// the weight of its attribute, in LM, NCP and UM: 1 where nobody says otherwise.
[[nodiscard]] double loss_metric(const ProtectionInput& input, const Recoding& recoding);
// The same for every node of the attribute's hierarchy, times the attribute's weight.
[[nodiscard]] std::vector<double> node_losses(const Attribute& attribute);

// LM of each attribute alone, whatever its weight: LM is their mean by weight.
[[nodiscard]] std::vector<double> column_losses(const ProtectionInput& input,
                                                const Recoding& recoding);

// NCP, Xu et al. 2006: mean over all quasi-identifier cells of (high - low) / (max -
// min) for numbers and dates, where max and min are of the attribute's values in the table (and in
// the population, where there is one), and of
// (leaves under the value) / (leaves), or 0 for one leaf, for categories. A node over numbers
// reaches from its lowest to its highest leaf, but not beyond min and max. A set that holds numbers
// and the missing value is measured as a category. A suppressed record counts 1 in each cell.
[[nodiscard]] double normalized_certainty_penalty(const ProtectionInput& input,
                                                  const Recoding& recoding);
// The same for every node of the attribute's hierarchy, times the attribute's weight.
[[nodiscard]] std::vector<double> node_penalties(const Attribute& attribute);

// UM, Loukides and Shao 2007: the mean over classes, however many records they hold,
// of the mean penalty (as in NCP) of the class's cells. 0 without classes.
[[nodiscard]] double utility_measure(const ProtectionInput& input, const Recoding& recoding);

// DM, Bayardo and Agrawal 2005: sum over classes of size squared, and for every suppressed record
// the number of all records.
[[nodiscard]] double discernibility(const Recoding& recoding);

// C_AVG, LeFevre et al. 2006: mean class size over k, or over 1 where k is 0: nobody asked for one.
// 0 without classes.
[[nodiscard]] double average_class_size(const Recoding& recoding, std::uint64_t k);

// CM, Iyengar 2002: the share of records that are suppressed or whose label is not the most
// frequent of their class. `label` is a column of the grouped table.
[[nodiscard]] double classification_metric(const Column& label, const Recoding& recoding);

}  // namespace pratique::tables
