// Value suppression: single cells leave as `*`, as few as possible, and every record leaves.
//
// What is promised, and what the verifier can check from the file alone: the records that show the
// same text in all quasi-identifiers (a `*` is a text like any other, not a wildcard) form a class
// that satisfies the models; for k-anonymity it has at least k records. So this is local recoding
// in which a class shows, in each attribute, either the one value that all its records have or `*`.
// No two classes of the recoding show the same texts. (Where `*` is read as "may be anything", a
// record is only harder to single out.)
//
// The fewest cells is NP-hard from k = 3 on (Meyerson and Williams 2004); what is done is greedy,
// in the order of price. The price of a step is the number of cells it suppresses per record that
// it brings into a class:
// - Records alike in all but s attributes become a class, s cells each: price s.
// - Records join a class that already shows what they share with it: price s.
// - Where they are too few, records of classes that can spare them, or a whole class, come with
//   them: price (own cells + cells of those who come along) / own records.
// A step with s attributes suppressed costs at least s, so levels s = 1, 2, ... are opened one
// after the other and all steps cheaper than s + 1 are taken before the next one is. For each set
// of s attributes the records that agree on the others are found by hashing, and steps wait in a
// heap whose top is priced again before it is taken. At the end, records go back to classes that
// show more where both classes allow it. The result is never worse than suppressing whole columns
// greedily (at each step the column that leaves the fewest records in bad classes): that is made
// too where it could win, and the better one is returned.
//
// Cost: 2^attributes passes over the distinct combinations of values at most; where that is too
// much (many attributes), deep levels look at records outside of classes only, and the deepest at
// one set of attributes each. All randomness is left out: the same input gives the same output.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/tables/model/model.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

struct ValueSuppression {
  // Where even one class of all records, every cell `*`, does not satisfy the models, nothing
  // leaves: all records are suppressed.
  Recoding recoding;
  std::uint64_t cells = 0;             // quasi-identifier cells of the records that leave
  std::uint64_t suppressed_cells = 0;  // those that are `*`
  bool whole_columns = false;          // whole columns were better than single cells
};

// At most 64 attributes: an Error otherwise.
[[nodiscard]] ValueSuppression suppress_values(const ProtectionInput& input, const Models& models);

// The input under hierarchies in which nothing lies between a value and `*`: the cells of a class
// are its labels there, and lose as much as they do under the input's own.
class ShownOrHidden {
 public:
  explicit ShownOrHidden(const ProtectionInput& input);
  ShownOrHidden(const ShownOrHidden&) = delete;
  ShownOrHidden& operator=(const ShownOrHidden&) = delete;

  [[nodiscard]] const ProtectionInput& input() const { return input_; }

 private:
  std::vector<Hierarchy> hierarchies_;  // beside the attributes
  ProtectionInput input_;
};

// Only whole columns, greedily.
[[nodiscard]] ValueSuppression suppress_columns(const ProtectionInput& input, const Models& models);

}  // namespace pratique::tables
