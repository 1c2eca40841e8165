#include "pratique/codes/format/code_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "pratique/core/error.h"
#include "pratique/data/person_spelling.h"
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

struct LoadedCodes {
  CodeCells cells;
  CodeRows rows;
};

void check_patient_column(const Source& source, const std::string& patient) {
  if (std::find(source.columns.begin(), source.columns.end(), patient) != source.columns.end())
    return;
  const auto near = nearest_names(source.columns, patient);
  throw Error::input(fmt::format("there is no column '{}' of patients", patient))
      .at(source.name)
      .hint(fmt::format("{} --patient COLUMN names the one that identifies the patient.",
                        near.empty()
                            ? std::string("pratique tables profile FILE lists the columns.")
                            : fmt::format("Did you mean {}?", fmt::join(near, " or "))));
}

// Patient and code, then the other columns; a row for each code.
LoadedCodes load_codes(Engine& engine, const Source& source, const CodeColumns& columns,
                       const std::vector<std::string>& others, Progress& progress) {
  LoadedCodes loaded;
  loaded.cells.columns = code_columns_of(source.columns, columns.code, columns.wide, source.name);
  loaded.cells.separator = columns.separator;
  std::vector<std::string> wanted = {columns.patient};
  std::vector<std::size_t> places;
  for (const auto& name : loaded.cells.columns) {
    places.push_back(wanted.size());
    wanted.push_back(name);
  }
  for (const auto& name : others) {
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) wanted.push_back(name);
  }
  Table table = engine.load(source, wanted, progress);
  (void)join_people_as_read(table.columns.front());
  if (loaded.cells.separator.empty()) loaded.cells.separator = detect_separator(table, places);
  if (loaded.cells.one_code_a_row()) {
    loaded.rows.table = std::move(table);
  } else {
    loaded.rows =
        one_code_a_row(std::move(table), places, loaded.cells.separator, columns.code, source.name);
  }
  return loaded;
}

CodeSets read_all_codes(Engine& engine, const Source& source, const CodeColumns& columns,
                        Progress& progress) {
  if (source.format == FileFormat::sets) return read_code_sets(engine, source, "", "", progress);
  Table table = load_codes(engine, source, columns, {}, progress).rows.table;
  return collect_code_sets(table.columns[0], std::move(table.columns[1]), source.name);
}

}  // namespace

CodeFile read_code_file(Engine& engine, const Source& source, const CodeColumns& columns,
                        Progress& progress) {
  if (source.format != FileFormat::sets) check_patient_column(source, columns.patient);
  CodeFile file;
  file.source = source;
  file.columns = columns;
  if (!file.long_form()) {
    file.sets = read_code_sets(engine, source, "", "", progress);
    return file;
  }
  for (const auto& name : columns.identifiers)
    (void)column_index(source.columns, name, source.name);
  std::vector<std::string> others;
  for (const auto& name : source.columns) {
    const auto& gone = columns.identifiers;
    if (name != columns.patient && std::find(gone.begin(), gone.end(), name) == gone.end()) {
      others.push_back(name);
    }
  }
  LoadedCodes loaded = load_codes(engine, source, columns, others, progress);
  file.cells = std::move(loaded.cells);
  file.patients_without_codes = loaded.rows.patients_without_codes;
  Table& table = loaded.rows.table;
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

CodeSets read_original_codes(Engine& engine, const Source& source, const std::string& patient,
                             const std::string& code, const Json& parameters, Progress& progress) {
  CodeColumns columns{patient, code};
  const auto wide = parameters.value("code_columns", std::vector<std::string>());
  const bool all_there = std::all_of(wide.begin(), wide.end(), [&](const auto& name) {
    return std::find(source.columns.begin(), source.columns.end(), name) != source.columns.end();
  });
  if (all_there) columns.wide = wide;
  columns.separator = parameters.value("separator", "");
  CodeSets sets = read_all_codes(engine, source, columns, progress);
  respell_as_released(sets, parameters);
  return sets;
}

NamedSummaries name_summaries(Engine& engine, const std::vector<Source>& summaries,
                              const Source& names, const std::vector<std::string>& on,
                              release::OwnForms& forms, const CodeColumns& columns,
                              const std::optional<Spelling>& spelling, Dictionary& dictionary,
                              Progress& progress) {
  const auto values_in = [&](const Table& table, std::size_t row) {
    std::string values;
    for (const auto& name : on) {
      values += table.column(name).text(row);
      values += '\0';
    }
    return values;
  };
  std::unordered_map<std::string, std::uint32_t> lines;
  Table list = engine.load(names, on, progress);
  (void)forms.write(list, on, names.name);
  for (std::size_t row = 0; row < list.rows(); ++row) ++lines[values_in(list, row)];

  NamedSummaries result;
  Column visit;
  Column code;
  visit.name = "visit";
  code.name = columns.code;
  std::vector<std::uint32_t> person_of;  // by visit
  std::unordered_map<std::string, std::uint32_t> people;
  for (std::size_t f = 0; f < summaries.size(); ++f) {
    CodeColumns here = columns;
    here.patient = on.front();
    std::vector<std::string> others(on.begin() + 1, on.end());
    if (!columns.visit.empty()) others.push_back(columns.visit);
    LoadedCodes loaded = load_codes(engine, summaries[f], here, others, progress);
    Table& table = loaded.rows.table;
    (void)forms.write(table, on, summaries[f].name);
    if (spelling) respell(table.columns[1], *spelling);
    std::unordered_set<std::string> seen;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const std::string values = values_in(table, row);
      // A row of a wide file is a summary; else a visit is, or all that is said of a person.
      std::string summary = values;
      if (!columns.visit.empty()) {
        summary += table.column(columns.visit).text(row);
      } else if (!loaded.rows.row_of.empty()) {
        summary += std::to_string(loaded.rows.row_of[row]);
      }
      const bool fresh = seen.insert(summary).second;
      const auto line = lines.find(values);
      result.summaries += fresh ? 1 : 0;
      if (line == lines.end() || line->second != 1) continue;
      result.named += fresh ? 1 : 0;
      const auto person =
          people.try_emplace(values, static_cast<std::uint32_t>(people.size())).first->second;
      visit.codes.push_back(visit.dictionary.intern(fmt::format("{}/{}", f, summary)));
      if (visit.codes.back() == person_of.size()) person_of.push_back(person);
      code.codes.push_back(code.dictionary.intern(table.columns[1].text(row)));
    }
  }
  result.visits.of_patient.resize(people.size());
  if (people.empty()) return result;
  const CodeSets all = collect_code_sets(visit, std::move(code), summaries.front().name);
  result.visits.sets = translate(all, dictionary);
  for (std::size_t v = 0; v < person_of.size(); ++v) {
    result.visits.of_patient[person_of[v]].push_back(all.set_of[v]);
  }
  return result;
}

Visits read_visits(Engine& engine, const Source& source, const CodeColumns& columns,
                   const std::optional<Spelling>& spelling, Dictionary& dictionary,
                   Progress& progress) {
  if (source.format == FileFormat::sets || columns.visit.empty()) {
    CodeSets all = read_all_codes(engine, source, columns, progress);
    if (spelling) (void)respell(all, *spelling);
    Visits visits{translate(all, dictionary), {}};
    for (const auto set : all.set_of) visits.of_patient.push_back({set});
    return visits;
  }
  Table table = load_codes(engine, source, columns, {columns.visit}, progress).rows.table;
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
