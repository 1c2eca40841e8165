// Which notes are one person's, where nobody said so: the model of Fellegi and Sunter (1969).
//
// Two records are compared in each field: they agree, disagree, or one of them does not say. A
// field that agrees adds log2(m / u), one that disagrees log2((1 - m) / (1 - u)), where m is how
// often the records of one person agree in it and u how often those of two do. u is counted on
// pairs drawn at random; m and the share of pairs that are one person's are estimated by EM
// (Dempster et al. 1977) on the pairs that were compared, which are those that share a number, a
// day of birth or the beginning of a family name. A pair is linked when its probability is at least
// kLinkedFrom; links are closed transitively. Records with a patient's key are linked by it and by
// nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pratique::notes {

inline constexpr double kLinkedFrom = 0.9;

struct LinkRecord {
  std::string patient = {};  // key, where it is known
  std::string given = {}, family = {}, birth = {}, sex = {}, zip = {}, mrn = {};
};

struct LinkField {
  std::string name;
  double m = 0, u = 0;
  [[nodiscard]] double agrees() const;
  [[nodiscard]] double disagrees() const;
};

struct Linkage {
  std::vector<std::uint32_t> person;  // of each record, from 0 on in the order of first records
  std::uint32_t persons = 0;
  std::uint64_t compared = 0;  // pairs
  std::uint64_t links = 0;     // of these, one person's
  std::vector<LinkField> fields;
};

[[nodiscard]] Linkage link_records(const std::vector<LinkRecord>& records);

}  // namespace pratique::notes
