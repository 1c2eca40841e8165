// What kind of word a word is: a given name, a family name, a place, an English word, a medical
// one. The lists come from Debian packages and are put into one table when the program is built
// (tools/make_words.py); none is needed where it runs.
//
// Words are compared without regard to case and accents: Zoë, ZOE and zoe are one word. The table
// holds 48 bits of each word's hash; that some other word has the kinds of one of 300,000 listed
// ones by chance happens once in a billion lookups.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pratique::words {

enum Kind : std::uint16_t {
  kMale = 1,  // given names
  kFemale = 2,
  kFamily = 4,
  kTown = 8,
  kRegion = 16,     // countries, states, provinces
  kEnglish = 32,    // written small in a dictionary
  kMedical = 64,    // of a medical dictionary
  kEponym = 128,    // the same, written with a capital: Parkinson
  kProper = 256,    // written with a capital in an English dictionary
  kFrequent = 512,  // a name of several countries
  kJob = 1024,
  kStreet = 2048,        // Avenue, strasse, rue
  kCapitals = 4096,      // written in capitals alone
  kOrganisation = 8192,  // employers, insurers, shops, schools that many know by name
  kHospital = 16384,
  kCertainJob = 32768,  // what people work as, and little else
};
inline constexpr std::uint16_t kGiven = kMale | kFemale;
inline constexpr std::uint16_t kName = kMale | kFemale | kFamily;

// Small letters without accents; bytes that are no UTF-8 stay.
[[nodiscard]] std::string folded(std::string_view word);
// FNV-1a of the folded word.
[[nodiscard]] std::uint64_t hash_of(std::string_view word);
[[nodiscard]] std::uint16_t kinds_of(std::string_view word);
[[nodiscard]] std::uint16_t kinds_of_hash(std::uint64_t hash);

// Words to draw from, sorted; those of the world leave out the English-speaking countries.
enum class List {
  male,
  female,
  family,
  world_male,
  world_female,
  world_family,
  towns,
  world_towns,
  regions,
  countries,
  jobs,
  english
};
[[nodiscard]] const std::vector<std::string_view>& list(List list);

// Names by where they are from: a language, or a country that speaks English. `list`: male, female
// or family.
[[nodiscard]] std::size_t origins();
[[nodiscard]] const std::vector<std::string_view>& names_of_origin(std::size_t origin, List list);

}  // namespace pratique::words
