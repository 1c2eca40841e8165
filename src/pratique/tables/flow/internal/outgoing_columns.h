// The columns of a release: recoded, replaced, or as they were read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pratique/crypto/secret_key.h"
#include "pratique/kind/pseudonyms.h"
#include "pratique/kind/publish.h"
#include "pratique/tables/flow/people_release.h"
#include "pratique/tables/flow/prepared_table.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables::flow {

// The released columns, and what they point at.
struct OutgoingColumns {
  std::vector<std::vector<std::string>> values;  // of columns that are not recoded
  std::vector<std::string> unchanged;
  release::Content content;                    // of rows that are people
  std::vector<PeopleReleaseColumn> of_people;  // else
};

[[nodiscard]] OutgoingColumns outgoing_columns(const PreparedTable& prepared,
                                               const Recoding& recoding,
                                               const std::optional<SecretKey>& key,
                                               release::IdentifierTreatment treatment);

}  // namespace pratique::tables::flow
