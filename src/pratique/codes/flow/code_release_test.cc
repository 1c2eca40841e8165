#include "pratique/codes/flow/code_release.h"

#include <nlohmann/json.hpp>

#include "pratique/codes/flow/code_input.h"
#include "pratique/kind/testing/flow_fixture.h"

namespace pratique::release::code_release_test {
namespace {

class CodeReleaseTest : public FlowFixture {
 protected:
  // What each set becomes, by its number: texts of labels.
  static codes::Recoding recoding_of(const std::vector<std::string>& labels,
                                     const std::vector<std::vector<std::uint32_t>>& sets) {
    codes::Recoding recoding;
    for (const auto& text : labels) recoding.labels.push_back({.text = text, .covers = {}});
    for (const auto& set : sets) {
      recoding.items.insert(recoding.items.end(), set.begin(), set.end());
      recoding.first.push_back(recoding.items.size());
    }
    return recoding;
  }
  codes::CodeFile read(const std::string& path) {
    return codes::flow::CodeInput{}.read(run(), path);
  }
  std::string written(const CodeRelease& release, const std::string& name) {
    release.artefact().write(engine(), 0, path(name), Progress::silent());
    return path(name);
  }
};

TEST_F(CodeReleaseTest, BlanksOfLabelsBecomeUnderscoresInSets) {
  auto recoding = recoding_of({"a b", "a\tc", "a\rd", "a\ne", "f"}, {});
  make_writable(recoding, true);
  EXPECT_EQ(recoding.labels[0].text, "a b");
  make_writable(recoding, false);
  std::vector<std::string> texts;
  for (const auto& label : recoding.labels) texts.push_back(label.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"a_b", "a_c", "a_d", "a_e", "f"}));
}

TEST_F(CodeReleaseTest, LabelsThatCannotBeToldApartAreRefused) {
  auto twice = recoding_of({"a b", "c", "a\tb"}, {});
  EXPECT_NE(refusal([&] { return make_writable(twice, false), 0; }).find("blanks"),
            std::string::npos);
  auto nothing = recoding_of({"a", ""}, {});
  EXPECT_NE(refusal([&] { return make_writable(nothing, false), 0; }).find("--patient"),
            std::string::npos);
  EXPECT_NO_THROW(make_writable(nothing, true));
}

TEST_F(CodeReleaseTest, SetsLeaveAsLinesWithTheirLabelsInOrder) {
  const auto file_read = read(file("in.dat", "b a\nc\nb a\nd\na c\nd\ne\n"));
  ASSERT_EQ(file_read.sets.size(), 5U);
  // {a b} and {a c} become the same line; nothing is left of {d}.
  const CodeRelease release(file_read, recoding_of({"z", "m", "k"}, {{0, 1}, {2}, {}, {0, 1}, {1}}),
                            3);
  EXPECT_EQ(release.patients(), 5U);
  EXPECT_EQ(release.artefact().files(path("out.dat")).at(0).format, "sets");
  EXPECT_EQ(sorted_lines_of(written(release, "out.dat")),
            (std::vector<std::string>{"k", "m", "m z", "m z", "m z"}));
}

TEST_F(CodeReleaseTest, ALongReleaseKeepsColumnsAndNotNames) {
  const auto in = file("in.csv",
                       "sex;code;patient;visit;site\n"
                       "F;a;Ann;1;N\nF;b;Ann;2;N\nM;a;Bob;1;S\nF;c;Eve;1;S\nF;d;Eve;2;S\n"
                       "M;c;Dan;1;N\nM;d;Dan;1;N\nM;e;Pat;1;N\n");
  auto file_read = read(in);
  ASSERT_EQ(file_read.dropped, std::vector<std::string>{"visit"});
  ASSERT_EQ(file_read.sets.size(), 4U);
  // {a b}: y and x; {a}: x; {c d}: w; nothing is left of {e}.
  const auto recoding = recoding_of({"y", "x", "w"}, {{0, 1}, {1}, {2}, {}});
  const CodeRelease release(file_read, recoding, 3);
  EXPECT_EQ(release.patients(), 4U);
  EXPECT_EQ(release.artefact().files(path("out.csv")).at(0).rows, 5U);
  const auto out = written(release, "out.csv");
  EXPECT_EQ(lines_of(out).at(0), "sex;code;patient;site");
  const auto text = read_file(out);
  for (const auto* name : {"Ann", "Bob", "Eve", "Dan", "Pat"}) {
    EXPECT_EQ(text.find(name), std::string::npos) << name;
  }
  // By patient: the rest of the row, and the codes in their order.
  std::map<std::string, std::vector<std::string>> by_patient;
  std::vector<std::string> patients;
  for (const auto& row : rows_of(out, ';')) {
    if (patients.empty() || patients.back() != row.at("patient")) {
      patients.push_back(row.at("patient"));
      by_patient[patients.back()].push_back(row.at("sex") + row.at("site"));
    }
    EXPECT_EQ(by_patient[row.at("patient")].front(), row.at("sex") + row.at("site"));
    by_patient[row.at("patient")].push_back(row.at("code"));
  }
  EXPECT_EQ(patients, (std::vector<std::string>{"1", "2", "3", "4"}));
  std::vector<std::vector<std::string>> left;
  for (const auto& [patient, rest] : by_patient) left.push_back(rest);
  std::sort(left.begin(), left.end());
  EXPECT_EQ(left, (std::vector<std::vector<std::string>>{
                      {"FN", "x", "y"}, {"FS", "w"}, {"MN", "w"}, {"MS", "x"}}));
}

TEST_F(CodeReleaseTest, TheOrderComesFromTheSeedAndTheContentAlone) {
  const auto bytes = [&](const std::string& rows, std::uint64_t seed) {
    const auto read_file_ = read(file("in.csv", "patient,code\n" + rows));
    const auto recoding = codes::unchanged(read_file_.sets, nullptr);
    return read_file(written(CodeRelease(read_file_, recoding, seed), "out.csv"));
  };
  const std::string forwards = "p,a\nq,b\nr,c\ns,d\nt,e\nu,f\nu,a\n";
  const std::string backwards = "1,f\n1,a\n2,e\n3,d\n4,c\n5,b\n6,a\n";
  EXPECT_EQ(bytes(forwards, 1), bytes(backwards, 1));
  EXPECT_NE(bytes(forwards, 1), bytes(forwards, 2));
  const auto sets_bytes = [&](const std::string& lines, std::uint64_t seed) {
    const auto sets = read(file("in.dat", lines));
    const auto recoding = codes::unchanged(sets.sets, nullptr);
    return read_file(written(CodeRelease(sets, recoding, seed), "out.dat"));
  };
  EXPECT_EQ(sets_bytes("a\nb\nc\nd\ne\nf\n", 1), sets_bytes("f\ne\nd\nc\nb\na\n", 1));
  EXPECT_NE(sets_bytes("a\nb\nc\nd\ne\nf\n", 1), sets_bytes("a\nb\nc\nd\ne\nf\n", 2));
}

}  // namespace
}  // namespace pratique::release::code_release_test
