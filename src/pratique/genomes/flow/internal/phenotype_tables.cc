#include "pratique/genomes/flow/internal/phenotype_tables.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/data/missing_word.h"
#include "pratique/data/number.h"
#include "pratique/genomes/flow/internal/named_columns.h"

namespace pratique::genomes::flow {
namespace {

std::string needed_column(const Source& source, const std::string& named,
                          std::initializer_list<std::string_view> usual, const char* option,
                          const char* what) {
  if (!named.empty()) return column_called(source, named);
  if (const auto column = likely_column(source, usual)) return *column;
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

// Numbers that are equal become one text: 45.0 and +045 are 45.
std::string plain_number(std::string_view number) {
  const bool negative = number.front() == '-';
  if (negative || number.front() == '+') number.remove_prefix(1);
  std::string plain(number.substr(std::min(number.find_first_not_of('0'), number.size())));
  if (plain.find('.') != std::string::npos) plain.erase(plain.find_last_not_of('0') + 1);
  if (plain.ends_with('.')) plain.pop_back();
  if (plain.empty()) return "0";
  return negative ? "-" + plain : plain;
}

// As values are compared; empty where it is not known.
std::string compared_as(std::string_view text) {
  if (text.empty() || is_missing_word(text)) return "";
  return is_number(text) ? plain_number(text) : lower(std::string(text));
}

std::vector<std::string> told_in(const Table& table, const std::vector<std::string>& columns,
                                 std::size_t row) {
  std::vector<std::string> told;
  told.reserve(columns.size());
  for (const auto& column : columns) told.push_back(compared_as(table.column(column).text(row)));
  return told;
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

// Those who are one: of one name, and the same in what is known of them.
class Identities {
 public:
  // The number of one, and whether it is new.
  std::pair<std::size_t, bool> of(const std::string& name, const std::vector<std::string>& told) {
    const auto [place, is_new] = numbers_.emplace(std::pair(name, told), told_.size());
    if (!is_new) return {place->second, false};
    const bool partly = std::any_of(told.begin(), told.end(),
                                    [](const std::string& value) { return value.empty(); });
    auto& own = of_name_[name];
    own.partly_known = own.partly_known || partly;
    for (const std::size_t number : own.numbers) {
      if (!own.partly_known || !tell_the_same(told_[number], told)) continue;
      for (std::size_t c = 0; c < told.size(); ++c) {
        if (told_[number][c].empty()) told_[number][c] = told[c];
      }
      place->second = number;
      return {number, false};
    }
    own.numbers.push_back(told_.size());
    told_.push_back(told);
    return {place->second, true};
  }
  [[nodiscard]] const std::vector<std::string>& told(std::size_t number) const {
    return told_[number];
  }

 private:
  struct OfName {
    std::vector<std::size_t> numbers;
    bool partly_known = false;
  };
  std::map<std::pair<std::string, std::vector<std::string>>, std::size_t> numbers_;
  std::map<std::string, OfName> of_name_;
  std::vector<std::vector<std::string>> told_;
};

void add_place(std::vector<std::uint32_t>& places, std::size_t place) {
  const auto number = static_cast<std::uint32_t>(place);
  const auto at = std::lower_bound(places.begin(), places.end(), number);
  if (at == places.end() || *at != number) places.insert(at, number);
}

// Names of those that are chosen; whoever has none is another.
std::uint64_t different_names(const std::vector<std::string>& names,
                              const std::function<bool(std::size_t)>& chosen) {
  std::set<std::string_view> known;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (chosen(i) && (names[i].empty() || known.insert(names[i]).second)) ++count;
  }
  return count;
}

}  // namespace

PhenotypeTables read_phenotype_tables(const PhenotypeRequest& request, const Run& run) {
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
  read.person_column = person;
  const auto codes = code_columns(clinical_file, request.codes);
  const auto repeats = likely_column(dna_file, {"repeats", "repeat", "cag"});
  const auto onset = likely_column(clinical_file, {"onset", "age_of_onset", "onset_age"});
  const auto dna_place = column_named(dna_file, {"location", "hospital", "site"});
  const auto clinical_place = column_named(clinical_file, {"location", "hospital", "site"});
  read.has_places = dna_place && clinical_place;
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
  const auto seen_at = [&](std::vector<std::uint32_t>& own, std::string_view text) {
    const std::string place = compared_as(text);
    if (place.empty()) return;
    const auto [number, is_new] = places.of(place);
    if (is_new) read.places.push_back(place);
    add_place(own, number);
  };
  const Table dna = run.engine.load(dna_file, {}, run.progress);
  Identities samples;
  for (std::size_t row = 0; row < dna.rows(); ++row) {
    const std::string name(dna.column(sample).text(row));
    // Without a name of its own every row is another sample.
    const auto [number, is_new] =
        samples.of(name.empty() ? std::to_string(row) + '\x1e' : name, told_in(dna, read.on, row));
    if (is_new) {
      read.samples.push_back({.shared = {}, .genes = {}, .repeats = number_of(dna, repeats, row)});
      read.sample_names.push_back(name);
    }
    for (auto& word : words_in(dna.column(gene).text(row)))
      read.samples[number].genes.push_back(std::move(word));
    if (read.has_places) seen_at(read.samples[number].places, dna.column(*dna_place).text(row));
  }
  for (const auto& column : request.made_from)
    read.made_from.push_back(column_called(clinical_file, column));
  const Table clinical = run.engine.load(clinical_file, {}, run.progress);
  Identities people;
  for (std::size_t row = 0; row < clinical.rows(); ++row) {
    const std::string name(clinical.column(person).text(row));
    // A name with another sex or age is somebody else.
    const auto [number, is_new] = people.of(name, told_in(clinical, of_clinical, row));
    if (is_new) {
      read.people.push_back({.shared = {}, .codes = {}});
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
    if (read.has_places) seen_at(owner.places, clinical.column(*clinical_place).text(row));
  }
  for (std::size_t s = 0; s < read.samples.size(); ++s) read.samples[s].shared = samples.told(s);
  for (std::size_t p = 0; p < read.people.size(); ++p) read.people[p].shared = people.told(p);
  return read;
}

std::uint64_t count_samples(const PhenotypeTables& tables) {
  return different_names(tables.sample_names, [](std::size_t) { return true; });
}

std::uint64_t count_samples(const PhenotypeTables& tables,
                            const std::vector<std::optional<std::uint32_t>>& link) {
  return different_names(tables.sample_names, [&](std::size_t s) { return link[s].has_value(); });
}

std::uint64_t right_links(const PhenotypeTables& tables,
                          const std::vector<std::optional<std::uint32_t>>& link,
                          const std::string& truth, const Run& run) {
  const Source file = run.open(truth);
  const Table table = run.engine.load(file, {}, run.progress);
  const std::string sample = needed_column(file, "", {"sample", "dna", "id"}, "sample", "samples");
  const auto own = column_named(file, {lower(tables.person_column)});
  const std::string person =
      own ? *own : needed_column(file, "", {"person", "name", "patient"}, "person", "people");
  std::set<std::pair<std::string, std::string>> pairs;
  for (std::size_t row = 0; row < table.rows(); ++row)
    pairs.emplace(table.column(sample).text(row), table.column(person).text(row));
  return different_names(tables.sample_names, [&](std::size_t s) {
    return link[s] && pairs.contains({tables.sample_names[s], tables.person_names[*link[s]]});
  });
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
