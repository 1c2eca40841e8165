// What a patient's own record says, by patient: a table with a row for each and a column that has
// the key of the notes. Columns are known by their names: what is called name, first, last, given,
// family or the like holds names; birth or dob a day; mrn, phone, ssn, account and the like
// numbers. Rows can also be linked with notes that name no patient (link/person_view.h).
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "pratique/kind/run.h"
#include "pratique/notes/find/known_names.h"

namespace pratique::notes {

struct RecordRow {
  std::string patient, given, family, birth, sex, zip, mrn;  // names folded, birth YYYY-MM-DD
};

class PatientRecords {
 public:
  std::vector<RecordRow> rows;
  // Null where nothing is known.
  [[nodiscard]] const KnownIdentifiers* of(const std::string& patient) const;
  KnownIdentifiers& at(const std::string& patient) { return known_[patient]; }
  // Whether the word is new.
  bool learn(const std::string& patient, std::string word);

 private:
  std::unordered_map<std::string, KnownIdentifiers> known_;
};

[[nodiscard]] PatientRecords read_patient_records(const std::string& path, const Run& run);

}  // namespace pratique::notes
