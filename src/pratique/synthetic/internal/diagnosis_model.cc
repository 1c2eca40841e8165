#include <algorithm>
#include <array>
#include <cmath>

#include "pratique/synthetic/internal/diagnoses.h"

namespace pratique::synthetic {
namespace {

// Shares of the patients. Far above nature's, so that a small world has enough of them to follow.
constexpr std::array<double, kInheritedDiseases> kInheritedRates = {0.003,  0.0004, 0.001,  0.001,
                                                                    0.0005, 0.0002, 0.0005, 0.0006};
constexpr std::size_t kSickleCell = 6;
constexpr double kSickleCellProneRate = 0.04;

constexpr double kFromMainCluster = 0.55;
constexpr double kFromCompanion = 0.25;
constexpr std::array<double, kAgeBands> kMoreCodes = {1.5, 1.5, 2, 4, 6};  // mean, beyond the first
constexpr std::size_t kMostCodes = 40;

// On {0, 1, ...} with the given mean.
std::size_t geometric(double mean, SeededRandom& random) {
  return static_cast<std::size_t>(std::log(1 - random.uniform()) / std::log(mean / (1 + mean)));
}

}  // namespace

AgeBand age_band(int age) {
  if (age < 1) return AgeBand::infant;
  if (age < 15) return AgeBand::child;
  if (age < 45) return AgeBand::young;
  return age < 65 ? AgeBand::middle : AgeBand::old;
}

DiagnosisModel::DiagnosisModel() {
  const auto diagnoses = all_diagnoses();
  for (const Sex sex : {Sex::female, Sex::male}) {
    for (std::size_t band = 0; band < kAgeBands; ++band) {
      Group group;
      group.codes.resize(clusters_of_diseases().size());
      std::vector<std::vector<double>> weights(clusters_of_diseases().size());
      for (std::size_t i = 0; i < diagnoses.size(); ++i) {
        const Diagnosis& diagnosis = diagnoses[i];
        const bool fits = (diagnosis.ages >> band & 1U) != 0 &&
                          (sex == Sex::female ? diagnosis.women : diagnosis.men);
        if (!fits) continue;
        group.codes[diagnosis.cluster].codes.push_back(static_cast<DiagnosisIndex>(i));
        weights[diagnosis.cluster].push_back(diagnosis.weight);
      }
      std::vector<double> cluster_weights(clusters_of_diseases().size());
      for (std::size_t cluster = 0; cluster < clusters_of_diseases().size(); ++cluster) {
        if (weights[cluster].empty()) continue;
        group.codes[cluster].table.emplace_back(weights[cluster]);
        cluster_weights[cluster] = clusters_of_diseases()[cluster].main_weights[band];
      }
      group.cluster.emplace_back(cluster_weights);
      groups_.push_back(std::move(group));
    }
  }
}

const DiagnosisModel::Group& DiagnosisModel::group(Sex sex, AgeBand band) const {
  return groups_[(sex == Sex::female ? 0 : kAgeBands) + static_cast<std::size_t>(band)];
}

unsigned DiagnosisModel::draw_inherited(int age, bool sickle_cell_prone, SeededRandom& random) {
  unsigned diseases = 0;
  const auto band = static_cast<unsigned>(age_band(age));
  for (std::size_t disease = 0; disease < kInheritedDiseases; ++disease) {
    const double rate = disease == kSickleCell && sickle_cell_prone ? kSickleCellProneRate
                                                                    : kInheritedRates[disease];
    const bool has = random.chance(rate);
    const bool of_age = (all_diagnoses()[inherited_disease(disease)].ages >> band & 1U) != 0;
    if (has && of_age) diseases |= 1U << disease;
  }
  return diseases;
}

std::vector<DiagnosisIndex> DiagnosisModel::draw(Sex sex, int age, unsigned inherited,
                                                 SeededRandom& random) const {
  const AgeBand band = age_band(age);
  const Group& choices = group(sex, band);
  const std::size_t main = choices.cluster[0].draw(random);
  const std::size_t count =
      std::min(kMostCodes, 1 + geometric(kMoreCodes[static_cast<std::size_t>(band)], random));
  const auto& companions = clusters_of_diseases()[main].companions;
  std::vector<DiagnosisIndex> codes;
  // A cluster may have fewer codes than asked for, so the tries are limited.
  for (std::size_t tries = 0; codes.empty() || (codes.size() < count && tries < 4 * count);
       ++tries) {
    std::size_t cluster = main;
    const double turn = codes.empty() ? 0 : random.uniform();
    if (turn >= kFromMainCluster + kFromCompanion) {
      cluster = choices.cluster[0].draw(random);
    } else if (turn >= kFromMainCluster) {
      const std::size_t other = companions[random.below(companions.size())];
      if (!choices.codes[other].table.empty()) cluster = other;
    }
    const Choice& choice = choices.codes[cluster];
    const DiagnosisIndex code = choice.codes[choice.table[0].draw(random)];
    const bool fits = codes.empty() ? all_diagnoses()[code].primary
                                    : std::find(codes.begin(), codes.end(), code) == codes.end();
    if (fits) codes.push_back(code);
  }
  for (std::size_t disease = 0; disease < kInheritedDiseases; ++disease) {
    if ((inherited >> disease & 1U) != 0) codes.push_back(inherited_disease(disease));
  }
  return codes;
}

}  // namespace pratique::synthetic
