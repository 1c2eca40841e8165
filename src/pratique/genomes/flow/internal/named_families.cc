#include "pratique/genomes/flow/internal/named_families.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "pratique/genomes/format/inflated.h"
#include "pratique/words/words.h"

namespace pratique::genomes::flow {
namespace {

using Numbers = std::vector<std::vector<std::optional<std::uint32_t>>>;

// "Änne /Berg/", "Berg, Anne" and "ANNE BERG" are one.
std::string plain_name(std::string text) {
  if (const auto comma = text.find(','); comma != std::string::npos)
    text = text.substr(comma + 1) + " " + text.substr(0, comma);
  std::replace(text.begin(), text.end(), '/', ' ');
  std::istringstream parts(words::folded(text));
  std::string plain;
  for (std::string part; parts >> part;) plain += (plain.empty() ? "" : " ") + part;
  return plain;
}

// Numbers by name, without names that several have.
class OwnNames {
 public:
  void add(const std::string& name, std::uint32_t number) {
    const auto [place, is_new] = numbers_.emplace(name, number);
    if (!is_new) place->second = std::nullopt;
  }
  [[nodiscard]] std::optional<std::uint32_t> of(const std::string& name) const {
    const auto place = numbers_.find(name);
    return place == numbers_.end() ? std::nullopt : place->second;
  }

 private:
  std::map<std::string, std::optional<std::uint32_t>> numbers_;
};

// A number that two relatives would have is neither's.
void drop_repeated(Numbers& numbers) {
  std::map<std::uint32_t, std::uint64_t> times;
  for (const auto& family : numbers) {
    for (const auto& number : family) times[number.value_or(0)] += number ? 1 : 0;
  }
  for (auto& family : numbers) {
    for (auto& number : family) {
      if (number && times[*number] > 1) number.reset();
    }
  }
}

std::uint64_t numbered(const Numbers& numbers) {
  std::uint64_t count = 0;
  for (const auto& family : numbers) {
    count += static_cast<std::uint64_t>(
        std::count_if(family.begin(), family.end(), [](const auto& n) { return n.has_value(); }));
  }
  return count;
}

}  // namespace

std::vector<Pedigree> read_pedigrees(const std::string& path, const Run& run) {
  std::string text;
  read_inflated(
      path, path, [&](std::string_view block) { text += block; }, run.progress);
  return parse_pedigrees(path, text);
}

NamedFamilies::NamedFamilies(const std::string& pedigrees, const std::string& genealogies,
                             const PhenotypeTables& tables, const Run& run)
    : pedigrees_(read_pedigrees(pedigrees, run)), named_(read_pedigrees(genealogies, run)) {
  OwnNames samples;
  for (std::uint32_t s = 0; s < tables.sample_names.size(); ++s)
    samples.add(tables.sample_names[s], s);
  OwnNames people;
  for (std::uint32_t p = 0; p < tables.person_names.size(); ++p)
    people.add(plain_name(tables.person_names[p]), p);
  for (const auto& pedigree : pedigrees_) {
    auto& own = sample_of_.emplace_back();
    for (const auto& relative : pedigree.people) {
      auto sample = samples.of(relative.name);
      if (!sample) sample = samples.of(pedigree.family + "_" + relative.name);
      own.push_back(sample);
    }
  }
  for (const auto& pedigree : named_) {
    auto& own = person_of_.emplace_back();
    for (const auto& relative : pedigree.people)
      own.push_back(people.of(plain_name(relative.name)));
  }
  drop_repeated(sample_of_);
  drop_repeated(person_of_);
}

std::uint64_t NamedFamilies::samples() const { return numbered(sample_of_); }
std::uint64_t NamedFamilies::people() const { return numbered(person_of_); }

std::uint64_t NamedFamilies::name_samples(std::vector<std::optional<std::uint32_t>>& links,
                                          Progress& progress) const {
  std::map<std::uint32_t, RelativePlace> place_of_person;
  FamilyMarks marks;
  FamilyMarks named_marks;
  for (std::size_t f = 0; f < named_.size(); ++f) {
    named_marks.emplace_back(named_[f].people.size(), 0);
    for (std::size_t p = 0; p < named_[f].people.size(); ++p) {
      if (person_of_[f][p]) place_of_person[*person_of_[f][p]] = {f, p};
    }
  }
  // Whoever is linked, and stands in both, is the same relative.
  for (std::size_t f = 0; f < pedigrees_.size(); ++f) {
    marks.emplace_back(pedigrees_[f].people.size(), 0);
    for (std::size_t p = 0; p < pedigrees_[f].people.size(); ++p) {
      const auto& sample = sample_of_[f][p];
      if (!sample || !links[*sample]) continue;
      const auto there = place_of_person.find(*links[*sample]);
      if (there == place_of_person.end()) continue;
      const std::uint64_t mark = *links[*sample] + std::uint64_t{1};
      marks[f][p] = mark;
      named_marks[there->second.family][there->second.person] = mark;
    }
  }
  std::vector<bool> named(1, false);
  for (const auto& link : links) {
    if (!link) continue;
    if (named.size() <= *link) named.resize(*link + std::size_t{1}, false);
    named[*link] = true;
  }
  std::uint64_t newly_named = 0;
  const auto name_by = [&](const FamilyKnowledge& both) {
    for (const auto& [here, there] :
         match_members(pedigrees_, marks, named_, named_marks, both, progress)) {
      const auto& sample = sample_of_[here.family][here.person];
      const auto& person = person_of_[there.family][there.person];
      if (!sample || !person || links[*sample]) continue;
      if (*person < named.size() && named[*person]) continue;
      links[*sample] = person;
      if (named.size() <= *person) named.resize(*person + std::size_t{1}, false);
      named[*person] = true;
      ++newly_named;
    }
  };
  FamilyKnowledge both = told_by_both(pedigrees_, named_, {});
  name_by(both);
  // A register may not know of everybody who is affected.
  if (both.status) {
    both.status = false;
    name_by(both);
  }
  return newly_named;
}

}  // namespace pratique::genomes::flow
