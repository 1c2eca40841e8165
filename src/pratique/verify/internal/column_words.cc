#include "pratique/verify/internal/column_words.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace pratique::verify {
namespace {

// Accents of the letters that Western Europe writes with two bytes in UTF-8, left out.
std::string without_accents(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> kLetters[] = {
      {"àáâãäåæ", "a"}, {"ÀÁÂÃÄÅÆ", "A"}, {"çÇ", "c"}, {"èéêë", "e"},   {"ÈÉÊË", "E"},
      {"ìíîï", "i"},    {"ÌÍÎÏ", "I"},    {"ñÑ", "n"}, {"òóôõöø", "o"}, {"ÒÓÔÕÖØ", "O"},
      {"ùúûü", "u"},    {"ÙÚÛÜ", "U"},    {"ýÿ", "y"}, {"ß", "ss"}};
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string_view letter = text.substr(i, 1);
    if (static_cast<unsigned char>(text[i]) == 0xC3U && i + 1 < text.size()) {
      for (const auto& [marked, without] : kLetters) {
        const auto place = marked.find(text.substr(i, 2));
        if (place != std::string_view::npos && place % 2 == 0) letter = without;
      }
      ++i;
    }
    plain += letter;
  }
  return plain;
}

}  // namespace

std::set<std::string> words_of(std::string_view as_written) {
  const std::string name = without_accents(as_written);
  std::set<std::string> words;
  std::string word;
  bool small = false;
  for (const char c : name) {
    const auto u = static_cast<unsigned char>(c);
    const bool letter = std::isalpha(u) != 0;
    if (!letter || (std::isupper(u) != 0 && small)) {
      if (!word.empty()) words.insert(std::move(word));
      word.clear();
    }
    if (letter) word += static_cast<char>(std::tolower(u));
    small = std::islower(u) != 0;
  }
  if (!word.empty()) words.insert(word);
  return words;
}

bool any_among(const std::set<std::string>& words, std::initializer_list<const char*> wanted) {
  return std::any_of(wanted.begin(), wanted.end(),
                     [&](const char* word) { return words.count(word) > 0; });
}

std::optional<std::string> forbidden_name(const std::set<std::string>& words) {
  if (any_among(words, {"ip", "mac"})) return std::nullopt;
  for (const char* word : {"email",       "phone",         "telephone",
                           "fax",         "ssn",           "mrn",
                           "surname",     "forename",      "firstname",
                           "lastname",    "fname",         "lname",
                           "address",     "street",        "city",
                           "county",      "latitude",      "longitude",
                           "nachname",    "vorname",       "familienname",
                           "zuname",      "geburtsname",   "patientenname",
                           "prenom",      "apellido",      "apellidos",
                           "cognome",     "adresse",       "anschrift",
                           "strasse",     "hausnummer",    "wohnort",
                           "telefon",     "telefonnummer", "handy",
                           "handynummer", "mobilnummer",   "patientennummer",
                           "fallnummer",  "fips",          "cnty",
                           "geoid",       "coordinates",   "doy",
                           "yday",        "cidade",        "comune",
                           "voornaam",    "achternaam",    "woonplaats",
                           "pesel",       "personnummer",  "maiden",
                           "birthplace",  "geburtsort",    "zcta",
                           "tract",       "blockgroup",    "dow",
                           "commune",     "stadt",         "kreis",
                           "departement", "provincia"}) {
    if (words.count(word) > 0) return word;
  }
  if (words.count("of") > 0 && words.count("day") > 0 && words.count("year") > 0)
    return "day of year";
  if (words.count("birth") > 0 && words.count("place") > 0) return "place of birth";
  if (words.count("block") > 0 && words.count("group") > 0) return "block group";
  // Numbers of two words: PatientenNr.
  if (words.count("nr") > 0 &&
      any_among(words, {"patienten", "patient", "fall", "handy", "telefon"}))
    return "number of a patient";
  const std::set<std::string> name = {"name"};
  if (words == name || (words.count("name") > 0 && words.size() == 2 &&
                        any_among(words, {"first", "last", "patient", "full", "family"})))
    return "name";
  return std::nullopt;
}

bool is_called_by_a_number(std::set<std::string> words) {
  if (any_among(words, {"konto", "kontonummer", "kontonr", "faxnr", "faxnummer", "svnr", "ahv",
                        "ahvnr", "karteinr", "karteinummer", "versnr"}))
    return true;
  for (const char* number : {"n", "nr", "no", "num", "number"}) words.erase(number);
  // With another word it is something of it: device_type.
  return words.size() == 1 &&
         any_among(words, {"member", "policy", "medicaid", "medicare", "device", "chi", "nip",
                           "ipp", "akte", "dossier", "crn"});
}

}  // namespace pratique::verify
