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

}  // namespace

PhenotypeFinding attack_phenotypes(const std::vector<DnaSample>& samples,
                                   const std::vector<ClinicalPerson>& people,
                                   const std::vector<DiseaseGene>& map, Progress& progress) {
  progress.begin("matching samples with diagnoses", samples.size());
  std::map<std::string, std::vector<std::uint32_t>> by_shared;
  for (std::uint32_t p = 0; p < people.size(); ++p) by_shared[people[p].shared].push_back(p);
  PhenotypeFinding finding;
  finding.samples = samples.size();
  finding.people = people.size();
  finding.link.resize(samples.size());
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const auto found = by_shared.find(samples[s].shared);
    std::vector<std::uint32_t> candidates =
        found == by_shared.end() ? std::vector<std::uint32_t>() : found->second;
    finding.before += static_cast<double>(candidates.size());
    finding.reidentified_before += candidates.size() == 1 ? 1 : 0;
    const auto diseases = diseases_of(samples[s], map);
    if (!diseases.empty()) {
      ++finding.informative;
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
