#include "pratique/columns/role_advice.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pratique::columns::role_advice_test {
namespace {

ColumnContent content_of(const std::vector<std::string>& values) {
  Column column;
  for (const auto& value : values) column.codes.push_back(column.dictionary.intern(value));
  return read_content(column);
}

// `alone` values of one record each, and the others alike.
ColumnContent amounts(std::size_t alone, std::size_t rows) {
  std::vector<std::string> values;
  for (std::size_t row = 0; row < rows; ++row)
    values.push_back(row < alone ? std::to_string(1000 + 7 * row) + ".5" : "12.5");
  return content_of(values);
}

std::optional<Role> role_of(const std::string& name, const ColumnContent& content) {
  const auto advice = advise(name, content, safe_harbor_findings(name, content));
  if (!advice) return std::nullopt;
  return advice->role;
}

// Advice that is taken unread must lead to a release: nothing is suggested to leave as it is that
// may not.
TEST(RoleAdvice, WhatMayNotLeaveAsItIsIsNotSuggestedTo) {
  for (const std::size_t alone : {0U, 9U, 10U, 11U, 20U}) {
    const auto content = amounts(alone, 20);
    for (const std::string name : {"cost", "x", "weight", "diagnosis"}) {
      const auto role = role_of(name, content).value_or(Role::insensitive);
      const bool leaves = role == Role::sensitive || role == Role::insensitive;
      EXPECT_FALSE(leaves && why_not_as_it_is(name, content)) << name << ", " << alone;
    }
  }
}

TEST(RoleAdvice, AValueOfOnesOwnIsLeftOut) {
  EXPECT_EQ(role_of("cost", amounts(10, 20)), Role::identifier);
  EXPECT_EQ(role_of("cost", amounts(9, 20)), Role::sensitive);
  EXPECT_EQ(role_of("x", amounts(10, 20)), Role::identifier);
  EXPECT_EQ(role_of("x", amounts(9, 20)), std::nullopt);
  // What others know is made coarser.
  EXPECT_EQ(role_of("weight", amounts(20, 20)), Role::quasi_identifier);
}

TEST(RoleAdvice, FreeTextAndOtherPeopleAreLeftOut) {
  std::vector<std::string> said;
  std::vector<std::string> called;
  std::vector<std::string> sentences;
  for (int row = 0; row < 60; ++row) {
    said.push_back(row % 2 == 0 ? "stable" : "called the wife");
    called.push_back(fmt::format("Ann{}", static_cast<char>('a' + row % 12)));
    sentences.push_back(fmt::format("told {} to come again", static_cast<char>('a' + row % 31)));
  }
  // Nor do they leave as they are unless somebody says so.
  for (const std::string name : {"note", "nurse_notes", "Comments", "Bemerkung", "free_text"}) {
    EXPECT_EQ(role_of(name, content_of(said)), Role::identifier) << name;
    EXPECT_TRUE(why_not_as_it_is(name, content_of(said)).has_value()) << name;
  }
  for (const std::string name : {"mother", "MothersName", "next_of_kin", "Hausarzt"}) {
    EXPECT_EQ(role_of(name, content_of(called)), Role::identifier) << name;
    EXPECT_TRUE(why_not_as_it_is(name, content_of(called)).has_value()) << name;
  }
  EXPECT_EQ(role_of("info", content_of(sentences)), Role::identifier);
  EXPECT_TRUE(why_not_as_it_is("info", content_of(sentences)).has_value());
  EXPECT_FALSE(why_not_as_it_is("mother", content_of(said)).has_value());
  // Kinds of anything are no names, and what is known of a mother is no name of hers.
  EXPECT_NE(role_of("mother", content_of(said)), Role::identifier);
  EXPECT_EQ(role_of("mother_education", content_of(called)), Role::quasi_identifier);
  EXPECT_EQ(role_of("diagnosis", content_of(sentences)), Role::sensitive);
  EXPECT_FALSE(names_a_person("mothers_name", content_of(called)));
}

// `rows` cells of every first word beside every last one.
ColumnContent combined(const std::vector<std::string>& firsts,
                       const std::vector<std::string>& lasts, std::size_t rows) {
  std::vector<std::string> values;
  for (std::size_t row = 0; row < rows; ++row)
    values.push_back(firsts[row % firsts.size()] + " " + lasts[row / firsts.size() % lasts.size()]);
  return content_of(values);
}

TEST(RoleAdvice, NamesOfPeopleAreLeftOutWhateverTheirColumnIsCalled) {
  const std::vector<std::string> firsts = {"Alice", "Bob", "Özlem", "Dev", "Jürgen", "Anne-Marie"};
  const std::vector<std::string> lasts = {"Smith", "O'Neill", "Müller", "Patel", "van der Berg"};
  const auto people = combined(firsts, lasts, 1200);
  EXPECT_EQ(people.distinct, 30U);
  for (const std::string name : {"Who", "Begleitung", "x", "Alias", "Versicherter"}) {
    EXPECT_EQ(role_of(name, people), Role::identifier) << name;
    EXPECT_TRUE(why_not_as_it_is(name, people)) << name;
    EXPECT_TRUE(names_a_person(name, people)) << name;
  }
  EXPECT_EQ(role_of("x", combined({"Smith,", "Jones,", "Patel,", "Khan,", "Lee,"},
                                  {"Ann", "Bob", "Carol", "Dev", "Ewan"}, 500)),
            Role::identifier);
  // Four first names are too few to tell, and so are words that stand together only once.
  const std::vector<std::string> unlisted = {"Brolx", "Quvven", "Zadrik", "Wumbel", "Xarfo"};
  EXPECT_EQ(role_of("x", combined({"Axq", "Bxq", "Cxq", "Dxq"}, unlisted, 1200)), std::nullopt);
  std::vector<std::string> once;
  for (int row = 0; row < 1200; ++row) {
    const std::string letter(1, static_cast<char>('a' + row % 20));
    once.push_back("A" + letter + " B" + letter);
  }
  EXPECT_EQ(role_of("x", content_of(once)), std::nullopt);
  EXPECT_EQ(role_of("NOK", content_of(once)), Role::identifier);
  // Six in ten of the cells with letters.
  std::vector<std::string> mixed;
  for (int row = 0; row < 600; ++row)
    mixed.push_back("Q" + unlisted[row % 5] + " " + unlisted[row / 5 % 5]);
  mixed.resize(1000, "none");
  mixed.resize(3000, "17");
  EXPECT_EQ(role_of("x", content_of(mixed)), Role::identifier);
  mixed.emplace_back("none");
  EXPECT_EQ(role_of("x", content_of(mixed)), std::nullopt);
}

TEST(RoleAdvice, NamesOnListsOfNamesAreFoundInAnyCaseAndInFewRows) {
  std::vector<std::string> values(300, "seen");
  for (const char* name : {"emma fischer", "{\"n\":\"David Nguyen\"}", "told Irene Kowalski of it"})
    values.emplace_back(name);
  EXPECT_EQ(role_of("x", content_of(values)), Role::identifier);
  EXPECT_TRUE(why_not_as_it_is("x", content_of(values)));
  // Two of them may be chance, and words of other meanings are none.
  values.pop_back();
  EXPECT_NE(role_of("x", content_of(values)), Role::identifier);
  std::vector<std::string> words;
  for (const char* text : {"Santa Maria", "rose may", "mark will", "Crohn disease", "grand mal"})
    words.insert(words.end(), 30, text);
  EXPECT_NE(role_of("x", content_of(words)), Role::identifier);
}

TEST(RoleAdvice, SingleNamesAreFoundWhateverTheirColumnIsCalled) {
  const auto each = [](const std::vector<std::string>& values) {
    std::vector<std::string> rows;
    for (std::size_t row = 0; row < 1000; ++row) rows.push_back(values[row % values.size()]);
    return content_of(rows);
  };
  const std::vector<std::string> given = {"Anna", "Jonas",  "Greta", "HUGO",   "Manon", "Lucas",
                                          "Sven", "Ingrid", "Pedro", "Giulia", "Ben",   "Rose"};
  const std::vector<std::string> family = {"Schmidt", "Nguyen", "Kowalski", "Garcia", "Brown",
                                           "Smith",   "Müller", "Dubois",   "Rossi",  "Patel"};
  for (const auto& names : {given, family}) {
    EXPECT_EQ(role_of("x", each(names)), Role::identifier);
    EXPECT_TRUE(why_not_as_it_is("column_2", each(names)));
    EXPECT_NE(role_of("diagnosis", each(names)), Role::identifier);
  }
  for (const std::vector<std::string>& others :
       {std::vector<std::string>{"Brown", "Black", "White", "Green", "Gray", "Rose", "Violet",
                                 "Red", "Blue", "Pink", "Amber"},
        {"Boston", "Lincoln", "Houston", "Berlin", "Austin", "Jackson", "Madison", "Hamburg",
         "Paris", "Dresden", "Lyon"},
        {"Parkinson", "Crohn", "Hodgkin", "Addison", "Cushing", "Graves", "Asthma", "Gout", "Flu",
         "Migraine", "Stroke"},
        {"Metformin", "Aspirin", "Ibuprofen", "Insulin", "Warfarin", "Heparin", "Digoxin",
         "Morphine", "Codeine", "Ramipril"}})
    EXPECT_NE(role_of("x", each(others)), Role::identifier) << others.front();
}

TEST(RoleAdvice, NumbersOfAccountsCarsAndRecordsAreFoundByTheirForm) {
  // The account numbers stand in ISO 13616 as examples.
  for (const std::vector<std::string>& values :
       {std::vector<std::string>{"DE89 3704 0044 0532 0130 00", "GB29NWBK60161331926819"},
        {"M-AB 123", "HH-X 9"},
        {"AB-123-CD", "EF-456-GH"},
        {"AB12 CDE", "FG34 HIJ"},
        {"MRN00012", "MRN00013"},
        {"Hauptstraße 12", "Am Alten Weg 3"},
        {"12 rue de Lyon", "3 bis, avenue Foch"},
        {"call 0151 2345678", "fine"}}) {
    std::vector<std::string> rows;
    for (int row = 0; row < 60; ++row) rows.push_back(values[row % values.size()]);
    EXPECT_TRUE(why_not_as_it_is("x", content_of(rows))) << values.front();
  }
  // A check digit that is wrong is no account's.
  EXPECT_FALSE(
      why_not_as_it_is("x", content_of(std::vector<std::string>(60, "DE88370400440532013000"))));
}

TEST(RoleAdvice, HeadersAndTitlesSayThatTextsAreNames) {
  std::vector<std::string> family;
  std::vector<std::string> titled;
  for (int row = 0; row < 300; ++row) {
    const std::string name = std::vector<std::string>{"Schäfer", "Weiß", "Groß"}[row % 3];
    family.push_back(name);
    titled.push_back((row % 2 == 0 ? "Dr. " : "Frau Dr. med. ") + name);
  }
  for (const std::string name :
       {"Versicherter", "Notfallkontakt", "Betreuer", "Kontakt", "Patiente", "NOK", "Carer", "pt",
        "Nom de jeune fille", "Pflegekraft", "Seen By", "Alias", "prescripteur", "Hausarzt"}) {
    EXPECT_EQ(role_of(name, content_of(family)), Role::identifier) << name;
    EXPECT_TRUE(why_not_as_it_is(name, content_of(family))) << name;
  }
  EXPECT_EQ(role_of("x", content_of(titled)), Role::identifier);
  EXPECT_EQ(role_of("x", content_of(family)), std::nullopt);
  // Yes and no, seconds and kinds are no names; whoever stands beside the patient says not whose
  // the rows are.
  EXPECT_EQ(role_of("Betreuer", content_of({"ja", "nein", "ja", "nein"})), std::nullopt);
  EXPECT_EQ(role_of("pt", content_of({"12", "13", "14", "12", "13", "14"})), std::nullopt);
  for (const std::string name : {"Hausarzt", "Seen By", "NOK", "prescripteur"})
    EXPECT_FALSE(names_a_person(name, content_of(titled))) << name;
}

TEST(RoleAdvice, NamesInFrenchSpanishAndItalianUnlessOfThings) {
  std::vector<std::string> family;
  for (int row = 0; row < 90; ++row)
    family.push_back(std::vector<std::string>{"Martin", "Petit", "Roux"}[row % 3]);
  for (const std::string name : {"Nom de naissance", "nom_usuel", "Nom d'usage", "NOM DU PATIENT",
                                 "nombre_completo", "nome e cognome"})
    EXPECT_EQ(role_of(name, content_of(family)), Role::identifier) << name;
  for (const std::string name : {"nom du médicament", "nom_service", "nombre comercial"})
    EXPECT_EQ(role_of(name, content_of(family)), std::nullopt) << name;
  EXPECT_EQ(role_of("nombre de visites", content_of({"1", "2", "1", "3", "2", "1"})), std::nullopt);
}

// Who is called the same is not the same: a number of the person says so, one of the visit not.
TEST(RoleAdvice, NumbersOfPeopleTellThoseApartWhoAreCalledTheSame) {
  std::vector<std::string> each;
  for (int row = 0; row < 60; ++row) each.push_back(std::to_string(80000 + row));
  for (const std::string name : {"patient_nbr", "PatNr", "patnr", "MRN", "N° IPP", "NIR", "ssn",
                                 "Versichertennr", "versichertennummer", "subject_id", "pid"})
    EXPECT_TRUE(numbers_each_person(name, content_of(each))) << name;
  for (const std::string name : {"Fallnummer", "fallnr", "visit_id", "patient_visit_id", "id",
                                 "case number", "CLM_ID", "cost", "mother_id"})
    EXPECT_FALSE(numbers_each_person(name, content_of(each))) << name;
  std::vector<std::string> given;
  for (int row = 0; row < 60; ++row) given.push_back(row % 2 == 0 ? "Emma" : "Hugo");
  EXPECT_TRUE(is_called_a_name("Prénom", content_of(given)));
  EXPECT_FALSE(is_called_a_name("patient_nbr", content_of(each)));
}

TEST(RoleAdvice, DiagnosesAndWardsInCapitalsAreNoNames) {
  const std::vector<std::string> kinds = {"Acute", "Chronic", "Type", "Severe", "Mild", "Viral"};
  const std::vector<std::string> illnesses = {"Asthma", "Diabetes", "Bronchitis", "Hepatitis",
                                              "Gout"};
  for (const std::string name : {"x", "finding", "diagnosis", "condition"})
    EXPECT_NE(role_of(name, combined(kinds, illnesses, 1200)), Role::identifier) << name;
  const std::vector<std::string> wards = {"General", "Vascular", "Plastic", "Cardiac", "Oral",
                                          "Trauma",  "Adult",    "Child",   "Day",     "Night"};
  EXPECT_EQ(role_of("x", combined(wards, {"Surgery"}, 1200)), std::nullopt);
  EXPECT_EQ(role_of("ward", combined(wards, {"East", "West", "North", "South", "Main"}, 1200)),
            std::nullopt);
}

TEST(RoleAdvice, SexPlacesAndHivInOtherLanguages) {
  const auto few = content_of({"H", "F", "H", "F", "X", "X"});
  for (const std::string name : {"sexe", "sexo", "sesso", "geslacht", "Geschl", "Geschl.", "genre",
                                 "kön", "commune", "Stadt", "Kreis", "département", "provincia"})
    EXPECT_EQ(role_of(name, few), Role::quasi_identifier) << name;
  for (const std::string name : {"VIH", "HIV", "statut VIH"})
    EXPECT_EQ(role_of(name, content_of({"positif", "négatif", "positif", "négatif"})),
              Role::sensitive)
        << name;
}

// A tenth diagnosis that few have is theirs, and no name of them.
TEST(RoleAdvice, DiagnosesAreSensitiveHoweverFewHaveThem) {
  std::vector<std::string> sparse(40, "");
  for (int row = 0; row < 10; ++row) sparse[row] = fmt::format("E1{}.{}", row, row % 3);
  for (const std::string name : {"DX12", "Nebendiagnose_3", "diagnosis"}) {
    EXPECT_EQ(role_of(name, content_of(sparse)), Role::sensitive) << name;
    EXPECT_FALSE(why_not_as_it_is(name, content_of(sparse))) << name;
  }
  EXPECT_EQ(role_of("x", content_of(sparse)), Role::identifier);
  EXPECT_EQ(role_of("Hauptdiagnose", content_of({"I10", "E11.9", "I10", "E11.9", "J45", "J45"})),
            Role::sensitive);
}

// Rows with the same value of such a column are one person's.
TEST(RoleAdvice, WhoARowIsAboutIsKnownByNameThoughItRepeats) {
  std::vector<std::string> numbers;
  for (int row = 0; row < 60; ++row) numbers.push_back(std::to_string(8000 + row / 2));
  const auto repeated = content_of(numbers);
  for (const std::string name : {"patient_nbr", "hosp_no", "subject", "Patient", "PatientNum",
                                 "SUBJ-NR", "member_id", "name", "ssn", "patient id"}) {
    EXPECT_TRUE(names_a_person(name, repeated)) << name;
    EXPECT_EQ(role_of(name, repeated), Role::identifier) << name;
  }
  for (const std::string name : {"cost", "MEDREIMB_IP", "zip", "county", "patient_age", "ward_no",
                                 "plate", "phone", "subject_area"})
    EXPECT_FALSE(names_a_person(name, repeated)) << name;
}

TEST(RoleAdvice, ANumberThatRepeatsMaySayWhoseRowsTheyAre) {
  const auto numbers = [](int rows, int each) {
    std::vector<std::string> values;
    for (int row = 0; row < rows; ++row) values.push_back(std::to_string(1000 + row / each));
    return content_of(values);
  };
  EXPECT_TRUE(may_say_whose_rows("x", numbers(60, 2)));
  EXPECT_TRUE(may_say_whose_rows("x", numbers(60, 3)));
  EXPECT_FALSE(may_say_whose_rows("x", numbers(60, 4)));
  EXPECT_FALSE(may_say_whose_rows("x", numbers(60, 1)));  // nobody has two
  EXPECT_TRUE(may_say_whose_rows("x", numbers(20, 2)));
  EXPECT_FALSE(may_say_whose_rows("x", numbers(19, 2)));  // too few to tell
  EXPECT_TRUE(may_say_whose_rows("Pat No", numbers(8, 2)));
  EXPECT_TRUE(may_say_whose_rows("name", numbers(60, 4)));
  for (const char* quantity :
       {"cost", "glucose", "Serum creatinine", "Leukozyten", "lab_value", "zip", "Geburtsdatum"})
    EXPECT_FALSE(may_say_whose_rows(quantity, numbers(60, 2))) << quantity;  // of nobody
  EXPECT_FALSE(may_say_whose_rows("x", amounts(30, 60)));
}

TEST(RoleAdvice, AnIdentifierThatRepeatsMaySayWhoseRowsWhateverItIsCalled) {
  const auto values = [](int rows, int each, const std::string& form) {
    std::vector<std::string> cells;
    for (int row = 0; row < rows; ++row)
      cells.push_back(fmt::format(fmt::runtime(form), 1000 + row / each));
    return content_of(cells);
  };
  for (const char* form : {"{}", "RMJ{}", "0{}"}) {
    EXPECT_TRUE(identifier_may_say_whose_rows("Konto", values(600, 10, form))) << form;
    EXPECT_TRUE(identifier_may_say_whose_rows("Konto", values(600, 100, form))) << form;
    EXPECT_FALSE(identifier_may_say_whose_rows("Konto", values(600, 1, form))) << form;
    EXPECT_FALSE(identifier_may_say_whose_rows("Konto", values(600, 600, form))) << form;
  }
  EXPECT_FALSE(identifier_may_say_whose_rows("Konto", values(606, 202, "{}")));
  EXPECT_FALSE(identifier_may_say_whose_rows("Konto", values(600, 10, "{}.5")));  // measured
  for (const char* quantity : {"Gewicht (kg)", "length_of_stay", "cost", "zip", "Hausarzt"})
    EXPECT_FALSE(identifier_may_say_whose_rows(quantity, values(600, 10, "{}"))) << quantity;
  // Words, each in five rows or fewer.
  std::vector<std::string> words;
  for (int row = 0; row < 50; ++row)
    words.push_back(fmt::format("x{}", std::string(static_cast<std::size_t>(1 + row / 5), 'y')));
  EXPECT_TRUE(identifier_may_say_whose_rows("sign", content_of(words)));
  for (int row = 0; row < 10; ++row) words.emplace_back("xy");
  EXPECT_FALSE(identifier_may_say_whose_rows("sign", content_of(words)));
}

TEST(RoleAdvice, CountiesArePlacesPlatesNameAndMoneyIsNoAddress) {
  std::vector<std::string> amounts_of_money;
  for (int row = 0; row < 60; ++row) amounts_of_money.push_back(std::to_string(row % 7 * 1000));
  const auto money = content_of(amounts_of_money);
  EXPECT_TRUE(safe_harbor_findings("MEDREIMB_IP", money).empty());
  EXPECT_EQ(
      safe_harbor_findings("client_ip", content_of({"10.0.0.1", "10.0.0.2"})).front().identifier,
      SafeHarborIdentifier::ip_addresses);
  for (const std::string name : {"county", "BENE_COUNTY_CD", "counties", "cnty_cd", "fips"})
    EXPECT_EQ(role_of(name, money), Role::quasi_identifier) << name;
  for (const std::string name : {"license plate", "plate", "number_plate"})
    EXPECT_EQ(role_of(name, content_of({"ABC-123", "XYZ-987"})), Role::identifier) << name;
}

}  // namespace
}  // namespace pratique::columns::role_advice_test
