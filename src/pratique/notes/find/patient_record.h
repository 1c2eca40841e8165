// What a patient's own record says, by patient: a table with a row for each and a column that has
// the key of the notes. Columns are known by their names: what is called name, first, last, given,
// family or the like holds names; mrn, phone, ssn, account and the like hold numbers.
#pragma once

#include <string>
#include <unordered_map>

#include "pratique/kind/run.h"
#include "pratique/notes/find/known_names.h"

namespace pratique::notes {

class PatientRecords {
 public:
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
