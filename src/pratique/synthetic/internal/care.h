// The patients: who of the people falls ill, of what, where they are treated and where they leave
// DNA.
//
// A patient's stays are a walk: home hospital first, then mostly the same again, now and then
// another near one, or a referral. DNA is taken once per hospital at most; some patients withhold
// it everywhere, others in some places, so a DNA trail is a subtrail of its owner's identified
// trail.
//
// A DNA sequence has eight markers, one per inherited disease (the changed letter is there exactly
// in those who have it), then 88 sites where people differ. No two patients share a sequence.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/synthetic/internal/diagnoses.h"
#include "pratique/synthetic/internal/hospitals.h"
#include "pratique/synthetic/internal/people.h"

namespace pratique::synthetic {

struct Stay {
  HospitalIndex hospital = 0;
  Day admission = 0;
  std::uint16_t days = 0;
  std::uint32_t charges = 0;
  std::vector<DiagnosisIndex> diagnoses;  // the first is the main one
};

struct Patient {
  std::uint32_t person = 0;
  unsigned inherited = 0;                 // bit d: has inherited disease d
  std::vector<DiagnosisIndex> diagnoses;  // of all stays, the first is the main one
  std::vector<Stay> stays;                // by admission
  std::vector<HospitalIndex> dna_at;      // sorted; empty: withheld
  std::string sequence;                   // empty: no DNA anywhere
  std::string sample;                     // the sequence's fingerprint
};

// Exactly `count` of the people; the very young, the old and young women more often than others.
[[nodiscard]] std::vector<Patient> make_patients(std::size_t count,
                                                 const std::vector<Person>& people,
                                                 const Hospitals& hospitals, std::uint64_t seed,
                                                 Progress& progress);

}  // namespace pratique::synthetic
