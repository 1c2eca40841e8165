#include "pratique/codes/format/code_file.h"

#include <algorithm>

#include "pratique/engine/code_sets_reader.h"

namespace pratique::codes {
namespace {

// The column's value of each patient; false when a patient has several.
bool one_per_patient(const Column& column, const Column& patient, Column& kept) {
  kept.codes.assign(patient.dictionary.size(), kNoCode);
  for (std::size_t row = 0; row < patient.codes.size(); ++row) {
    Code& value = kept.codes[patient.codes[row]];
    if (value != kNoCode && value != column.codes[row]) return false;
    value = column.codes[row];
  }
  return true;
}

}  // namespace

CodeFile read_code_file(Engine& engine, const Source& source, const CodeColumns& columns,
                        Progress& progress) {
  CodeFile file;
  file.source = source;
  file.columns = columns;
  if (!file.long_form()) {
    file.sets = read_code_sets(engine, source, "", "", progress);
    return file;
  }
  std::vector<std::string> wanted = {columns.patient, columns.code};
  for (const auto& name : columns.identifiers)
    (void)column_index(source.columns, name, source.name);
  for (const auto& name : source.columns) {
    const auto& gone = columns.identifiers;
    if (name != columns.patient && name != columns.code &&
        std::find(gone.begin(), gone.end(), name) == gone.end()) {
      wanted.push_back(name);
    }
  }
  Table table = engine.load(source, wanted, progress);
  const Column& patient = table.columns[0];
  file.sets = collect_code_sets(patient, std::move(table.columns[1]), source.name);
  for (std::size_t c = 2; c < table.columns.size(); ++c) {
    Column kept;
    if (!one_per_patient(table.columns[c], patient, kept)) {
      file.dropped.push_back(table.columns[c].name);
      continue;
    }
    kept.name = table.columns[c].name;
    kept.dictionary = std::move(table.columns[c].dictionary);
    file.riders.columns.push_back(std::move(kept));
  }
  for (const auto name : patient.dictionary.values()) file.names.emplace_back(name);
  return file;
}

Visits read_visits(Engine& engine, const Source& source, const CodeColumns& columns,
                   const std::optional<Spelling>& spelling, Dictionary& dictionary,
                   Progress& progress) {
  if (source.format == FileFormat::sets || columns.visit.empty()) {
    CodeSets all = read_code_sets(engine, source, columns.patient, columns.code, progress);
    if (spelling) (void)respell(all, *spelling);
    Visits visits{translate(all, dictionary), {}};
    for (const auto set : all.set_of) visits.of_patient.push_back({set});
    return visits;
  }
  Table table = engine.load(source, {columns.patient, columns.code, columns.visit}, progress);
  if (spelling) respell(table.columns[1], *spelling);
  // A visit goes by patient and visit: other patients may have a first visit too.
  Column visit;
  visit.name = columns.visit;
  std::vector<Code> patient_of;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::string both(table.columns[0].text(row));
    both += '\0';
    both += table.columns[2].text(row);
    visit.codes.push_back(visit.dictionary.intern(both));
    if (visit.codes.back() == patient_of.size()) patient_of.push_back(table.columns[0].codes[row]);
  }
  const CodeSets all = collect_code_sets(visit, std::move(table.columns[1]), source.name);
  Visits visits{translate(all, dictionary), {}};
  visits.of_patient.resize(table.columns[0].dictionary.size());
  for (std::size_t v = 0; v < patient_of.size(); ++v) {
    visits.of_patient[patient_of[v]].push_back(all.set_of[v]);
  }
  return visits;
}

}  // namespace pratique::codes
