// Diagnosis codes per patient, in ICD-9-CM.
//
// Some six hundred real code numbers with rough relative frequencies, in clusters of diseases that
// come together. A patient has a main cluster, chosen by age and sex; codes come mostly from it,
// then from the clusters that accompany it (diabetes brings heart and kidney), sometimes from
// anywhere. Codes of one sex or of some ages are given to nobody else. Eight inherited diseases,
// the ones whose trails the literature studies, are given at their own rates and mark the DNA.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "pratique/crypto/random.h"
#include "pratique/synthetic/internal/names.h"

namespace pratique::synthetic {

enum class AgeBand : std::uint8_t { infant, child, young, middle, old };  // 0, 1, 15, 45, 65 and up
inline constexpr std::size_t kAgeBands = 5;
[[nodiscard]] AgeBand age_band(int age);

struct Diagnosis {
  std::string_view code;
  double weight = 0;
  std::uint8_t ages = 0;  // bit b: AgeBand b
  bool women = true;
  bool men = true;
  bool primary = true;  // may be the main diagnosis of a stay; causes and outcomes may not
  std::uint8_t cluster = 0;
};
[[nodiscard]] std::span<const Diagnosis> all_diagnoses();

struct ClusterOfDiseases {
  std::array<double, kAgeBands> main_weights{};  // how often it is a patient's main one
  std::vector<std::size_t> companions;
};
[[nodiscard]] const std::vector<ClusterOfDiseases>& clusters_of_diseases();

using DiagnosisIndex = std::uint16_t;

inline constexpr std::size_t kInheritedDiseases = 8;
// In all_diagnoses(), by disease.
[[nodiscard]] DiagnosisIndex inherited_disease(std::size_t disease);

class DiagnosisModel {
 public:
  DiagnosisModel();
  // Without repeats, at least one; the first is the main diagnosis. Bit d of `inherited` says who
  // has disease d.
  [[nodiscard]] std::vector<DiagnosisIndex> draw(Sex sex, int age, unsigned inherited,
                                                 SeededRandom& random) const;
  [[nodiscard]] static unsigned draw_inherited(int age, bool sickle_cell_prone,
                                               SeededRandom& random);

 private:
  struct Choice {
    std::vector<DiagnosisIndex> codes;
    std::vector<AliasTable> table;  // one, or none where there is nothing to choose
  };
  struct Group {                      // of one sex and age band
    std::vector<AliasTable> cluster;  // one
    std::vector<Choice> codes;        // by cluster
  };
  [[nodiscard]] const Group& group(Sex sex, AgeBand band) const;
  std::vector<Group> groups_;
};

}  // namespace pratique::synthetic
