#include "pratique/columns/internal/identifier_names.h"

#include <algorithm>
#include <span>

namespace pratique::columns::internal {
namespace {

using Identifier = SafeHarborIdentifier;

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
    {Identifier::names, "nom de jeune fille"},
    {Identifier::names, "nom de naissance"},
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
    {Identifier::geography, "código postal"},
    {Identifier::geography, "adresse"},
    {Identifier::geography, "anschrift"},
    {Identifier::geography, "dirección"},
    {Identifier::geography, "direccion"},
    {Identifier::geography, "indirizzo"},
    {Identifier::geography, "straße"},
    {Identifier::geography, "strasse"},
    {Identifier::geography, "hausnummer"},
    {Identifier::geography, "gemeinde"},
    {Identifier::geography, "landkreis"},
    {Identifier::geography, "rue"},
    {Identifier::geography, "calle"},
    {Identifier::geography, "ville"},
    {Identifier::geography, "ciudad"},
    {Identifier::geography, "cidade"},
    {Identifier::geography, "comune"},
    {Identifier::geography, "commune"},
    {Identifier::geography, "stadt"},
    {Identifier::geography, "kreis"},
    {Identifier::geography, "département"},
    {Identifier::geography, "provincia"},
    {Identifier::geography, "woonplaats"},
    {Identifier::geography, "gemeente"},
    {Identifier::geography, "straat"},
    {Identifier::geography, "latitude"},
    {Identifier::geography, "longitude"},
    {Identifier::geography, "coordinates"},
    {Identifier::geography, "geolocation"},
    {Identifier::geography, "geoid"},
    {Identifier::geography, "residence"},
    {Identifier::geography, "hometown"},
    {Identifier::geography, "domicile"},
    {Identifier::geography, "neighborhood"},
    {Identifier::geography, "neighbourhood"},
    {Identifier::geography, "ortsteil"},
    {Identifier::geography, "stadtteil"},
    {Identifier::geography, "bezirk"},
    {Identifier::geography, "arrondissement"},
    {Identifier::geography, "quartier"},
    {Identifier::geography, "lieu de naissance"},
    {Identifier::geography, "localidad"},
    {Identifier::geography, "municipio"},
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
    {Identifier::dates, "geburtstag"},
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
    {Identifier::fax_numbers, "faxnr"},
    {Identifier::fax_numbers, "faxnummer"},
    {Identifier::fax_numbers, "telefax"},
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
    {Identifier::social_security_numbers, "nir"},
    {Identifier::social_security_numbers, "svnr"},
    {Identifier::social_security_numbers, "sv number"},
    {Identifier::social_security_numbers, "sozialversicherungsnummer"},
    {Identifier::social_security_numbers, "ahv"},
    {Identifier::social_security_numbers, "ahvnr"},
    {Identifier::medical_record_numbers, "mrn"},
    {Identifier::medical_record_numbers, "medical record"},
    {Identifier::medical_record_numbers, "medical record number"},
    {Identifier::medical_record_numbers, "chart number"},
    {Identifier::medical_record_numbers, "hospital number"},
    {Identifier::medical_record_numbers, "hosp number"},
    {Identifier::medical_record_numbers, "chart id"},
    {Identifier::medical_record_numbers, "nhs number"},
    {Identifier::medical_record_numbers, "karteinr"},
    {Identifier::medical_record_numbers, "karteinummer"},
    {Identifier::medical_record_numbers, "kartei number"},
    {Identifier::medical_record_numbers, "aktennummer"},
    {Identifier::medical_record_numbers, "akten number"},
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
    {Identifier::health_plan_numbers, "versnr"},
    {Identifier::health_plan_numbers, "vers number"},
    {Identifier::health_plan_numbers, "krankenversicherten number"},
    {Identifier::health_plan_numbers, "mitglieds number"},
    {Identifier::health_plan_numbers, "mitgliedsnummer"},
    {Identifier::health_plan_numbers, "e gk"},
    {Identifier::account_numbers, "account"},
    {Identifier::account_numbers, "account number"},
    {Identifier::account_numbers, "account id"},
    {Identifier::account_numbers, "acct"},
    {Identifier::account_numbers, "iban"},
    {Identifier::account_numbers, "konto"},
    {Identifier::account_numbers, "kontonummer"},
    {Identifier::account_numbers, "kontonr"},
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
    {Identifier::other_unique_identifiers, "behandlungs number"},
    {Identifier::other_unique_identifiers, "behandlungsnummer"},
    {Identifier::other_unique_identifiers, "kranken number"},
    {Identifier::other_unique_identifiers, "probanden number"},
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
    {Identifier::other_unique_identifiers, "kennung"},
    {Identifier::other_unique_identifiers, "fallkennung"},
    {Identifier::other_unique_identifiers, "patientenkennung"},
    {Identifier::other_unique_identifiers, "personenkennung"},
    {Identifier::other_unique_identifiers, "personenkennzeichen"},
    {Identifier::other_unique_identifiers, "patientenschlüssel"},
    {Identifier::other_unique_identifiers, "patientenschluessel"},
    {Identifier::other_unique_identifiers, "fallschlüssel"},
    {Identifier::other_unique_identifiers, "fallschluessel"},
    {Identifier::other_unique_identifiers, "aktenzeichen"},
    {Identifier::other_unique_identifiers, "patient key"},
    {Identifier::other_unique_identifiers, "person key"},
    {Identifier::other_unique_identifiers, "member key"},
    {Identifier::other_unique_identifiers, "enrollee"},
    {Identifier::other_unique_identifiers, "usubjid"},
    {Identifier::other_unique_identifiers, "subjid"},
    {Identifier::other_unique_identifiers, "idpat"},
    {Identifier::other_unique_identifiers, "num patient"},
    {Identifier::other_unique_identifiers, "numéro patient"},
    {Identifier::other_unique_identifiers, "num sejour"},
    {Identifier::other_unique_identifiers, "numéro de séjour"},
    {Identifier::other_unique_identifiers, "matricule"},
    {Identifier::other_unique_identifiers, "codice paziente"},
    {Identifier::other_unique_identifiers, "id paziente"},
    {Identifier::other_unique_identifiers, "expediente"},
    {Identifier::medical_record_numbers, "historia clínica"},
    {Identifier::health_plan_numbers, "versicherungs number"},
    {Identifier::social_security_numbers, "cod fiscale"},
};

// What a name is the name of, when it is not a person's.
constexpr std::string_view kNamedThings[] = {
    "hospital", "drug",    "medication", "medicine",     "procedure",    "test",    "lab",
    "product",  "brand",   "generic",    "department",   "ward",         "unit",    "clinic",
    "company",  "file",    "variable",   "organisation", "organization", "disease", "diagnosis",
    "species",  "gene",    "country",    "state",        "facility",     "device",  "plan",
    "payer",    "insurer", "vaccine"};

// A name in French, Spanish or Italian, where nothing beside it says of what thing: nom usuel.
constexpr std::string_view kNom[] = {"nom", "nombre", "nome"};
constexpr std::string_view kOfThings[] = {
    "medicament", "medicamento", "farmaco", "hopital",       "hospital",   "ospedale",
    "service",    "servicio",    "reparto", "etablissement", "produit",    "producto",
    "commercial", "comercial",   "acte",    "maladie",       "enfermedad", "pays",
    "pais",       "fichier",     "unite",   "examen",        "analyse",    "variable",
    "nombre de",  "numero de"};

// A column that is called by who a row is about, and no more, says who it is.
constexpr NameRule kWholeNames[] = {{Identifier::other_unique_identifiers, "patient"},
                                    {Identifier::other_unique_identifiers, "person"},
                                    {Identifier::other_unique_identifiers, "subject"},
                                    {Identifier::other_unique_identifiers, "participant"},
                                    {Identifier::other_unique_identifiers, "pid"},
                                    {Identifier::other_unique_identifiers, "paziente"},
                                    {Identifier::other_unique_identifiers, "paciente"},
                                    {Identifier::other_unique_identifiers, "numero"},
                                    {Identifier::names, "nom"},
                                    {Identifier::names, "nombre"},
                                    {Identifier::names, "nome"},
                                    {Identifier::geography, "ort"},
                                    {Identifier::geography, "place"}};

// What has a number of its own: where half of the cells look like numbers of somebody.
constexpr NameRule kNumbered[] = {
    {Identifier::health_plan_numbers, "member"},   {Identifier::health_plan_numbers, "policy"},
    {Identifier::health_plan_numbers, "medicaid"}, {Identifier::health_plan_numbers, "medicare"},
    {Identifier::device_identifiers, "device"},    {Identifier::social_security_numbers, "chi"},
    {Identifier::social_security_numbers, "nip"},  {Identifier::medical_record_numbers, "ipp"},
    {Identifier::medical_record_numbers, "akte"},  {Identifier::medical_record_numbers, "dossier"},
    {Identifier::other_unique_identifiers, "crn"}, {Identifier::other_unique_identifiers, "iep"},
    {Identifier::other_unique_identifiers, "nda"}, {Identifier::other_unique_identifiers, "kis"},
    {Identifier::social_security_numbers, "cpr"},  {Identifier::social_security_numbers, "nhs"}};

// Who somebody is to the patient: in texts, the name of somebody, and few of them in a small
// clinic.
constexpr std::string_view kRoles[] = {"contact",   "surgeon", "physician", "doctor",
                                       "clinician", "nurse",   "guardian",  "arzt",
                                       "chirurg",   "medecin", "medico",    "cirujano"};

// The same where there are more than two texts, which may be yes and no.
constexpr std::string_view kRolesOfSeveral[] = {
    "hausarzt",    "hausärztin", "prescripteur", "prescriber", "notfallkontakt",
    "kontakt",     "betreuer",   "betreuerin",   "carer",      "caregiver",
    "pflegekraft", "nok",        "alias",        "seen by"};

// Of these, those that say it of the patient, and only where they say no more.
constexpr std::string_view kPatients[] = {"versicherter", "versicherte", "patiente", "pt"};

// Short for latitude and longitude, where the numbers have decimals.
constexpr std::string_view kCoordinates[] = {"lat", "lon", "lng"};

bool any_word(const ColumnName& name, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return name.has(word); });
}

std::optional<NameRule> rule_by_phrase(const ColumnName& name) {
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

}  // namespace

std::optional<NameRule> rule_of_name(const ColumnName& name, const ColumnContent& content) {
  auto rule = rule_by_phrase(name);
  if (rule || name.words().empty()) return rule;
  const std::string& last = name.words().back();
  const auto* role = std::find(std::begin(kRoles), std::end(kRoles), last);
  const auto* axis = std::find(std::begin(kCoordinates), std::end(kCoordinates), last);
  if (role != std::end(kRoles) && content.type == ColumnType::text)
    rule = NameRule{Identifier::names, *role};
  const auto* nom = std::find(std::begin(kNom), std::end(kNom), name.words().front());
  if (nom != std::end(kNom) && content.type == ColumnType::text && !any_word(name, kOfThings) &&
      !any_word(name, kNamedThings))
    rule = NameRule{Identifier::names, *nom};
  if (content.type != ColumnType::decimal && content.share(Shape::numbered) >= 0.5) {
    const std::size_t count = name.words().size();
    const std::string& what = last == "number" && count > 1 ? name.words()[count - 2] : last;
    for (const NameRule& numbered : kNumbered) {
      if (what == numbered.phrase) rule = numbered;
    }
  }
  if (!rule && content.type == ColumnType::text && content.distinct > 2) {
    for (const std::string_view several : kRolesOfSeveral) {
      if (ColumnName(several).words().back() == last && name.has(several))
        rule = NameRule{Identifier::names, several};
    }
    for (const std::string_view patient : kPatients) {
      if (name.words().size() == 1 && last == patient) rule = NameRule{Identifier::names, patient};
    }
  }
  if (axis != std::end(kCoordinates) && content.type == ColumnType::decimal)
    rule = NameRule{Identifier::geography, *axis};
  return rule;
}

bool is_of_things(const ColumnName& name) { return any_word(name, kNamedThings); }

bool is_of_postcodes(std::string_view phrase) {
  constexpr std::string_view kPostcodes[] = {"zip", "post", "plz"};
  return std::any_of(std::begin(kPostcodes), std::end(kPostcodes), [&](std::string_view part) {
    return phrase.find(part) != std::string_view::npos;
  });
}

}  // namespace pratique::columns::internal
