// The four protection systems of Malin (2006, B.1) built over a world of families, and the four
// attacks (B.2) run on each: table B.2 as measured shares instead of yes and no.
//
// What a system shows, as B.1 describes it:
//
//   TRUST      pedigrees with sex and disease status under f(SSN), a keyed pseudonym of the third
//              party; samples with sex, no place
//   SEMITRUST  per hospital, samples under g(h(identity)) and nothing about their people; h is
//   public-key
//              encryption without randomness, which whoever has the public key can compute
//   DENOM      samples of one place under random numbers, with a family code that tells relation,
//              sex and birth order; sex of the sample
//   DEID       per hospital, samples under random numbers with sex, decade of birth and three
//   digits
//              of the postcode; pedigrees with sex and disease status
//
// A cell is the share of the people whom the system protects (those with a sample; of FAMILY those
// in its pedigrees) whom the attack names, by the adversary that `adversaries` states:
//
//   FAMILY      has genealogies with names, sexes and birth order of all families
//   TRAIL       has the discharge lists of all hospitals, with names
//   GENPHEN     has the discharge lists with names, sex, year of birth, postcode and diagnoses
//   DICTIONARY  of TRUST: a requester who got some pairs of SSN and pseudonym by the FAMILY attack,
//               and tries all keys; of SEMITRUST: the third party, who sees h(identity) and has a
//               list of people; of DENOM and DEID the same list against random numbers
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/genomes/susceptibility/kindred.h"

namespace pratique::genomes {

inline constexpr std::array<std::string_view, 4> kSystems = {"TRUST", "SEMITRUST", "DENOM", "DEID"};
inline constexpr std::array<std::string_view, 4> kReidentifications = {"FAMILY", "TRAIL", "GENPHEN",
                                                                       "DICTIONARY"};

struct SusceptibilityOptions {
  std::uint32_t key_bits = 16;  // of the key of TRUST's pseudonyms
};

struct Susceptibility {
  // By attack, then by system.
  std::array<std::array<double, 4>, 4> shares{};
  // By system: people named by any attack, and when attacks alternate, each without those whom
  // another named, until nobody new is (B.3.5).
  std::array<double, 4> any{};
  std::array<double, 4> compounded{};
  std::array<std::uint64_t, 4> rounds{};
  std::uint64_t keys_tried = 0;
};

// Table B.2 as printed.
inline constexpr std::array<std::array<bool, 4>, 4> kPrintedB2 = {{{true, false, true, true},
                                                                   {false, true, false, true},
                                                                   {true, true, true, true},
                                                                   {true, true, false, false}}};

[[nodiscard]] Susceptibility measure_susceptibility(const Kindred& kindred,
                                                    const SusceptibilityOptions& options,
                                                    std::uint64_t seed, Progress& progress);

}  // namespace pratique::genomes
