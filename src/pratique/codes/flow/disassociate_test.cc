#include <nlohmann/json.hpp>

#include "pratique/codes/flow/protect.h"
#include "pratique/codes/flow/testing/codes_flow_fixture.h"

namespace pratique::codes::flow::disassociate_test {
namespace {

class DisassociateFlow : public CodesProtectFlow {};

TEST_F(DisassociateFlow, DisassociationKeepsEveryCodeAndTakesRecordsApart) {
  auto request = asked("disassociation");
  request.parameters.k = 2;
  request.parameters.m = 2;
  request.seed.reset();
  const auto result = result_of(request);
  const auto lines = lines_of(out);
  EXPECT_EQ(lines.at(0), "joint cluster records chunk codes");
  Record shown;
  std::map<std::string, std::uint64_t> occurrences;
  std::uint64_t in_chunks = 0;
  Record chunks;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto parts = parts_of(lines[i], ' ');
    EXPECT_EQ(parts.at(2), "10");  // one cluster of all
    shown.insert(parts.begin() + 4, parts.end());
    if (parts.at(3) == "items") continue;
    chunks.insert(parts.at(3));
    in_chunks += parts.size() - 4;
  }
  EXPECT_EQ(shown, (Record{"a", "b", "c", "d", "e", "f", "g", "h"}));
  std::uint64_t all = 0;
  for (const auto& record : records_of(sets)) all += record.size();
  const auto& metrics = result.at("metrics");
  EXPECT_NEAR(metrics.at("occurrences_counted").get<double>(),
              static_cast<double>(in_chunks) / static_cast<double>(all), 1e-12);
  EXPECT_EQ(metrics.at("are"), metrics.at("are_one_code"));
  EXPECT_EQ(metrics.at("clusters"), 1);
  EXPECT_EQ(metrics.at("joint_clusters"), 1);
  EXPECT_EQ(metrics.at("chunks"), chunks.size());
  EXPECT_EQ(metrics.at("shared_chunks"), 0);
  for (const auto* none : {"ncp", "ul", "suppressed_items", "suppressed_occurrences",
                           "suppressed_patients", "groups", "gwas_supported"}) {
    EXPECT_EQ(metrics.at(none), 0) << none;
  }
  const auto as_it_was = [](const std::string& item, const std::string& code) {
    return item == code;
  };
  const auto records = records_of(sets);
  EXPECT_EQ(result.at("before"),
            (Json{{"m_codes_known", exposed(records, records, as_it_was, 2, 2)},
                  {"all_codes_known", exposed(records, records, as_it_was, 99, 2)}}));
  EXPECT_EQ(result.at("after").at("m_codes_known"),
            (Json{{"targets", 10}, {"matched_under_k", 0}, {"reidentified", 0}}));
  EXPECT_NE(result.at("after").at("all_codes_known"), result.at("after").at("m_codes_known"));
  EXPECT_EQ(result.at("patients_in"), 10);
  EXPECT_EQ(result.at("patients_out"), 10);
  EXPECT_EQ(result.at("models").at("km").at("required"), 2);
  EXPECT_GE(result.at("models").at("km").at("achieved"), 2);
  EXPECT_EQ(result.at("verified"), true);
  EXPECT_EQ(result.at("seed"), 0);  // nothing is drawn
  EXPECT_GE(result.at("seconds"), 0);
  EXPECT_LT(result.at("seconds"), 60);
  const auto manifest = manifest_of(out);
  expect_recorded(manifest, "codes", {sets}, {}, 0);
  EXPECT_EQ(
      manifest.at("parameters"),
      (Json{
          {"model", "km"}, {"method", "disassociation"}, {"k", 2}, {"m", 2}, {"format", "sets"}}));
  EXPECT_TRUE(verifies(out));
}

TEST_F(DisassociateFlow, BesideAPartOfARecordNothingElseLeaves) {
  auto request = asked("disassociation");
  request.file = long_file("long.csv");
  request.out = path("out.csv");
  const auto result = result_of(request);
  EXPECT_EQ(result.at("unchanged"), Json::array());
  EXPECT_EQ(result.at("dropped"), Json::array({"visit", "dna"}));
  EXPECT_EQ(result.at("seed"), 5);
  EXPECT_EQ(lines_of(request.out).at(0), "joint,cluster,records,chunk,part,code");
  EXPECT_EQ(read_file(request.out).find("Name"), std::string::npos);
  EXPECT_EQ(read_file(request.out).find("ACGT"), std::string::npos);
  const auto manifest = manifest_of(request.out);
  EXPECT_EQ(manifest.at("parameters").at("patient"), "patient");
  EXPECT_EQ(manifest.at("parameters").at("code"), "code");
  EXPECT_TRUE(verifies(request.out));
}

}  // namespace
}  // namespace pratique::codes::flow::disassociate_test
