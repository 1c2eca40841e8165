#include "pratique/notes/find/patient_record.h"

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"

namespace pratique::notes {
namespace {

bool header_has(const std::string& header, std::initializer_list<std::string_view> words) {
  const std::string small = lower(header);
  for (const auto word : words) {
    if (small.find(word) != std::string::npos) return true;
  }
  return false;
}

// name, a type of number, or empty: not looked for.
std::string kind_of_column(const std::string& header) {
  if (header_has(header, {"name", "first", "last", "given", "family", "surname", "maiden"}))
    return "name";
  if (header_has(header, {"mrn", "record"})) return "mrn";
  if (header_has(header, {"phone", "tel", "mobile", "cell"})) return "phone";
  if (header_has(header, {"fax"})) return "fax";
  if (header_has(header, {"ssn", "social"})) return "ssn";
  if (header_has(header, {"account", "acct"})) return "account";
  if (header_has(header, {"plan", "insur", "member", "policy"})) return "plan";
  return {};
}

}  // namespace

const KnownIdentifiers* PatientRecords::of(const std::string& patient) const {
  if (patient.empty()) return nullptr;
  const auto found = known_.find(patient);
  return found == known_.end() ? nullptr : &found->second;
}

bool PatientRecords::learn(const std::string& patient, std::string word) {
  return known_[patient].words.insert(std::move(word)).second;
}

PatientRecords read_patient_records(const std::string& path, const Run& run) {
  const Source source = run.open(path);
  const Table table = run.engine.load(source, {}, run.progress);
  const Column* key = nullptr;
  for (const auto& column : table.columns) {
    const std::string small = lower(column.name);
    if (small == "patient" || small == "patient_id" || small == "person" || small == "person_id") {
      key = &column;
      break;
    }
  }
  if (key == nullptr) {
    throw Error::input("the record has no column with the patients of the notes")
        .at(path)
        .hint("Call the column that has them: patient.");
  }
  PatientRecords records;
  for (const auto& column : table.columns) {
    if (&column == key) continue;
    const std::string kind = kind_of_column(column.name);
    if (kind.empty()) continue;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const auto value = column.text(row);
      if (value.empty()) continue;
      auto& known = records.at(std::string(key->text(row)));
      if (kind == "name") {
        known.add_name(value);
      } else {
        known.add_number(value, kind);
      }
    }
  }
  return records;
}

}  // namespace pratique::notes
