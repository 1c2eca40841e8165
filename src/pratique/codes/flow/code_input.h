// Where the codes are, as a user says it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pratique/codes/code_tree.h"
#include "pratique/codes/format/code_file.h"
#include "pratique/kind/run.h"

namespace pratique::codes::flow {

struct CodeInput {
  codes::CodeColumns columns{"patient", "code"};
  std::string format = {};     // long or sets; empty: by the name of the file
  std::string hierarchy = {};  // over the codes; empty: none

  [[nodiscard]] Source open(const Run& run, const std::string& path) const;
  // Codes of a known system get its normal form (spelling.h); or that of another file.
  [[nodiscard]] codes::CodeFile read(const Run& run, const std::string& path) const;
  [[nodiscard]] codes::CodeFile read(const Run& run, const std::string& path,
                                     const std::optional<Spelling>& spelling) const;
  // The hierarchy that is given or, where none is, that of the system the codes are of. Throws
  // where there is none for `who`, which generalises.
  [[nodiscard]] std::string hierarchy_for(const std::string& who,
                                          const codes::CodeFile& file) const;
  // The files that were named beside the data.
  [[nodiscard]] std::vector<std::string> other_files() const;
};

}  // namespace pratique::codes::flow
