// A file of patients and their codes, with what else it says about the patients.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pratique/codes/attack/assess.h"
#include "pratique/codes/format/code_cells.h"
#include "pratique/codes/spelling.h"
#include "pratique/data/code_sets.h"
#include "pratique/engine/engine.h"
#include "pratique/kind/own_forms.h"

namespace pratique::codes {

struct CodeColumns {
  std::string patient;
  std::string code;                           // and what the column of codes is called in a release
  std::string visit = {};                     // may be empty: visits are not known
  std::vector<std::string> identifiers = {};  // never kept
  std::vector<std::string> wide = {};         // several columns of codes, DX* for all that begin so
  std::string separator = {};                 // between the codes of a cell; empty: detected
};

struct CodeFile {
  Source source;
  CodeColumns columns;
  CodeCells cells = {};  // of a long file
  std::uint64_t patients_without_codes = 0;
  CodeSets sets;
  // By patient of a long file: the columns with one value for each patient, and who it is.
  Table riders;
  std::vector<std::string> names;
  std::vector<std::string> dropped;       // columns with several values for one patient
  std::optional<Spelling> spelling = {};  // of the sets, where their system is known
  Respelled respelled = {};

  [[nodiscard]] bool long_form() const { return source.format != FileFormat::sets; }
};

// Reads all of it; a table in which a row has several codes as if each had a row of its own.
[[nodiscard]] CodeFile read_code_file(Engine& engine, const Source& source,
                                      const CodeColumns& columns, Progress& progress);

// The sets of a release's original, read where the parameters of its manifest say that its codes
// stand, and written as they say.
[[nodiscard]] CodeSets read_original_codes(Engine& engine, const Source& source,
                                           const std::string& patient, const std::string& code,
                                           const Json& parameters, Progress& progress);

// Public summaries of visits, and the people whom a list of names makes of them: of the values in
// the columns `on`, those that one line of the list has and no other. Dates and numbers are
// compared whatever the form of each file.
struct NamedSummaries {
  std::uint64_t summaries = 0;
  std::uint64_t named = 0;  // of these
  Visits visits;            // by person
};
[[nodiscard]] NamedSummaries name_summaries(Engine& engine, const std::vector<Source>& summaries,
                                            const Source& names, const std::vector<std::string>& on,
                                            release::OwnForms& forms, const CodeColumns& columns,
                                            const std::optional<Spelling>& spelling,
                                            Dictionary& dictionary, Progress& progress);

// The sets of each patient's visits, over `dictionary`. Where the file has no visits, all rows of a
// patient are one. Codes are written as `spelling` says, if it does.
[[nodiscard]] Visits read_visits(Engine& engine, const Source& source, const CodeColumns& columns,
                                 const std::optional<Spelling>& spelling, Dictionary& dictionary,
                                 Progress& progress);

}  // namespace pratique::codes
