#include "pratique/codes/flow/disassociated_release.h"

#include <nlohmann/json.hpp>

#include "pratique/kind/testing/flow_fixture.h"

namespace pratique::release::disassociated_release_test {
namespace {

class DisassociatedReleaseTest : public FlowFixture {
 protected:
  void SetUp() override {
    for (const auto* code : {"a", "b", "c", "d", "e"}) (void)sets.codes.intern(code);
    JointCluster first;
    first.clusters = {{.records = 3, .chunks = {{{{0, 1}, {0}}}, {{{2}}}}, .items = {3, 4}},
                      {.records = 2, .chunks = {}, .items = {0}}};
    first.shared = {{{{1, 3}}}};
    JointCluster second;
    second.clusters = {{.records = 4, .chunks = {{{{0}, {0}}}}, .items = {}}};
    sets.joints = {first, second};
  }
  std::string written(bool long_form, char delimiter, const std::string& name) {
    DisassociatedRelease(sets, long_form, delimiter)
        .artefact()
        .write(engine(), 0, path(name), Progress::silent());
    return path(name);
  }
  DisassociatedSets sets;
};

TEST_F(DisassociatedReleaseTest, LinesSayClusterRecordsChunkAndCodes) {
  const auto out = written(false, ',', "out.dat");
  EXPECT_EQ(lines_of(out),
            (std::vector<std::string>{"joint cluster records chunk codes", "1 1 3 items d e",
                                      "1 1 3 1 a b", "1 1 3 1 a", "1 1 3 2 c", "1 2 2 items a",
                                      "1 - - 1 b d", "2 3 4 1 a", "2 3 4 1 a"}));
  const auto back = parse_disassociated(read_file(out), out);
  ASSERT_EQ(back.joints.size(), 2U);
  EXPECT_EQ(back.joints[0].clusters.size(), 2U);
  EXPECT_EQ(back.joints[0].records(), 5U);
  EXPECT_EQ(back.joints[0].shared.size(), 1U);
  EXPECT_EQ(back.joints[1].clusters.front().chunks.front().parts.size(), 2U);
}

TEST_F(DisassociatedReleaseTest, ATableHasARowPerCode) {
  EXPECT_EQ(lines_of(written(true, ';', "out.csv")),
            (std::vector<std::string>{"joint;cluster;records;chunk;part;code", "1;1;3;items;-;d",
                                      "1;1;3;items;-;e", "1;1;3;1;1;a", "1;1;3;1;1;b",
                                      "1;1;3;1;2;a", "1;1;3;2;1;c", "1;2;2;items;-;a",
                                      "1;-;-;1;1;b", "1;-;-;1;1;d", "2;3;4;1;1;a", "2;3;4;1;2;a"}));
}

}  // namespace
}  // namespace pratique::release::disassociated_release_test
