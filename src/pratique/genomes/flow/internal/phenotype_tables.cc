#include "pratique/genomes/flow/internal/phenotype_tables.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/data/number.h"
#include "pratique/genomes/flow/internal/named_columns.h"

namespace pratique::genomes::flow {
namespace {

std::string needed_column(const Source& source, const std::string& named,
                          std::initializer_list<std::string_view> usual, const char* option,
                          const char* what) {
  if (!named.empty()) return column_called(source, named);
  if (const auto found = likely_column(source, usual)) return *found;
  throw Error::input(std::string("no column looks like ") + what)
      .at(source.name)
      .hint(std::string("Name it with ") + option + ".");
}

// A column that is called so, and no other.
std::optional<std::string> column_named(const Source& source,
                                        std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    for (const auto& column : source.columns) {
      if (lower(column) == name) return column;
    }
  }
  return std::nullopt;
}

// Columns that both files have, but for those with a part of their own.
std::vector<std::pair<std::string, std::string>> shared_columns(
    const Source& dna, const Source& clinical, const std::vector<std::string>& named,
    const std::set<std::string>& taken) {
  std::vector<std::pair<std::string, std::string>> shared;
  for (const auto& name : named)
    shared.emplace_back(column_called(dna, name), column_called(clinical, name));
  if (!named.empty()) return shared;
  for (const auto& column : dna.columns) {
    if (taken.contains(lower(column))) continue;
    for (const auto& other : clinical.columns) {
      if (lower(other) == lower(column)) shared.emplace_back(column, other);
    }
  }
  return shared;
}

std::string shared_text(const Table& table, const std::vector<std::string>& columns,
                        std::size_t row) {
  std::string text;
  for (const auto& column : columns) {
    text += lower(std::string(table.column(column).text(row)));
    text += '\x1f';
  }
  return text;
}

std::optional<double> number_of(const Table& table, const std::optional<std::string>& column,
                                std::size_t row) {
  if (!column) return std::nullopt;
  const std::string_view text = table.column(*column).text(row);
  return is_number(text) ? std::optional(to_double(text)) : std::nullopt;
}

std::vector<std::string> code_columns(const Source& clinical,
                                      const std::vector<std::string>& named) {
  std::vector<std::string> codes;
  for (const auto& name : named) codes.push_back(column_called(clinical, name));
  for (const auto& column : clinical.columns) {
    if (!named.empty()) break;
    const std::string word = lower(column);
    if (word.find("icd") != std::string::npos || word.find("diagnos") != std::string::npos ||
        word == "code" || word == "codes")
      codes.push_back(column);
  }
  if (codes.empty()) {
    throw Error::input("no column looks like ICD-9 codes")
        .at(clinical.name)
        .hint("Name it with --codes.");
  }
  return codes;
}

// Numbers of names, in the order in which they come.
class Numbering {
 public:
  std::pair<std::size_t, bool> of(const std::string& name) {
    const auto [place, is_new] = numbers_.emplace(name, numbers_.size());
    return {place->second, is_new};
  }

 private:
  std::map<std::string, std::size_t> numbers_;
};

void add_place(std::vector<std::vector<std::uint32_t>>& places, std::size_t owner,
               std::size_t place) {
  places.resize(std::max(places.size(), owner + 1));
  auto& own = places[owner];
  const auto number = static_cast<std::uint32_t>(place);
  const auto at = std::lower_bound(own.begin(), own.end(), number);
  if (at == own.end() || *at != number) own.insert(at, number);
}

}  // namespace

PhenotypeTables read_phenotype_tables(const PhenotypeRequest& request, bool by_place,
                                      const Run& run) {
  const Source dna_file = run.open(request.dna);
  const Source clinical_file = run.open(request.clinical);
  PhenotypeTables read;
  read.map = table_b1();
  if (!request.map.empty()) {
    read.map =
        disease_genes_from(run.engine.load(run.open(request.map), {}, run.progress), request.map);
  }
  const std::string gene =
      needed_column(dna_file, request.gene, {"gene", "genes", "mutation", "variant", "locus"},
                    "--gene", "genes that are mutated");
  const std::string sample = request.sample.empty()
                                 ? likely_column(dna_file, {"sample", "dna", "id", "pseudonym"})
                                       .value_or(dna_file.columns.front())
                                 : column_called(dna_file, request.sample);
  const std::string person =
      needed_column(clinical_file, request.person,
                    {"name", "person", "patient", "member", "ssn", "id"}, "--person", "people");
  const auto codes = code_columns(clinical_file, request.codes);
  const auto repeats = likely_column(dna_file, {"repeats", "repeat", "cag"});
  const auto onset = likely_column(clinical_file, {"onset", "age_of_onset", "onset_age"});
  const auto dna_place = column_named(dna_file, {"location", "hospital", "site"});
  const auto clinical_place = column_named(clinical_file, {"location", "hospital", "site"});
  read.has_places = by_place && dna_place && clinical_place;
  std::set<std::string> taken = {lower(gene), lower(sample), lower(person)};
  for (const auto& code : codes) taken.insert(lower(code));
  if (repeats) taken.insert(lower(*repeats));
  if (read.has_places) taken.insert({lower(*dna_place), lower(*clinical_place)});
  std::vector<std::string> of_clinical;
  for (const auto& [here, there] : shared_columns(dna_file, clinical_file, request.on, taken)) {
    read.on.push_back(here);
    of_clinical.push_back(there);
  }

  Numbering places;
  const auto place_of = [&](std::string_view name) {
    const auto [number, is_new] = places.of(std::string(name));
    if (is_new) read.places.emplace_back(name);
    return number;
  };
  const Table dna = run.engine.load(dna_file, {}, run.progress);
  Numbering samples;
  for (std::size_t row = 0; row < dna.rows(); ++row) {
    const std::string name(dna.column(sample).text(row));
    const std::string told = shared_text(dna, read.on, row);
    // Without a name of its own every row is another sample.
    const auto [number, is_new] =
        samples.of(name.empty() ? std::to_string(row) + '\x1e' : name + '\x1e' + told);
    if (is_new) {
      read.samples.push_back(
          {.shared = told, .genes = {}, .repeats = number_of(dna, repeats, row)});
      read.sample_names.push_back(name);
    }
    for (auto& word : words_in(dna.column(gene).text(row)))
      read.samples[number].genes.push_back(std::move(word));
    if (read.has_places)
      add_place(read.sample_places, number, place_of(dna.column(*dna_place).text(row)));
  }
  for (const auto& column : request.made_from)
    read.made_from.push_back(column_called(clinical_file, column));
  const Table clinical = run.engine.load(clinical_file, {}, run.progress);
  Numbering people;
  for (std::size_t row = 0; row < clinical.rows(); ++row) {
    const std::string name(clinical.column(person).text(row));
    // A name with another sex or age is somebody else.
    const std::string told = shared_text(clinical, of_clinical, row);
    const auto [number, is_new] = people.of(name + '\x1e' + told);
    if (is_new) {
      read.people.push_back({.shared = told, .codes = {}});
      read.person_names.push_back(name);
      auto& fields = read.person_fields.emplace_back();
      for (const auto& column : read.made_from)
        fields.emplace_back(clinical.column(column).text(row));
    }
    ClinicalPerson& owner = read.people[number];
    for (const auto& column : codes) {
      for (const auto& code : words_in(clinical.column(column).text(row)))
        owner.codes.push_back(bare_code(code));
    }
    if (const auto age = number_of(clinical, onset, row);
        age && (!owner.onset || *age < *owner.onset))
      owner.onset = age;
    if (read.has_places)
      add_place(read.person_places, number, place_of(clinical.column(*clinical_place).text(row)));
  }
  return read;
}

std::uint64_t right_links(const PhenotypeTables& tables,
                          const std::vector<std::optional<std::uint32_t>>& link,
                          const std::string& truth, const Run& run) {
  const Source file = run.open(truth);
  const Table table = run.engine.load(file, {}, run.progress);
  const std::string sample = needed_column(file, "", {"sample", "dna", "id"}, "sample", "samples");
  const std::string person =
      needed_column(file, "", {"person", "name", "patient"}, "person", "people");
  std::set<std::pair<std::string, std::string>> pairs;
  for (std::size_t row = 0; row < table.rows(); ++row)
    pairs.emplace(table.column(sample).text(row), table.column(person).text(row));
  std::uint64_t right = 0;
  for (std::size_t s = 0; s < link.size(); ++s) {
    right +=
        link[s] && pairs.contains({tables.sample_names[s], tables.person_names[*link[s]]}) ? 1 : 0;
  }
  return right;
}

void write_links(const PhenotypeTables& tables,
                 const std::vector<std::optional<std::uint32_t>>& link, const std::string& out,
                 const Run& run) {
  std::vector<std::string> samples;
  std::vector<std::string> people;
  for (std::size_t s = 0; s < link.size(); ++s) {
    if (!link[s]) continue;
    samples.push_back(tables.sample_names[s]);
    people.push_back(tables.person_names[*link[s]]);
  }
  std::vector<Code> rows(samples.size());
  std::iota(rows.begin(), rows.end(), 0U);
  Output output;
  output.is_private = true;
  output.row_count = rows.size();
  output.columns = {{"sample", &rows, &samples}, {"person", &rows, &people}};
  run.engine.write(output, out, run.progress);
}

}  // namespace pratique::genomes::flow
