#include "pratique/genomes/flow/attack_phenotype.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/data/number.h"
#include "pratique/genomes/attack/genotype_phenotype.h"
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

struct ClinicalRead {
  std::vector<ClinicalPerson> people;
  std::vector<std::string> names;
};

ClinicalRead people_in(const Table& table, const std::string& person,
                       const std::vector<std::string>& shared,
                       const std::vector<std::string>& codes,
                       const std::optional<std::string>& onset) {
  ClinicalRead read;
  std::map<std::string, std::size_t> place;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string name(table.column(person).text(row));
    // A name with another sex or age is somebody else.
    const std::string told = shared_text(table, shared, row);
    const auto [known, is_new] = place.emplace(name + '\x1e' + told, read.people.size());
    if (is_new) {
      read.people.push_back({.shared = told, .codes = {}});
      read.names.push_back(name);
    }
    ClinicalPerson& owner = read.people[known->second];
    for (const auto& column : codes) {
      for (const auto& code : words_in(table.column(column).text(row)))
        owner.codes.push_back(bare_code(code));
    }
    if (const auto age = number_of(table, onset, row); age && (!owner.onset || *age < *owner.onset))
      owner.onset = age;
  }
  return read;
}

std::uint64_t count_right(const PhenotypeFinding& finding, const Table& dna,
                          const std::string& sample, const std::vector<std::string>& names,
                          const Table& truth, const Source& truth_file) {
  const std::string truth_sample =
      needed_column(truth_file, "", {"sample", "dna", "id"}, "sample", "samples");
  const std::string truth_person =
      needed_column(truth_file, "", {"person", "name", "patient"}, "person", "people");
  std::set<std::pair<std::string, std::string>> pairs;
  for (std::size_t row = 0; row < truth.rows(); ++row) {
    pairs.emplace(truth.column(truth_sample).text(row), truth.column(truth_person).text(row));
  }
  std::uint64_t right = 0;
  for (std::size_t s = 0; s < finding.link.size(); ++s) {
    if (!finding.link[s]) continue;
    right +=
        pairs.contains({std::string(dna.column(sample).text(s)), names[*finding.link[s]]}) ? 1 : 0;
  }
  return right;
}

void write_phenotype_links(const PhenotypeFinding& finding, const Table& dna,
                           const std::string& sample, const std::vector<std::string>& names,
                           const std::string& out, const Run& run) {
  std::vector<std::string> samples;
  std::vector<std::string> people;
  for (std::size_t s = 0; s < finding.link.size(); ++s) {
    if (!finding.link[s]) continue;
    samples.emplace_back(dna.column(sample).text(s));
    people.push_back(names[*finding.link[s]]);
  }
  std::vector<Code> rows(samples.size());
  std::iota(rows.begin(), rows.end(), 0U);
  Output output;
  output.is_private = true;
  output.row_count = rows.size();
  output.columns = {{"sample", &rows, &samples}, {"person", &rows, &people}};
  run.engine.write(output, out, run.progress);
}

}  // namespace

Outcome attack_phenotype(const PhenotypeRequest& request, const Run& run) {
  const Source dna_file = run.open(request.dna);
  const Source clinical_file = run.open(request.clinical);
  std::vector<DiseaseGene> map = table_b1();
  if (!request.map.empty()) {
    const Source map_file = run.open(request.map);
    map = disease_genes_from(run.engine.load(map_file, {}, run.progress), request.map);
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
  std::vector<std::string> codes;
  for (const auto& named : request.codes) codes.push_back(column_called(clinical_file, named));
  for (const auto& column : clinical_file.columns) {
    if (!request.codes.empty()) break;
    const std::string word = lower(column);
    if (word.find("icd") != std::string::npos || word.find("diagnos") != std::string::npos ||
        word == "code" || word == "codes")
      codes.push_back(column);
  }
  if (codes.empty()) {
    throw Error::input("no column looks like ICD-9 codes")
        .at(request.clinical)
        .hint("Name it with --codes.");
  }
  const auto repeats = likely_column(dna_file, {"repeats", "repeat", "cag"});
  const auto onset = likely_column(clinical_file, {"onset", "age_of_onset", "onset_age"});
  std::set<std::string> taken = {lower(gene), lower(sample), lower(person)};
  for (const auto& code : codes) taken.insert(lower(code));
  if (repeats) taken.insert(lower(*repeats));
  const auto shared = shared_columns(dna_file, clinical_file, request.on, taken);
  std::vector<std::string> of_dna;
  std::vector<std::string> of_clinical;
  for (const auto& [here, there] : shared) {
    of_dna.push_back(here);
    of_clinical.push_back(there);
  }

  const Table dna = run.engine.load(dna_file, {}, run.progress);
  const Table clinical = run.engine.load(clinical_file, {}, run.progress);
  std::vector<DnaSample> samples;
  for (std::size_t row = 0; row < dna.rows(); ++row) {
    samples.push_back({.shared = shared_text(dna, of_dna, row),
                       .genes = words_in(dna.column(gene).text(row)),
                       .repeats = number_of(dna, repeats, row)});
  }
  const auto read = people_in(clinical, person, of_clinical, codes, onset);
  const auto finding = attack_phenotypes(samples, read.people, map, run.progress);
  const bool tried = finding.informative > 0 && finding.people > 0;
  const double share = finding.samples == 0 ? 0
                                            : static_cast<double>(finding.reidentified) /
                                                  static_cast<double>(finding.samples);
  Json result = {{"samples", finding.samples},
                 {"people", finding.people},
                 {"diseases", map.size()},
                 {"on", of_dna},
                 {"informative", finding.informative},
                 {"unmatched", finding.unmatched},
                 {"before", finding.before},
                 {"after", finding.after},
                 {"reidentified_before", finding.reidentified_before},
                 {"reidentified", finding.reidentified},
                 {"reidentified_share", tried ? Json(share) : Json(nullptr)},
                 {"tried", tried}};
  if (!tried)
    result["note"] = "not tried: no sample has a gene of the map, or there is nobody to match";
  if (!request.truth.empty()) {
    const Source truth_file = run.open(request.truth);
    result["right"] = count_right(finding, dna, sample, read.names,
                                  run.engine.load(truth_file, {}, run.progress), truth_file);
  }
  if (!request.out.empty()) {
    write_phenotype_links(finding, dna, sample, read.names, request.out, run);
    result["out"] = request.out;
  }
  return {result, !request.fail_above || (tried && share <= *request.fail_above)};
}

}  // namespace pratique::genomes::flow
