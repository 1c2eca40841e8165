#include "pratique/columns/role_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <span>

#include "pratique/columns/internal/column_name.h"

namespace pratique::columns {
namespace {

using internal::ColumnName;

// What others commonly know about a person.
constexpr std::string_view kKnownToOthers[] = {"age",
                                               "sex",
                                               "gender",
                                               "race",
                                               "ethnicity",
                                               "ethnic",
                                               "marital",
                                               "married",
                                               "education",
                                               "degree",
                                               "school",
                                               "occupation",
                                               "profession",
                                               "job",
                                               "workclass",
                                               "employer",
                                               "nationality",
                                               "native country",
                                               "country",
                                               "citizenship",
                                               "language",
                                               "state",
                                               "region",
                                               "province",
                                               "district",
                                               "birth",
                                               "year of birth",
                                               "yob",
                                               "birth year",
                                               "height",
                                               "weight",
                                               "children",
                                               "household",
                                               "hospital",
                                               "admission",
                                               "discharge",
                                               "visit",
                                               "relationship",
                                               "veteran",
                                               "alter",
                                               "ageyears",
                                               "years old",
                                               "geschlecht",
                                               "familienstand",
                                               "beruf",
                                               "nationalitaet",
                                               "staatsangehoerigkeit",
                                               "sexe",
                                               "sexo",
                                               "sesso",
                                               "geslacht",
                                               "geschl",
                                               "genre",
                                               "kön"};

// Of these, what stays the same from visit to visit.
constexpr std::string_view kLasting[] = {
    "sex",           "gender",       "race", "ethnicity", "ethnic",    "birth",
    "year of birth", "yob",          "dob",  "birthday",  "birthdate", "geschlecht",
    "geschl",        "geburtsdatum", "geb",  "sexe",      "sexo",      "sesso",
    "geslacht",      "genre",        "kön",  "language"};

// What others are not to learn.
constexpr std::string_view kSensitive[] = {"diagnosis",     "diagnoses",
                                           "diag",          "dx",
                                           "icd",           "icd 9",
                                           "icd 10",        "disease",
                                           "condition",     "disorder",
                                           "symptom",       "problem",
                                           "complaint",     "procedure",
                                           "cpt",           "drug",
                                           "medication",    "prescription",
                                           "treatment",     "therapy",
                                           "dose",          "lab",
                                           "result",        "test",
                                           "hiv",           "aids",
                                           "genotype",      "mutation",
                                           "dna",           "genetic",
                                           "genome",        "allele",
                                           "snp",           "salary",
                                           "income",        "wage",
                                           "charge",        "charges",
                                           "cost",          "expenditure",
                                           "payment",       "religion",
                                           "political",     "orientation",
                                           "outcome",       "death",
                                           "mortality",     "allergy",
                                           "pregnancy",     "abortion",
                                           "addiction",     "smoker",
                                           "alcohol",       "disability",
                                           "insurance",     "note",
                                           "notes",         "diagnose",
                                           "diagnosen",     "hauptdiagnose",
                                           "nebendiagnose", "nebendiagnosen",
                                           "befund",        "prozedur",
                                           "medikament",    "therapie",
                                           "vih",           "diagnostic",
                                           "diagnostico",   "diagnosi",
                                           "das",           "cim",
                                           "cie",           "maladie",
                                           "enfermedad",    "malattia",
                                           "traitement",    "tratamiento",
                                           "ccam",          "ops"};

// Of these, what is written in codes and words, and in few of the records: the tenth diagnosis.
constexpr std::string_view kIllnesses[] = {"diagnosis",
                                           "diagnoses",
                                           "diag",
                                           "dx",
                                           "icd",
                                           "icd 9",
                                           "icd 10",
                                           "disease",
                                           "condition",
                                           "disorder",
                                           "procedure",
                                           "cpt",
                                           "drug",
                                           "diagnose",
                                           "diagnosen",
                                           "prozedur",
                                           "hauptdiagnose",
                                           "nebendiagnose",
                                           "nebendiagnosen",
                                           "diagnostic",
                                           "diagnostico",
                                           "diagnosi",
                                           "das",
                                           "cim",
                                           "cie",
                                           "maladie",
                                           "enfermedad",
                                           "malattia"};

// Numbers that say how much, and never whose.
constexpr std::string_view kQuantities[] = {
    "value",      "level",       "count",      "score",        "rate",       "amount",
    "total",      "days",        "minutes",    "hours",        "wert",       "anzahl",
    "glucose",    "creatinine",  "hba1c",      "a1c",          "hemoglobin", "haemoglobin",
    "hematocrit", "platelets",   "wbc",        "rbc",          "leukocytes", "sodium",
    "potassium",  "calcium",     "chloride",   "cholesterol",  "hdl",        "ldl",
    "bilirubin",  "albumin",     "lactate",    "urea",         "bun",        "crp",
    "troponin",   "ferritin",    "tsh",        "psa",          "inr",        "egfr",
    "systolic",   "diastolic",   "pulse",      "heart",        "bmi",        "temperature",
    "blutzucker", "kreatinin",   "leukozyten", "thrombozyten", "kalium",     "natrium",
    "revenue",    "price",       "fee",        "fees",         "bill",       "paid",
    "sum",        "balance",     "budget",     "reimbursed",   "turnover",   "kosten",
    "erlös",      "erloes",      "erlöse",     "erloese",      "betrag",     "preis",
    "umsatz",     "summe",       "gebühr",     "gebuehr",      "entgelt",    "montant",
    "prix",       "coût",        "importe",    "precio",       "coste",      "amt",
    "eur",        "usd",         "length",     "stay",         "duration",   "dauer",
    "gewicht",    "größe",       "groesse",    "poids",        "taille",     "peso",
    "number of",  "verweildauer"};

// Codes of kinds, and of nobody.
constexpr std::string_view kCodeSystems[] = {"snomed", "loinc", "ndc",  "atc",
                                             "pzn",    "hcpcs", "rxcui"};

// Of the sensitive ones, what is written in one's own words.
constexpr std::string_view kOwnWords[] = {"note",      "notes",  "complaint", "problem", "symptom",
                                          "condition", "result", "outcome",   "test",    "befund"};

// What somebody types beside the record, where anybody may be named.
constexpr std::string_view kFreeText[] = {
    "note",     "notes",        "comment",     "comments",    "remark",      "remarks",
    "memo",     "narrative",    "free text",   "freetext",    "annotation",  "annotations",
    "freitext", "bemerkung",    "anmerkung",   "kommentar",   "notiz",       "notizen",
    "anamnese", "epikrise",     "arztbrief",   "verlauf",     "bemerkungen", "anmerkungen",
    "remarque", "remarques",    "commentaire", "nota",        "notas",       "comentario",
    "commento", "osservazioni", "opmerking",   "opmerkingen", "texte libre", "texto libre"};

// Who stands beside the patient, where the values are words: they are called something.
constexpr std::string_view kOtherPeople[] = {
    "mother",     "mothers",        "father",      "fathers",      "parent",       "guardian",
    "spouse",     "husband",        "wife",        "partner",      "next of kin",  "kin",
    "relative",   "sibling",        "contact",     "maiden",       "referring",    "referrer",
    "physician",  "doctor",         "surgeon",     "nurse",        "practitioner", "clinician",
    "gp",         "mutter",         "vater",       "eltern",       "ehepartner",   "ehemann",
    "ehefrau",    "angehörige",     "angehoerige", "vormund",      "geburtsname",  "hausarzt",
    "arzt",       "zuweiser",       "einweiser",   "operateur",    "mère",         "mere",
    "père",       "pere",           "conjoint",    "médecin",      "medecin",      "madre",
    "padre",      "médico",         "medico",      "moeder",       "vader",        "huisarts",
    "kontakt",    "notfallkontakt", "betreuer",    "betreuerin",   "nok",          "carer",
    "caregiver",  "pflegekraft",    "seen by",     "prescripteur", "prescriber",   "hausärztin",
    "jeune fille"};

// Numbers of people, and not of their visits or cases.
constexpr std::string_view kPersonNumbers[] = {
    "patient", "pat number",      "pat id",           "patid",        "person",          "subject",
    "subj",    "participant",     "patienten number", "patienten id", "patientennummer", "pid",
    "enrolid", "probanden number"};
constexpr std::string_view kOfVisits[] = {
    "visit",    "encounter", "case",   "stay",        "episode", "admission",
    "claim",    "sample",    "event",  "appointment", "order",   "fall",
    "aufnahme", "sejour",    "besuch", "probe",       "row",     "line"};

const std::string_view* first_in(const ColumnName& name,
                                 std::span<const std::string_view> phrases) {
  const auto match = std::find_if(phrases.begin(), phrases.end(),
                                  [&](std::string_view phrase) { return name.has(phrase); });
  return match == phrases.end() ? nullptr : &*match;
}

constexpr std::string_view kPointOnTheMap[] = {
    "address",   "addr",    "street", "geocode", "latitude",   "longitude", "adresse",
    "anschrift", "strasse", "straße", "rue",     "hausnummer", "indirizzo", "dirección",
    "calle",     "straat",  "zcta",   "tract",   "block group"};

// Dates, places and ages describe a person; the other identifiers, and a house, name one.
bool describes(SafeHarborIdentifier identifier, const ColumnName& name) {
  if (identifier == SafeHarborIdentifier::geography)
    return first_in(name, kPointOnTheMap) == nullptr;
  return identifier == SafeHarborIdentifier::dates ||
         identifier == SafeHarborIdentifier::ages_over_89;
}

// Where most values stand in one record, the value is as good as a name to whoever knows it. Of
// illnesses most records have to have one: that nothing stands there they share.
bool tells_most_records_apart(const ColumnName& name, const ColumnContent& content) {
  const bool coded = content.type == ColumnType::code || content.type == ColumnType::text;
  const bool illness = coded && first_in(name, kIllnesses) != nullptr;
  return content.present() > 1 &&
         2 * content.unique >= (illness ? content.rows : content.present());
}

std::string share_alone(const ColumnContent& content) {
  return fmt::format(
      "{:.0f} % of its values stand in one record only",
      100 * static_cast<double>(content.unique) / static_cast<double>(content.present()));
}

// Sentences of which there are many, in a column that does not say what it holds.
bool is_of_phrases(const ColumnName& name, const ColumnContent& content) {
  constexpr double kMany = 0.3;
  constexpr std::uint64_t kManySentences = 30;
  return content.type == ColumnType::text && content.distinct > kManySentences &&
         content.share(Shape::phrase) + content.share(Shape::long_text) >= kMany &&
         first_in(name, kKnownToOthers) == nullptr && first_in(name, kSensitive) == nullptr;
}

constexpr std::uint64_t kRowsToTell = 20;  // where how many values there are means little

bool is_numbered(const ColumnContent& content) {
  return content.type == ColumnType::integer || content.type == ColumnType::code;
}

// By its name it is an amount, or something that several people share.
bool is_called_otherwise(const ColumnName& name) {
  return first_in(name, kSensitive) != nullptr || first_in(name, kKnownToOthers) != nullptr ||
         first_in(name, kQuantities) != nullptr || first_in(name, kCodeSystems) != nullptr;
}

// By the name alone: five digits may be a ZIP code, and an account.
bool is_called_a_place_or_day(const std::string& column, ColumnContent content) {
  content.shaped = {};
  const auto findings = safe_harbor_findings(column, content);
  return std::any_of(findings.begin(), findings.end(), [](const SafeHarborFinding& finding) {
    return finding.identifier == SafeHarborIdentifier::geography ||
           finding.identifier == SafeHarborIdentifier::dates;
  });
}

// Why anybody may be named there, by what the column is called and by how its words look; none
// where neither says so.
std::optional<std::string> may_name_anybody(const ColumnName& name, const ColumnContent& content) {
  if (content.present() == 0) return std::nullopt;
  if (content.share(Shape::long_text) >= 0.5) return "free text may name anybody";
  const bool words = content.type == ColumnType::text;
  if (const auto* phrase = first_in(name, kFreeText); words && phrase != nullptr) {
    return fmt::format("the name of the column says '{}': free text may name anybody", *phrase);
  }
  constexpr std::uint64_t kKindsOfAnything = 10;  // fewer values are kinds, and not names
  if (const auto* phrase = first_in(name, kOtherPeople);
      words && phrase != nullptr && first_in(name, kKnownToOthers) == nullptr &&
      first_in(name, kSensitive) == nullptr && content.distinct > kKindsOfAnything) {
    return fmt::format("the name of the column says '{}', and its values may be names", *phrase);
  }
  if (is_of_phrases(name, content))
    return "many values are phrases, and free text may name anybody";
  return std::nullopt;
}

bool is_of_sentences(const ColumnContent& content) {
  return content.share(Shape::phrase) + content.share(Shape::long_text) >= 0.5;
}

RoleAdvice because(Role role, std::string why) {
  why.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(why.front())));
  return {role, why + "."};
}

}  // namespace

std::optional<RoleAdvice> advise(const std::string& column, const ColumnContent& content,
                                 const std::vector<SafeHarborFinding>& findings) {
  const ColumnName name(column);
  for (const bool describing : {false, true}) {
    for (const auto& finding : findings) {
      if (describes(finding.identifier, name) != describing) continue;
      return because(describing ? Role::quasi_identifier : Role::identifier,
                     fmt::format("{} ({})", finding.why, to_string(finding.identifier)));
    }
  }
  if (content.present() == 0) return because(Role::insensitive, "the column is empty");
  if (const auto why = may_name_anybody(name, content))
    return because(Role::identifier, *why + ": leave it out");
  const auto* known = first_in(name, kKnownToOthers);
  if (known == nullptr && tells_most_records_apart(name, content)) {
    return because(Role::identifier, fmt::format("{}: leave it out, or make it coarser as a "
                                                 "quasi-identifier",
                                                 share_alone(content)));
  }
  if (const auto* phrase = first_in(name, kSensitive)) {
    return because(
        Role::sensitive,
        fmt::format("the name of the column says '{}', which others must not learn", *phrase));
  }
  if (content.distinct < 2 && content.missing == 0) {
    return because(Role::insensitive, "every row holds the same value");
  }
  if (known != nullptr) {
    return because(
        Role::quasi_identifier,
        fmt::format("the name of the column says '{}', which others commonly know", *known));
  }
  return std::nullopt;
}

bool names_a_person(const std::string& column, const ColumnContent& content) {
  // A mother has several children.
  if (first_in(ColumnName(column), kOtherPeople) != nullptr) return false;
  const auto findings = safe_harbor_findings(column, content);
  return std::any_of(findings.begin(), findings.end(), [&](const SafeHarborFinding& finding) {
    switch (finding.identifier) {
      case SafeHarborIdentifier::names:
        // A name here and there, or in a sentence, is not that of the person whose row it is.
        return finding.by != SafeHarborFinding::By::content ||
               (finding.share >= 0.5 && !is_of_sentences(content));
      case SafeHarborIdentifier::social_security_numbers:
      case SafeHarborIdentifier::medical_record_numbers:
      case SafeHarborIdentifier::health_plan_numbers:
      case SafeHarborIdentifier::other_unique_identifiers:
        return true;
      default:
        return false;
    }
  });
}

bool is_called_a_name(const std::string& column, const ColumnContent& content) {
  const auto findings = safe_harbor_findings(column, content);
  return std::all_of(findings.begin(), findings.end(), [](const SafeHarborFinding& finding) {
    return finding.identifier == SafeHarborIdentifier::names;
  });
}

bool numbers_each_person(const std::string& column, const ColumnContent& content) {
  const ColumnName name(column);
  if (first_in(name, kOfVisits) != nullptr || first_in(name, kOtherPeople) != nullptr) return false;
  const auto findings = safe_harbor_findings(column, content);
  return std::any_of(findings.begin(), findings.end(), [&](const SafeHarborFinding& finding) {
    if (finding.by == SafeHarborFinding::By::content) return false;
    switch (finding.identifier) {
      case SafeHarborIdentifier::social_security_numbers:
      case SafeHarborIdentifier::medical_record_numbers:
      case SafeHarborIdentifier::health_plan_numbers:
        return true;
      case SafeHarborIdentifier::other_unique_identifiers:
        return first_in(name, kPersonNumbers) != nullptr;
      default:
        return false;
    }
  });
}

bool may_say_whose_rows(const std::string& column, const ColumnContent& content) {
  if (content.distinct == content.present()) return false;
  const bool numbered = !is_called_otherwise(ColumnName(column)) &&
                        !is_called_a_place_or_day(column, content) && is_numbered(content);
  return names_a_person(column, content) || (numbered && content.present() >= kRowsToTell &&
                                             3 * content.distinct >= content.present());
}

bool identifier_may_say_whose_rows(const std::string& column, const ColumnContent& content) {
  if (content.distinct == content.present()) return false;
  if (may_say_whose_rows(column, content)) return true;
  const ColumnName name(column);
  if (content.present() < kRowsToTell || content.distinct < 2 || is_called_otherwise(name) ||
      first_in(name, kOtherPeople) != nullptr)
    return false;
  if (is_called_a_place_or_day(column, content)) return false;
  constexpr std::uint64_t kMostRowsEach = 100;  // more are kinds of something
  constexpr std::uint64_t kMostRowsOfWords = 5;
  if (is_numbered(content)) return kMostRowsEach * content.distinct >= content.present();
  return content.type == ColumnType::text && !is_of_sentences(content) &&
         kMostRowsOfWords * content.distinct >= content.present();
}

bool lasts(const std::string& column, const ColumnContent& content) {
  const ColumnName name(column);
  if (content.distinct < 2 || first_in(name, kOtherPeople) != nullptr) return false;
  if (first_in(name, kLasting) != nullptr) return true;
  const auto findings = safe_harbor_findings(column, content);
  return std::any_of(findings.begin(), findings.end(), [](const SafeHarborFinding& finding) {
    return finding.identifier == SafeHarborIdentifier::names;
  });
}

bool says_what_it_holds(const std::string& column) {
  const ColumnName name(column);
  if (first_in(name, kOwnWords) != nullptr) return false;
  return is_called_otherwise(name);
}

std::optional<std::string> why_not_as_it_is(const std::string& column,
                                            const ColumnContent& content) {
  const auto findings = safe_harbor_findings(column, content);
  if (!findings.empty()) {
    return fmt::format("{} ({})", findings.front().why, to_string(findings.front().identifier));
  }
  const ColumnName name(column);
  if (tells_most_records_apart(name, content)) return share_alone(content);
  return may_name_anybody(name, content);
}

}  // namespace pratique::columns
