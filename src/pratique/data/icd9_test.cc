#include "pratique/data/icd9.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace pratique::icd9::icd9_test {
namespace {

TEST(Icd9, ReadsCodesWithAndWithoutThePoint) {
  EXPECT_EQ(parse("296.01"), (Code{"296", "01"}));
  EXPECT_EQ(parse("29601"), (Code{"296", "01"}));
  EXPECT_EQ(parse("296"), (Code{"296", ""}));
  EXPECT_EQ(parse("004.1"), (Code{"004", "1"}));
  EXPECT_EQ(parse("V45.69"), (Code{"V45", "69"}));
  EXPECT_EQ(parse("v4569"), (Code{"V45", "69"}));
  EXPECT_EQ(parse("E812.3"), (Code{"E812", "3"}));
  EXPECT_EQ(parse("E8123"), (Code{"E812", "3"}));
  EXPECT_EQ(parse("E812"), (Code{"E812", ""}));
  for (const char* no : {"", "4", "41.9", "-1", "296.", "296.001", "29.601", "296.0a", "A00.1",
                         "E82.8", "E81", "E812.34", "V4", "V456.9", "2960123", "296..1", "296 1"}) {
    EXPECT_FALSE(parse(no)) << no;
  }
}

TEST(Icd9, WritesAsManyDigitsAsAsked) {
  const Code code = *parse("29601");
  EXPECT_EQ(code.text(2), "296.01");
  EXPECT_EQ(code.text(1), "296.0");
  EXPECT_EQ(code.text(0), "296");
  EXPECT_EQ(code.text(1, false), "2960");
  EXPECT_EQ(parse("296")->text(2), "296");
}

TEST(Icd9, FindsSectionsAndChapters) {
  EXPECT_EQ(section_of("296")->label(), "295-299");
  EXPECT_EQ(chapter_of("296")->label(), "290-319");
  EXPECT_EQ(section_of("042")->label(), "042");
  EXPECT_EQ(section_of("V45")->label(), "V40-V49");
  EXPECT_EQ(section_of("E812")->name, "Motor vehicle traffic accidents");
  EXPECT_EQ(chapter_of("E812")->label(), "E000-E999");
  for (const char* undefined : {"000", "019", "V92", "V00", "E031", "", "29", "2960", "X12"}) {
    EXPECT_EQ(section_of(undefined), nullptr) << undefined;
  }
}

TEST(Icd9, SectionsLieInOneChapterInOrder) {
  ASSERT_EQ(chapters().size(), 19U);
  std::size_t at = 0;
  for (const CodeRange& section : sections()) {
    const CodeRange* chapter = chapter_of(section.first);
    ASSERT_NE(chapter, nullptr) << section.first;
    EXPECT_EQ(chapter, chapter_of(section.last)) << section.first;
    EXPECT_EQ(section_of(section.first), &section);
    EXPECT_EQ(section_of(section.last), &section);
    EXPECT_LE(section.first, section.last);
    while (&chapters()[at] != chapter) ASSERT_LT(++at, chapters().size()) << section.first;
  }
}

// Fields of a line of CSV with quotes.
std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

TEST(Icd9, AgreesWithTheClassificationAsPublished) {
  const char* path = "../shared/data/codes/icd9cm_hierarchy.csv";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::map<std::string, const CodeRange*> section_by_name;
  std::map<const CodeRange*, std::string> name_by_section;
  std::map<std::string, const CodeRange*> chapter_by_name;
  std::map<const CodeRange*, std::string> name_by_chapter;
  std::size_t codes = 0;
  while (std::getline(file, line)) {
    const auto fields = split(line);
    ASSERT_EQ(fields.size(), 9U) << line;
    ++codes;
    const auto code = parse(fields[1]);
    ASSERT_TRUE(code) << line;
    ASSERT_EQ(code->category, fields[5]);
    ASSERT_EQ(code->text(2, false), fields[1]);
    const CodeRange* section = section_of(code->category);
    const CodeRange* chapter = chapter_of(code->category);
    ASSERT_NE(section, nullptr) << line;
    ASSERT_NE(chapter, nullptr) << line;
    ASSERT_EQ(section_by_name.emplace(fields[7], section).first->second, section) << line;
    ASSERT_EQ(name_by_section.emplace(section, fields[7]).first->second, fields[7]) << line;
    ASSERT_EQ(chapter_by_name.emplace(fields[8], chapter).first->second, chapter) << line;
    ASSERT_EQ(name_by_chapter.emplace(chapter, fields[8]).first->second, fields[8]) << line;
  }
  EXPECT_EQ(codes, 17561U);
  EXPECT_EQ(name_by_section.size(), sections().size());
  EXPECT_EQ(name_by_chapter.size(), chapters().size());
}

}  // namespace
}  // namespace pratique::icd9::icd9_test
