#include "pratique/columns/safe_harbor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "pratique/columns/internal/column_name.h"

namespace pratique::columns {
namespace {

using Identifier = SafeHarborIdentifier;
using internal::ColumnName;

struct Description {
  Identifier identifier;
  char paragraph;
  std::string_view text;
};

constexpr std::array<Description, 19> kDescriptions = {{
    {Identifier::names, 'A', "names"},
    {Identifier::geography, 'B', "geographic units smaller than a state"},
    {Identifier::dates, 'C', "dates more precise than the year"},
    {Identifier::ages_over_89, 'C', "ages over 89"},
    {Identifier::telephone_numbers, 'D', "telephone numbers"},
    {Identifier::fax_numbers, 'E', "fax numbers"},
    {Identifier::email_addresses, 'F', "email addresses"},
    {Identifier::social_security_numbers, 'G', "social security numbers"},
    {Identifier::medical_record_numbers, 'H', "medical record numbers"},
    {Identifier::health_plan_numbers, 'I', "health plan beneficiary numbers"},
    {Identifier::account_numbers, 'J', "account numbers"},
    {Identifier::license_numbers, 'K', "certificate and license numbers"},
    {Identifier::vehicle_identifiers, 'L', "vehicle identifiers"},
    {Identifier::device_identifiers, 'M', "device identifiers"},
    {Identifier::web_addresses, 'N', "web addresses"},
    {Identifier::ip_addresses, 'O', "IP addresses"},
    {Identifier::biometric_identifiers, 'P', "biometric identifiers"},
    {Identifier::photographs, 'Q', "full-face photographs"},
    {Identifier::other_unique_identifiers, 'R', "other unique identifying numbers or codes"},
}};

const Description& description(Identifier identifier) {
  return kDescriptions[static_cast<std::size_t>(identifier)];
}

struct NameRule {
  Identifier identifier;
  std::string_view phrase;
};

// The rule with the longest phrase speaks: "ip address" is no address.
constexpr NameRule kNameRules[] = {
    {Identifier::names, "name"},
    {Identifier::names, "first name"},
    {Identifier::names, "last name"},
    {Identifier::names, "middle name"},
    {Identifier::names, "given name"},
    {Identifier::names, "family name"},
    {Identifier::names, "maiden name"},
    {Identifier::names, "full name"},
    {Identifier::names, "maiden"},
    {Identifier::names, "mother name"},
    {Identifier::names, "father name"},
    {Identifier::names, "patient name"},
    {Identifier::names, "names"},
    {Identifier::names, "surname"},
    {Identifier::names, "forename"},
    {Identifier::names, "fname"},
    {Identifier::names, "lname"},
    {Identifier::names, "initials"},
    {Identifier::names, "next of kin"},
    // Of German, French, Spanish and Italian files.
    {Identifier::names, "nachname"},
    {Identifier::names, "vorname"},
    {Identifier::names, "familienname"},
    {Identifier::names, "zuname"},
    {Identifier::names, "rufname"},
    {Identifier::names, "geburtsname"},
    {Identifier::names, "patientenname"},
    {Identifier::names, "prénom"},
    {Identifier::names, "prenom"},
    {Identifier::names, "nom de famille"},
    {Identifier::names, "nom patient"},
    {Identifier::names, "apellido"},
    {Identifier::names, "apellidos"},
    {Identifier::names, "cognome"},
    {Identifier::names, "voornaam"},
    {Identifier::names, "achternaam"},
    {Identifier::names, "sobrenome"},
    {Identifier::names, "nazwisko"},
    {Identifier::geography, "zip"},
    {Identifier::geography, "zip code"},
    {Identifier::geography, "postcode"},
    {Identifier::geography, "post code"},
    {Identifier::geography, "postal code"},
    {Identifier::geography, "plz"},
    {Identifier::geography, "postleitzahl"},
    {Identifier::geography, "code postal"},
    {Identifier::geography, "codigo postal"},
    {Identifier::geography, "postnummer"},
    {Identifier::geography, "wohnort"},
    {Identifier::geography, "address"},
    {Identifier::geography, "addr"},
    {Identifier::geography, "street"},
    {Identifier::geography, "street name"},
    {Identifier::geography, "city"},
    {Identifier::geography, "city name"},
    {Identifier::geography, "town"},
    {Identifier::geography, "village"},
    {Identifier::geography, "suburb"},
    {Identifier::geography, "county"},
    {Identifier::geography, "county name"},
    {Identifier::geography, "counties"},
    {Identifier::geography, "cnty"},
    {Identifier::geography, "fips"},
    {Identifier::geography, "borough"},
    {Identifier::geography, "municipality"},
    {Identifier::geography, "precinct"},
    {Identifier::geography, "parish"},
    {Identifier::geography, "census tract"},
    {Identifier::geography, "tract"},
    {Identifier::geography, "block group"},
    {Identifier::geography, "zcta"},
    {Identifier::geography, "birthplace"},
    {Identifier::geography, "birth place"},
    {Identifier::geography, "place of birth"},
    {Identifier::geography, "geburtsort"},
    {Identifier::geography, "geocode"},
    {Identifier::geography, "plz"},
    {Identifier::geography, "postleitzahl"},
    {Identifier::geography, "code postal"},
    {Identifier::geography, "código postal"},
    {Identifier::geography, "codigo postal"},
    {Identifier::geography, "adresse"},
    {Identifier::geography, "anschrift"},
    {Identifier::geography, "dirección"},
    {Identifier::geography, "direccion"},
    {Identifier::geography, "indirizzo"},
    {Identifier::geography, "straße"},
    {Identifier::geography, "strasse"},
    {Identifier::geography, "hausnummer"},
    {Identifier::geography, "wohnort"},
    {Identifier::geography, "gemeinde"},
    {Identifier::geography, "landkreis"},
    {Identifier::geography, "rue"},
    {Identifier::geography, "calle"},
    {Identifier::geography, "ville"},
    {Identifier::geography, "ciudad"},
    {Identifier::geography, "cidade"},
    {Identifier::geography, "comune"},
    {Identifier::geography, "woonplaats"},
    {Identifier::geography, "gemeente"},
    {Identifier::geography, "straat"},
    {Identifier::geography, "latitude"},
    {Identifier::geography, "longitude"},
    {Identifier::geography, "coordinates"},
    {Identifier::geography, "geolocation"},
    {Identifier::geography, "geoid"},
    {Identifier::dates, "date"},
    {Identifier::dates, "datum"},
    {Identifier::dates, "geburtsdatum"},
    {Identifier::dates, "aufnahmedatum"},
    {Identifier::dates, "entlassdatum"},
    {Identifier::dates, "dob"},
    {Identifier::dates, "dod"},
    {Identifier::dates, "birth date"},
    {Identifier::dates, "date of birth"},
    {Identifier::dates, "birthday"},
    {Identifier::dates, "birthdate"},
    {Identifier::dates, "date of death"},
    {Identifier::dates, "admission date"},
    {Identifier::dates, "discharge date"},
    {Identifier::dates, "month"},
    {Identifier::dates, "birth month"},
    {Identifier::dates, "month of birth"},
    {Identifier::dates, "birth day"},
    {Identifier::dates, "day of birth"},
    {Identifier::dates, "weekday"},
    {Identifier::dates, "dow"},
    {Identifier::dates, "day of week"},
    {Identifier::dates, "datum"},
    {Identifier::dates, "geburtsdatum"},
    {Identifier::dates, "geburtstag"},
    {Identifier::dates, "aufnahmedatum"},
    {Identifier::dates, "entlassdatum"},
    {Identifier::dates, "entlassungsdatum"},
    {Identifier::dates, "sterbedatum"},
    {Identifier::dates, "todesdatum"},
    {Identifier::dates, "date de naissance"},
    {Identifier::dates, "fecha"},
    {Identifier::dates, "fecha de nacimiento"},
    {Identifier::dates, "data di nascita"},
    {Identifier::dates, "geboortedatum"},
    {Identifier::dates, "data de nascimento"},
    {Identifier::dates, "day of year"},
    {Identifier::dates, "doy"},
    {Identifier::dates, "yday"},
    {Identifier::dates, "julian day"},
    {Identifier::dates, "julian date"},
    {Identifier::dates, "timestamp"},
    {Identifier::dates, "datetime"},
    {Identifier::telephone_numbers, "phone"},
    {Identifier::telephone_numbers, "phone number"},
    {Identifier::telephone_numbers, "telephone"},
    {Identifier::telephone_numbers, "telephone number"},
    {Identifier::telephone_numbers, "tel"},
    {Identifier::telephone_numbers, "mobile"},
    {Identifier::telephone_numbers, "cell phone"},
    {Identifier::telephone_numbers, "telefon"},
    {Identifier::telephone_numbers, "telefonnummer"},
    {Identifier::telephone_numbers, "telefon number"},
    {Identifier::telephone_numbers, "handy"},
    {Identifier::telephone_numbers, "handynummer"},
    {Identifier::telephone_numbers, "handy number"},
    {Identifier::telephone_numbers, "mobil"},
    {Identifier::telephone_numbers, "mobilnummer"},
    {Identifier::telephone_numbers, "mobiltelefon"},
    {Identifier::telephone_numbers, "téléphone"},
    {Identifier::telephone_numbers, "teléfono"},
    {Identifier::telephone_numbers, "telefono"},
    {Identifier::telephone_numbers, "móvil"},
    {Identifier::telephone_numbers, "pager"},
    {Identifier::fax_numbers, "fax"},
    {Identifier::fax_numbers, "fax number"},
    {Identifier::email_addresses, "email"},
    {Identifier::email_addresses, "e mail"},
    {Identifier::email_addresses, "mail"},
    {Identifier::email_addresses, "email address"},
    {Identifier::social_security_numbers, "ssn"},
    {Identifier::social_security_numbers, "social security"},
    {Identifier::social_security_numbers, "social security number"},
    {Identifier::social_security_numbers, "soc sec"},
    {Identifier::social_security_numbers, "soc sec id"},
    {Identifier::social_security_numbers, "codice fiscale"},
    {Identifier::social_security_numbers, "personnummer"},
    {Identifier::social_security_numbers, "pesel"},
    {Identifier::social_security_numbers, "bsn"},
    {Identifier::social_security_numbers, "dni"},
    {Identifier::medical_record_numbers, "mrn"},
    {Identifier::medical_record_numbers, "medical record"},
    {Identifier::medical_record_numbers, "medical record number"},
    {Identifier::medical_record_numbers, "chart number"},
    {Identifier::medical_record_numbers, "hospital number"},
    {Identifier::medical_record_numbers, "hosp number"},
    {Identifier::medical_record_numbers, "chart id"},
    {Identifier::medical_record_numbers, "nhs number"},
    {Identifier::health_plan_numbers, "beneficiary"},
    {Identifier::health_plan_numbers, "beneficiary id"},
    {Identifier::health_plan_numbers, "beneficiary number"},
    {Identifier::health_plan_numbers, "member id"},
    {Identifier::health_plan_numbers, "member number"},
    {Identifier::health_plan_numbers, "subscriber number"},
    {Identifier::health_plan_numbers, "subscriber id"},
    {Identifier::health_plan_numbers, "policy number"},
    {Identifier::health_plan_numbers, "insurance id"},
    {Identifier::health_plan_numbers, "insurance number"},
    {Identifier::health_plan_numbers, "medicare id"},
    {Identifier::health_plan_numbers, "medicaid id"},
    {Identifier::health_plan_numbers, "hicn"},
    {Identifier::health_plan_numbers, "versichertennummer"},
    {Identifier::health_plan_numbers, "krankenversichertennummer"},
    {Identifier::health_plan_numbers, "versicherten number"},
    {Identifier::health_plan_numbers, "versicherungsnummer"},
    {Identifier::health_plan_numbers, "kvnr"},
    {Identifier::health_plan_numbers, "e gk"},
    {Identifier::account_numbers, "account"},
    {Identifier::account_numbers, "account number"},
    {Identifier::account_numbers, "account id"},
    {Identifier::account_numbers, "acct"},
    {Identifier::account_numbers, "iban"},
    {Identifier::account_numbers, "card number"},
    {Identifier::license_numbers, "license"},
    {Identifier::license_numbers, "licence"},
    {Identifier::license_numbers, "license number"},
    {Identifier::license_numbers, "certificate"},
    {Identifier::license_numbers, "certificate number"},
    {Identifier::license_numbers, "passport"},
    {Identifier::license_numbers, "passport number"},
    {Identifier::license_numbers, "npi"},
    {Identifier::vehicle_identifiers, "vin"},
    {Identifier::vehicle_identifiers, "vehicle id"},
    {Identifier::vehicle_identifiers, "license plate"},
    {Identifier::vehicle_identifiers, "licence plate"},
    {Identifier::vehicle_identifiers, "plate number"},
    {Identifier::vehicle_identifiers, "plate"},
    {Identifier::vehicle_identifiers, "plates"},
    {Identifier::vehicle_identifiers, "number plate"},
    {Identifier::vehicle_identifiers, "vehicle registration"},
    {Identifier::vehicle_identifiers, "registration plate"},
    {Identifier::device_identifiers, "serial number"},
    {Identifier::device_identifiers, "device id"},
    {Identifier::device_identifiers, "device serial"},
    {Identifier::device_identifiers, "imei"},
    {Identifier::device_identifiers, "mac address"},
    {Identifier::web_addresses, "url"},
    {Identifier::web_addresses, "website"},
    {Identifier::web_addresses, "web address"},
    {Identifier::web_addresses, "homepage"},
    {Identifier::ip_addresses, "ip"},
    {Identifier::ip_addresses, "ip address"},
    {Identifier::ip_addresses, "ip addr"},
    {Identifier::biometric_identifiers, "fingerprint"},
    {Identifier::biometric_identifiers, "biometric"},
    {Identifier::biometric_identifiers, "voiceprint"},
    {Identifier::biometric_identifiers, "voice print"},
    {Identifier::biometric_identifiers, "retina scan"},
    {Identifier::biometric_identifiers, "iris scan"},
    {Identifier::photographs, "photo"},
    {Identifier::photographs, "photograph"},
    {Identifier::photographs, "portrait"},
    {Identifier::photographs, "face image"},
    {Identifier::other_unique_identifiers, "id"},
    {Identifier::other_unique_identifiers, "identifier"},
    {Identifier::other_unique_identifiers, "uuid"},
    {Identifier::other_unique_identifiers, "guid"},
    {Identifier::other_unique_identifiers, "patient id"},
    {Identifier::other_unique_identifiers, "patient number"},
    {Identifier::other_unique_identifiers, "pat number"},
    {Identifier::other_unique_identifiers, "pat id"},
    {Identifier::other_unique_identifiers, "person number"},
    {Identifier::other_unique_identifiers, "subject number"},
    {Identifier::other_unique_identifiers, "subj number"},
    {Identifier::other_unique_identifiers, "participant number"},
    {Identifier::other_unique_identifiers, "study number"},
    {Identifier::other_unique_identifiers, "patienten number"},
    {Identifier::other_unique_identifiers, "patientennummer"},
    {Identifier::other_unique_identifiers, "patienten id"},
    {Identifier::other_unique_identifiers, "fall number"},
    {Identifier::other_unique_identifiers, "fallnummer"},
    {Identifier::other_unique_identifiers, "aufnahme number"},
    {Identifier::other_unique_identifiers, "aufnahmenummer"},
    {Identifier::other_unique_identifiers, "patid"},
    {Identifier::other_unique_identifiers, "enrolid"},
    {Identifier::other_unique_identifiers, "person id"},
    {Identifier::other_unique_identifiers, "subject id"},
    {Identifier::other_unique_identifiers, "sample id"},
    {Identifier::other_unique_identifiers, "case number"},
    {Identifier::other_unique_identifiers, "record number"},
    {Identifier::other_unique_identifiers, "user name"},
    {Identifier::other_unique_identifiers, "login"},
};

// What a name is the name of, when it is not a person's.
constexpr std::string_view kNamedThings[] = {
    "hospital", "drug",    "medication", "medicine",     "procedure",    "test",    "lab",
    "product",  "brand",   "generic",    "department",   "ward",         "unit",    "clinic",
    "company",  "file",    "variable",   "organisation", "organization", "disease", "diagnosis",
    "species",  "gene",    "country",    "state",        "facility",     "device",  "plan",
    "payer",    "insurer", "vaccine"};

// A column that is called by who a row is about, and no more, says who it is.
constexpr NameRule kWholeNames[] = {{Identifier::other_unique_identifiers, "patient"},
                                    {Identifier::other_unique_identifiers, "person"},
                                    {Identifier::other_unique_identifiers, "subject"},
                                    {Identifier::other_unique_identifiers, "participant"},
                                    {Identifier::other_unique_identifiers, "pid"},
                                    {Identifier::names, "nom"},
                                    {Identifier::names, "nombre"},
                                    {Identifier::names, "nome"},
                                    {Identifier::geography, "ort"}};

// Who somebody is to the patient: in texts, the name of somebody, and few of them in a small
// clinic.
constexpr std::string_view kRoles[] = {"contact",   "surgeon", "physician", "doctor",
                                       "clinician", "nurse",   "guardian",  "arzt",
                                       "chirurg",   "medecin", "medico",    "cirujano"};

// Short for latitude and longitude, where the numbers have decimals.
constexpr std::string_view kCoordinates[] = {"lat", "lon", "lng"};

bool any_word(const ColumnName& name, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return name.has(word); });
}

std::optional<NameRule> rule_of(const ColumnName& name) {
  const auto words = [](std::string_view phrase) {
    return std::count(phrase.begin(), phrase.end(), ' ');
  };
  std::optional<NameRule> best;
  for (const NameRule& rule : kNameRules) {
    if (!name.has(rule.phrase)) continue;
    if (rule.phrase == "name" && any_word(name, kNamedThings)) continue;
    if (!best || words(rule.phrase) > words(best->phrase)) best = rule;
  }
  for (const NameRule& rule : kWholeNames) {
    if (!best && name.words().size() == 1 && name.words().front() == rule.phrase) best = rule;
  }
  return best;
}

// Postcodes in any language, of which three digits may leave; those of a county (037) may not.
bool is_of_postcodes(std::string_view phrase) {
  constexpr std::string_view kPostcodes[] = {"zip", "post", "plz"};
  return std::any_of(std::begin(kPostcodes), std::end(kPostcodes), [&](std::string_view part) {
    return phrase.find(part) != std::string_view::npos;
  });
}

// The content that would make a name harmless.
bool content_speaks_against(const NameRule& rule, const ColumnContent& content) {
  constexpr double kNearlyAll = 0.95;
  constexpr std::uint64_t kShared = 100;  // rows per value from which a code names a group
  switch (rule.identifier) {
    case Identifier::dates:
      return content.share(Shape::year) >= kNearlyAll || content.type == ColumnType::boolean;
    case Identifier::geography:
      return (is_of_postcodes(rule.phrase) && content.share(Shape::zip_prefix) >= kNearlyAll) ||
             content.type == ColumnType::boolean;
    case Identifier::other_unique_identifiers:
    case Identifier::health_plan_numbers:
    case Identifier::account_numbers:
    case Identifier::license_numbers:
    case Identifier::device_identifiers:
      return content.distinct * kShared < content.present() || content.type == ColumnType::boolean;
    case Identifier::ip_addresses:  // an address is written with points: MEDREIMB_IP is money
      return content.type == ColumnType::integer || content.type == ColumnType::decimal ||
             content.type == ColumnType::boolean;
    default:
      return content.type == ColumnType::boolean;
  }
}

struct ContentRule {
  Identifier identifier;
  Shape shape;
  double least;      // share of the rows present from which the shape counts alone
  double with_name;  // the same when the name says so too
  std::string_view what;
};

constexpr std::uint64_t kFewRows = 20;  // where being different or unique means little
constexpr double kFirstRow = 0;         // any row at all
constexpr double kNever = 2;

constexpr ContentRule kContentRules[] = {
    {Identifier::email_addresses, Shape::email, kFirstRow, kFirstRow, "an email address"},
    {Identifier::social_security_numbers, Shape::social_security, kFirstRow, kFirstRow,
     "three, two and four digits, as a social security number has"},
    {Identifier::web_addresses, Shape::web_address, kFirstRow, kFirstRow, "a web address"},
    {Identifier::device_identifiers, Shape::mac_address, kFirstRow, kFirstRow,
     "the hardware address of a device"},
    {Identifier::telephone_numbers, Shape::phone, 0.05, kFirstRow, "a telephone number"},
    {Identifier::fax_numbers, Shape::phone, kNever, kFirstRow, "a telephone number"},
    {Identifier::ip_addresses, Shape::ip_address, 0.1, kFirstRow, "an IP address"},
    {Identifier::dates, Shape::precise_date, 0.05, kFirstRow, "a date with month or day"},
    {Identifier::vehicle_identifiers, Shape::vehicle_number, 0.5, kFirstRow,
     "17 letters and digits, as a vehicle has"},
    {Identifier::names, Shape::capitalised_words, kNever, 0.1, "two or more capitalised words"},
    {Identifier::geography, Shape::street_address, 0.3, 0.05, "a number and a street"},
};

std::string percent(double share) {
  if (share > 0 && share < 0.001) return "under 0.1 %";
  return fmt::format("{:.{}f} %", 100 * share, share >= 0.9995 ? 0 : 1);
}

class Suspicions {
 public:
  Suspicions(const std::string& column, const ColumnContent& content)
      : column_(column), content_(content), name_(column) {
    rule_ = rule_of(name_);
    if (!rule_ && !name_.words().empty()) {
      const std::string& last = name_.words().back();
      const auto* role = std::find(std::begin(kRoles), std::end(kRoles), last);
      const auto* axis = std::find(std::begin(kCoordinates), std::end(kCoordinates), last);
      if (role != std::end(kRoles) && content.type == ColumnType::text)
        rule_ = NameRule{Identifier::names, *role};
      if (axis != std::end(kCoordinates) && content.type == ColumnType::decimal)
        rule_ = NameRule{Identifier::geography, *axis};
    }
    if (rule_ && content_speaks_against(*rule_, content)) rule_.reset();
  }

  std::vector<SafeHarborFinding> all() && {
    if (content_.present() == 0) return {};
    for (const ContentRule& rule : kContentRules) {
      const double least = named(rule.identifier) ? rule.with_name : rule.least;
      if (content_.with(rule.shape) > 0 && content_.share(rule.shape) >= least) {
        by_content(rule.identifier, content_.with(rule.shape), rule.what);
      }
    }
    zip_codes();
    names_of_people();
    ages();
    unique_codes();
    if (rule_ && !reported(rule_->identifier)) {
      add(rule_->identifier, SafeHarborFinding::By::name, of_rows(content_.present()),
          fmt::format("the name of the column says '{}'", rule_->phrase));
    }
    const auto sureness = [](const SafeHarborFinding& finding) {
      return finding.by == SafeHarborFinding::By::both ? 1 : 0;
    };
    std::stable_sort(findings_.begin(), findings_.end(), [&](const auto& a, const auto& b) {
      return std::pair(sureness(a), a.share) > std::pair(sureness(b), b.share);
    });
    return std::move(findings_);
  }

 private:
  [[nodiscard]] bool named(Identifier identifier) const {
    return rule_ && rule_->identifier == identifier;
  }
  [[nodiscard]] bool reported(Identifier identifier) const {
    return std::any_of(findings_.begin(), findings_.end(),
                       [&](const auto& finding) { return finding.identifier == identifier; });
  }
  [[nodiscard]] double of_rows(std::uint64_t rows) const {
    return static_cast<double>(rows) / static_cast<double>(content_.rows);
  }
  void add(Identifier identifier, SafeHarborFinding::By by, double share, std::string why) {
    findings_.push_back({column_, identifier, by, share, std::move(why)});
  }
  void by_content(Identifier identifier, std::uint64_t rows, std::string_view what) {
    const double share = of_rows(rows);
    std::string why = fmt::format("{} of the rows hold {}", percent(share), what);
    if (named(identifier)) {
      why += fmt::format(", and the name of the column says '{}'", rule_->phrase);
    }
    add(identifier,
        named(identifier) ? SafeHarborFinding::By::both : SafeHarborFinding::By::content, share,
        std::move(why));
  }

  // Whole numbers of five digits are common; without a name only those with leading zeros or in the
  // form ZIP+4 are suspect.
  void zip_codes() {
    const bool code = content_.type == ColumnType::code && content_.share(Shape::zip_code) >= 0.95;
    const bool says_so = named(Identifier::geography) && content_.share(Shape::zip_code) >= 0.5;
    // Five digits in every row, shared by many rows, are hardly a quantity.
    const bool shared = content_.type == ColumnType::integer &&
                        content_.share(Shape::zip_code) == 1 && content_.present() >= kFewRows &&
                        3 * content_.distinct <= content_.present();
    if (code || says_so || shared) {
      by_content(Identifier::geography, content_.with(Shape::zip_code),
                 "five digits, as a ZIP code has");
    }
  }

  // Capitalised words, and too many different ones for a list of categories.
  void names_of_people() {
    const bool shaped = content_.share(Shape::capitalised_words) >= 0.8;
    const bool various =
        content_.present() >= kFewRows && 4 * content_.distinct >= content_.present();
    if (shaped && various && !named(Identifier::names) && !reported(Identifier::names)) {
      by_content(Identifier::names, content_.with(Shape::capitalised_words),
                 "two or more capitalised words, most of them different");
    }
  }

  void ages() {
    if (name_.says_age() && content_.with(Shape::over_89) > 0) {
      const double share = of_rows(content_.with(Shape::over_89));
      add(Identifier::ages_over_89, SafeHarborFinding::By::both, share,
          fmt::format("{} of the rows hold a number over 89, and the name of the column says that "
                      "they are ages",
                      percent(share)));
    }
  }

  void unique_codes() {
    const bool fitting = content_.type == ColumnType::integer ||
                         content_.type == ColumnType::code || content_.type == ColumnType::text;
    const bool unique =
        content_.present() >= kFewRows && 100 * content_.unique >= 99 * content_.present();
    const bool prose = content_.share(Shape::long_text) >= 0.5;
    const bool otherwise_known =
        !findings_.empty() || (rule_ && !named(Identifier::other_unique_identifiers));
    if (fitting && unique && !prose && !otherwise_known) {
      by_content(Identifier::other_unique_identifiers, content_.unique,
                 "a value that no other row holds");
    }
  }

  const std::string& column_;
  const ColumnContent& content_;
  ColumnName name_;
  std::optional<NameRule> rule_;
  std::vector<SafeHarborFinding> findings_;
};

}  // namespace

std::string_view to_string(SafeHarborIdentifier identifier) { return description(identifier).text; }

char paragraph(SafeHarborIdentifier identifier) { return description(identifier).paragraph; }

std::string_view to_string(SafeHarborFinding::By by) {
  switch (by) {
    case SafeHarborFinding::By::name:
      return "name";
    case SafeHarborFinding::By::content:
      return "content";
    case SafeHarborFinding::By::both:
      break;
  }
  return "both";
}

std::vector<SafeHarborFinding> safe_harbor_findings(const std::string& column,
                                                    const ColumnContent& content) {
  return Suspicions(column, content).all();
}

}  // namespace pratique::columns
