#include "pratique/notes/find/patient_record.h"

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/notes/replace/note_date.h"

namespace pratique::notes {
namespace {

bool header_has(const std::string& header, std::initializer_list<std::string_view> words) {
  const std::string small = lower(header);
  for (const auto word : words) {
    if (small.find(word) != std::string::npos) return true;
  }
  return false;
}

// name, birth, sex, zip, a type of number, or empty: not looked for.
std::string kind_of_column(const std::string& header) {
  if (header_has(header, {"birth", "dob", "born"})) return "birth";
  if (header_has(header, {"sex", "gender"})) return "sex";
  if (header_has(header, {"zip", "postal", "postcode"})) return "zip";
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

std::string digits_of_number(std::string_view value) {
  std::string digits;
  for (const char c : value) {
    if (is_digit(c)) digits += c;
  }
  return digits;
}

void add_name_to(RecordRow& row, const std::string& header, std::string_view value) {
  const auto parts = telling_words(value);
  if (parts.empty()) return;
  if (header_has(header, {"first", "given"})) {
    row.given = parts.front();
  } else if (header_has(header, {"last", "family", "surname"})) {
    row.family = parts.back();
  } else if (!header_has(header, {"maiden"})) {
    const bool family_first = value.find(',') != std::string_view::npos;
    row.family = family_first ? parts.front() : parts.back();
    if (parts.size() > 1) row.given = family_first ? parts[1] : parts.front();
  }
}

}  // namespace

const KnownIdentifiers* PatientRecords::of(const std::string& patient) const {
  if (patient.empty()) return nullptr;
  const auto record = known_.find(patient);
  return record == known_.end() ? nullptr : &record->second;
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
  records.rows.resize(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row)
    records.rows[row].patient = std::string(key->text(row));
  for (const auto& column : table.columns) {
    if (&column == key) continue;
    const std::string kind = kind_of_column(column.name);
    if (kind.empty()) continue;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const auto value = column.text(row);
      if (value.empty()) continue;
      auto& known = records.at(std::string(key->text(row)));
      RecordRow& about = records.rows[row];
      if (kind == "name") {
        known.add_name(value);
        known.add_initials(value);
        add_name_to(about, column.name, value);
      } else if (kind == "birth") {
        known.add_day(value);
        about.birth = day_of(value).value_or("");
      } else if (kind == "sex") {
        const std::string small = lower(std::string(value));
        about.sex = small[0] == 'f' || small[0] == 'w' ? "F" : small[0] == 'm' ? "M" : "";
      } else if (kind == "zip") {
        about.zip = value.substr(0, 5);
      } else {
        known.add_number(value, kind);
        if (kind == "mrn") about.mrn = digits_of_number(value);
      }
    }
  }
  return records;
}

}  // namespace pratique::notes
