// The rows of people on their way out: each row with the cells of its person's class, people under
// numbers of this release alone, in an order that tells nothing (kind/row_order.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pratique/kind/artefact.h"
#include "pratique/tables/flow/people.h"

namespace pratique::tables::flow {

// A column by person's entry (generalised), or by row with other texts for its values.
struct PeopleReleaseColumn {
  std::string name;
  const RecodedColumn* recoded = nullptr;
  const Column* as_it_is = nullptr;
  std::vector<std::string> replaced = {};  // by code of as_it_is; empty: its own values
};

class PeopleRelease {
 public:
  // `columns` in their order of leaving; one with neither source is that of the numbers.
  PeopleRelease(const People& people, const std::vector<std::uint32_t>& entry_of,
                const std::vector<PeopleReleaseColumn>& columns, std::uint64_t seed,
                char delimiter);
  [[nodiscard]] const release::Artefact& artefact() const { return *artefact_; }
  [[nodiscard]] std::uint64_t rows() const { return order_.size(); }
  [[nodiscard]] std::uint64_t people() const { return people_; }

 private:
  struct OwnedColumn {
    std::vector<Code> codes;
    std::vector<std::string> values;
  };
  std::vector<OwnedColumn> columns_;
  std::vector<std::uint32_t> order_;
  std::uint64_t people_ = 0;
  std::unique_ptr<release::Artefact> artefact_;
};

}  // namespace pratique::tables::flow
