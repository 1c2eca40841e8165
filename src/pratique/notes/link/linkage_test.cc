#include "pratique/notes/link/linkage.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pratique/notes/find/finder.h"
#include "pratique/notes/find/note_facts.h"
#include "pratique/notes/link/generalised_view.h"

namespace pratique::notes::linkage_test {
namespace {

LinkRecord record(const std::string& given, const std::string& family, const std::string& birth,
                  const std::string& mrn = "") {
  return {.given = given, .family = family, .birth = birth, .sex = "F", .mrn = mrn};
}

// Twenty people, each in two records, the second with a typing error or without the number.
std::vector<LinkRecord> pairs_of_records() {
  std::vector<LinkRecord> records;
  for (int i = 0; i < 20; ++i) {
    const std::string family =
        std::string("fam") + static_cast<char>('a' + i) + "son" + static_cast<char>('z' - i) + "er";
    const std::string birth = "19" + std::to_string(40 + i) + "-03-1" + std::to_string(i % 10);
    records.push_back(record("anna", family, birth, std::to_string(1000 + i)));
    records.push_back(record("anna", i % 2 == 0 ? family : family + "r", birth,
                             i % 3 == 0 ? "" : std::to_string(1000 + i)));
  }
  return records;
}

TEST(Linkage, RecordsOfOnePersonAreLinkedAndOthersAreNot) {
  const auto linked = link_records(pairs_of_records());
  EXPECT_EQ(linked.persons, 20U);
  EXPECT_EQ(linked.links, 20U);
  for (std::uint32_t i = 0; i < 40; ++i) EXPECT_EQ(linked.person[i], i / 2) << i;
}

TEST(Linkage, WeightsAreThoseOfFellegiAndSunter) {
  const LinkField field{"birth", 0.9, 0.1};
  EXPECT_DOUBLE_EQ(field.agrees(), std::log2(9.0));
  EXPECT_DOUBLE_EQ(field.disagrees(), std::log2(0.1 / 0.9));
}

TEST(Linkage, KeysDecideWhereThereAreAny) {
  auto a = record("anna", "smith", "1950-01-01", "7");
  auto b = a;
  a.patient = "1";
  b.patient = "2";
  EXPECT_EQ(link_records({a, b}).persons, 2U);  // alike in all, and said to be two
  b = record("eve", "jones", "1980-01-01", "9");
  b.patient = "1";
  EXPECT_EQ(link_records({a, b}).persons, 1U);  // unlike in all, and said to be one
  EXPECT_EQ(link_records({}).persons, 0U);
}

TEST(NoteFacts, AreReadFromTheText) {
  const std::string text =
      "Patient: Mary Johnson, DOB: 03/14/1950, MRN: 4471123. She is a 61-year-old woman with gout "
      "and pancreatitis, of Boston, MA 02139. Seen on 2011-05-02 by Dr. Lee.";
  const auto facts = facts_of(text, find_identifiers(text));
  EXPECT_EQ(facts.given, "mary");
  EXPECT_EQ(facts.family, "johnson");
  EXPECT_EQ(facts.birth, "1950-03-14");
  EXPECT_EQ(facts.sex, "F");
  EXPECT_EQ(facts.age, 61);
  EXPECT_EQ(facts.mrn, "4471123");
  EXPECT_EQ(facts.zip, "02139");
  EXPECT_EQ(facts.dates, (std::vector<std::string>{"2011-05-02"}));
  EXPECT_EQ(facts.diagnoses, (std::set<std::string>{"gout", "pancreatitis"}));
}

TEST(NoteFacts, RelativesAreNotThePatient) {
  for (const char* text : {"pt seen. Son Luis, age 9, is well. Sex: M. She is 45 years old.",
                           "His 102-year-old mother came. She is 45 years old."}) {
    EXPECT_EQ(facts_of(text, find_identifiers(text)).age, 45) << text;
  }
  EXPECT_EQ(facts_of("94 yo F here", find_identifiers("94 yo F here")).sex, "F");
}

TEST(GeneralisedView, RowsAreSharedByKOrWithheld) {
  PersonView view;
  for (int i = 0; i < 12; ++i) {
    PersonRow row;
    row.age = 40 + i;
    row.sex = i < 9 ? "F" : "M";
    row.zip = i % 2 == 0 ? "02139" : "02140";
    row.dates = {"2011-01-01"};
    row.diagnoses = {i % 2 == 0 ? "gout" : "asthma"};
    view.persons.push_back(row);
  }
  const auto rows = generalise_view(view, 4, 2, Progress::silent());
  std::map<std::string, int> classes;
  std::map<std::string, std::set<std::string>> diagnoses;
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(rows[static_cast<std::size_t>(i)].has_value(), i < 9) << i;  // three men are too few
    if (i >= 9) continue;
    const auto& row = *rows[static_cast<std::size_t>(i)];
    const std::string cells = row.age + "|" + row.sex + "|" + row.zip + "|" + row.year;
    ++classes[cells];
    diagnoses[cells].insert(row.diagnosis);
  }
  EXPECT_GE(classes.size(), 1U);
  for (const auto& [cells, count] : classes) {
    EXPECT_GE(count, 4) << cells;
    EXPECT_GE(diagnoses[cells].size(), 2U) << cells;
  }
}

}  // namespace
}  // namespace pratique::notes::linkage_test
