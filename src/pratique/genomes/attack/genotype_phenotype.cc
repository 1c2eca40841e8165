#include "pratique/genomes/attack/genotype_phenotype.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace pratique::genomes {
namespace {

bool has_code(const ClinicalPerson& person, const DiseaseGene& disease) {
  return std::any_of(person.codes.begin(), person.codes.end(), [&](const std::string& code) {
    return std::any_of(disease.codes.begin(), disease.codes.end(), [&](const std::string& begins) {
      return !begins.empty() && code.starts_with(begins);
    });
  });
}

bool onset_fits(const DnaSample& sample, const ClinicalPerson& person, const DiseaseGene& disease) {
  if (!disease.onset || !sample.repeats || !person.onset) return true;
  return std::abs(disease.onset->age(*sample.repeats) - *person.onset) <= disease.onset->within;
}

std::vector<const DiseaseGene*> diseases_of(const DnaSample& sample,
                                            const std::vector<DiseaseGene>& map) {
  std::vector<const DiseaseGene*> diseases;
  for (const auto& disease : map) {
    const bool carries =
        std::any_of(sample.genes.begin(), sample.genes.end(), [&](const std::string& gene) {
          return std::find(disease.genes.begin(), disease.genes.end(), gene) != disease.genes.end();
        });
    if (carries) diseases.push_back(&disease);
  }
  return diseases;
}

bool tells_all(const std::vector<std::string>& shared) {
  return std::none_of(shared.begin(), shared.end(),
                      [](const std::string& value) { return value.empty(); });
}

// People by what is known of them.
class PeopleByShared {
 public:
  explicit PeopleByShared(const std::vector<ClinicalPerson>& people) {
    for (std::uint32_t p = 0; p < people.size(); ++p) {
      const auto& shared = people[p].shared;
      (tells_all(shared) ? known_ : partly_known_)[shared].push_back(p);
    }
  }
  [[nodiscard]] std::vector<std::uint32_t> who_agree(const DnaSample& sample) const {
    std::vector<std::uint32_t> people;
    const auto add = [&](const auto& group) {
      if (tell_the_same(group.first, sample.shared))
        people.insert(people.end(), group.second.begin(), group.second.end());
    };
    if (!tells_all(sample.shared)) {
      std::for_each(known_.begin(), known_.end(), add);
    } else if (const auto group = known_.find(sample.shared); group != known_.end()) {
      add(*group);
    }
    std::for_each(partly_known_.begin(), partly_known_.end(), add);
    return people;
  }

 private:
  std::map<std::vector<std::string>, std::vector<std::uint32_t>> known_;
  std::map<std::vector<std::string>, std::vector<std::uint32_t>> partly_known_;
};

std::vector<std::uint32_t> seen_where(const DnaSample& sample,
                                      const std::vector<std::uint32_t>& candidates,
                                      const std::vector<ClinicalPerson>& people) {
  if (sample.places.empty()) return candidates;
  std::vector<std::uint32_t> at_all;
  std::vector<std::uint32_t> at_one;
  for (const std::uint32_t person : candidates) {
    const auto& places = people[person].places;
    const auto was_at = [&](std::uint32_t place) {
      return places.empty() || std::binary_search(places.begin(), places.end(), place);
    };
    if (std::all_of(sample.places.begin(), sample.places.end(), was_at)) at_all.push_back(person);
    if (std::any_of(sample.places.begin(), sample.places.end(), was_at)) at_one.push_back(person);
  }
  return at_all.empty() ? at_one : at_all;
}

}  // namespace

bool tell_the_same(const std::vector<std::string>& here, const std::vector<std::string>& there) {
  return std::equal(
      here.begin(), here.end(), there.begin(), there.end(),
      [](const std::string& a, const std::string& b) { return a.empty() || b.empty() || a == b; });
}

PhenotypeFinding attack_phenotypes(const std::vector<DnaSample>& samples,
                                   const std::vector<ClinicalPerson>& people,
                                   const std::vector<DiseaseGene>& map, Progress& progress) {
  progress.begin("matching samples with diagnoses", samples.size());
  const PeopleByShared by_shared(people);
  PhenotypeFinding finding;
  finding.samples = samples.size();
  finding.people = people.size();
  finding.link_before.resize(samples.size());
  finding.link.resize(samples.size());
  for (std::size_t s = 0; s < samples.size(); ++s) {
    auto candidates = seen_where(samples[s], by_shared.who_agree(samples[s]), people);
    finding.before += static_cast<double>(candidates.size());
    if (candidates.size() == 1) {
      ++finding.reidentified_before;
      finding.link_before[s] = candidates.front();
    }
    const auto diseases = diseases_of(samples[s], map);
    if (!diseases.empty()) {
      ++finding.informative;
      finding.compared += candidates.empty() ? 0 : 1;
      std::vector<std::uint32_t> left;
      for (const std::uint32_t person : candidates) {
        const bool fits =
            std::any_of(diseases.begin(), diseases.end(), [&](const DiseaseGene* disease) {
              return has_code(people[person], *disease) &&
                     onset_fits(samples[s], people[person], *disease);
            });
        if (fits) left.push_back(person);
      }
      if (left.empty()) {
        ++finding.unmatched;
      } else {
        candidates = std::move(left);
      }
    }
    finding.after += static_cast<double>(candidates.size());
    if (candidates.size() == 1) {
      ++finding.reidentified;
      finding.link[s] = candidates.front();
    }
    progress.advance(1);
  }
  if (!samples.empty()) {
    finding.before /= static_cast<double>(samples.size());
    finding.after /= static_cast<double>(samples.size());
  }
  return finding;
}

}  // namespace pratique::genomes
