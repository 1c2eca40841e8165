#include "pratique/codes/flow/protect.h"

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/kind/release_file.h"
#include "pratique/kind/testing/flow_fixture.h"
#include "pratique/verify/release_verifier.h"

namespace pratique::codes::flow::protect_test {
namespace {

// The tutorial's example for 5^3-anonymity, with its two subtrees.
constexpr const char* kTutorialSets =
    "a b c d e f g h\na c e f g\nc d e f h\na c e f\ne f g h\nd e f g\na b d e\na c f\na c\nb h\n";
constexpr const char* kTutorialTree =
    "a;abc;*\nb;abc;*\nc;abc;*\nd;defgh;*\ne;defgh;*\nf;defgh;*\ng;defgh;*\nh;defgh;*\n";

using Record = std::set<std::string>;

class CodesProtectFlow : public FlowFixture {
 protected:
  std::string sets = file("sets.dat", kTutorialSets);
  std::string tree = file("tree.csv", kTutorialTree);
  std::string out = path("out.dat");

  static std::vector<Record> records_of(const std::string& path) {
    std::vector<Record> records;
    for (const auto& line : lines_of(path)) {
      const auto parts = parts_of(line, ' ');
      records.emplace_back(parts.begin(), parts.end());
    }
    return records;
  }

  // Patients as a long file: names that must not leave, a column with one value for each patient,
  // and one with several.
  std::string long_file(const std::string& name) const {
    std::string text = "patient,code,dna,visit\n";
    int number = 0;
    for (const auto& line : lines_of(sets)) {
      int place = 0;
      for (const auto& code : parts_of(line, ' ')) {
        text += fmt::format("Name{},{},ACGT{},{}\n", number, code, number % 3, place++);
      }
      ++number;
    }
    return file(name, text);
  }

  ProtectRequest asked(const std::string& method) const {
    ProtectRequest request{.file = sets, .method = method, .out = out, .seed = 5};
    request.parameters.k = 5;
    request.parameters.m = 3;
    if (method != "disassociation") request.codes.hierarchy = tree;
    return request;
  }
  // With the settings that every model has.
  ProtectRequest asked_of(const std::string& model) const {
    ProtectRequest request = asked("");
    request.model = model;
    request.parameters.m = Parameters{}.m;
    return request;
  }
  Json result_of(const ProtectRequest& request) { return *protect(request, run()).result; }
  bool verifies(const std::string& release) {
    return verify::verify_release(engine(), release, Progress::silent()).holds();
  }

  // Who knows the `most` rarest codes of each patient (ties by the order of the codes), where
  // `covers` says which released item stands for a code.
  template <typename Covers>
  static Json exposed(const std::vector<Record>& original, const std::vector<Record>& released,
                      const Covers& covers, std::size_t most, std::uint64_t k) {
    std::map<std::string, int> support;
    for (const auto& record : original) {
      for (const auto& code : record) ++support[code];
    }
    std::uint64_t under_k = 0;
    std::uint64_t unique = 0;
    for (const auto& record : original) {
      std::vector<std::string> known(record.begin(), record.end());
      std::stable_sort(known.begin(), known.end(),
                       [&](const auto& a, const auto& b) { return support[a] < support[b]; });
      known.resize(std::min(known.size(), most));
      const auto candidates = static_cast<std::uint64_t>(
          std::count_if(released.begin(), released.end(), [&](const Record& other) {
            return std::all_of(known.begin(), known.end(), [&](const auto& code) {
              return std::any_of(other.begin(), other.end(),
                                 [&](const auto& item) { return covers(item, code); });
            });
          }));
      under_k += candidates < k ? 1 : 0;
      unique += candidates == 1 ? 1 : 0;
    }
    return {{"targets", original.size()}, {"matched_under_k", under_k}, {"reidentified", unique}};
  }

  // Who knows whole sets, in releases where a code has the same item in all records: then only
  // records that look like a patient's own fit, and all these are as likely.
  template <typename Covers>
  static Json whole_sets_exposed(const std::vector<Record>& original,
                                 const std::vector<Record>& released, const Covers& covers,
                                 std::uint64_t k) {
    std::uint64_t under_k = 0;
    std::uint64_t unique = 0;
    for (const auto& record : original) {
      const auto fitting = static_cast<std::uint64_t>(
          std::count_if(released.begin(), released.end(), [&](const Record& other) {
            return std::all_of(record.begin(), record.end(),
                               [&](const auto& code) {
                                 return std::any_of(
                                     other.begin(), other.end(),
                                     [&](const auto& item) { return covers(item, code); });
                               }) &&
                   std::all_of(other.begin(), other.end(), [&](const auto& item) {
                     return std::any_of(record.begin(), record.end(),
                                        [&](const auto& code) { return covers(item, code); });
                   });
          }));
      under_k += fitting < k ? 1 : 0;
      unique += fitting == 1 ? 1 : 0;
    }
    return {{"targets", original.size()},
            {"matched_under_k", under_k},
            {"reidentified", unique},
            {"named", unique},
            {"named_rightly", unique}};
  }
};

// Two codes that one patient each has, and a tree with nothing between them and the root.
TEST_F(CodesProtectFlow, AReleaseThatKeepsNothingIsRefusedUnlessItIsWanted) {
  ProtectRequest request = asked("apriori");
  request.file = file("two.dat", "a\nb\n");
  request.codes.hierarchy = file("flat.csv", "a;*\nb;*\n");
  request.parameters.k = 2;
  const Error error = error_of([&] { return protect(request, run()); });
  EXPECT_EQ(error.code(), ErrorCode::check_failed);
  EXPECT_NE(error.message().find("most general"), std::string::npos);
  EXPECT_TRUE(nothing_written(request.out));
  request.keeps_nothing = true;
  EXPECT_EQ(result_of(request).at("metrics").at("ncp"), 1);
}

// ICD-10-CM is detected, and its codes are released in one spelling.
TEST_F(CodesProtectFlow, TheSystemOfCodesIsDetectedAndSpellingsAreMadeOne) {
  ProtectRequest request = asked("apriori");
  request.file =
      file("icd10.csv", "patient,code\n1,E11.9\n2,E119\n3,e11.9\n4,E11.65\n5,I10\n6,I10\n");
  request.codes.hierarchy.clear();
  request.parameters.k = 2;
  request.parameters.m = 1;
  request.out = path("icd10-out.csv");
  const auto result = result_of(request);
  EXPECT_EQ(result.at("hierarchy"), "icd10");
  EXPECT_EQ(
      result.at("respelled"),
      (Json{{"spellings", 2}, {"occurrences", 2}, {"points", 1}, {"letters", 1}, {"blanks", 0}}));
  // E11.65 is one patient's: with E11.9 it is the category E11.
  std::multiset<std::string> released;
  for (const auto& line : lines_of(request.out)) {
    if (line.find("code") == std::string::npos) released.insert(line.substr(line.find(',') + 1));
  }
  EXPECT_EQ(released, (std::multiset<std::string>{"E11", "E11", "E11", "E11", "I10", "I10"}));
  const auto manifest = manifest_of(request.out);
  EXPECT_EQ(manifest.at("parameters").at("code_system"), "icd10");
  EXPECT_EQ(manifest.at("parameters").at("points"), true);
  EXPECT_TRUE(verifies(request.out));

  request.file = file("shop.dat", "milk bread\nmilk\nbread\n");
  const auto why = refusal([&] { return protect(request, run()); });
  EXPECT_NE(why.find("needs a hierarchy"), std::string::npos) << why;
}

// A claims file, with two claims of one patient and a patient without a diagnosis, leaves as rows
// of patient and code; so does a discharge list.
TEST_F(CodesProtectFlow, WideFilesAndListsInCellsAreReadAsTheyAre) {
  ProtectRequest request = asked("suppress");
  request.codes.hierarchy.clear();
  request.parameters.k = 2;
  request.parameters.m = 1;
  request.insensitive = {"sex"};
  request.file =
      file("claims.csv",
           "patient,DX1,sex,DX2\n1,250.00,f,\n2,401.9,m,25000\n1,401.9,f,\n3,V58.1,f,\n4,,m,\n");
  request.out = path("claims-out.csv");
  const auto wide = result_of(request);
  EXPECT_EQ(wide.at("code_columns"), (Json{"DX1", "DX2"}));
  EXPECT_EQ(wide.at("patients_without_codes"), 1);
  EXPECT_EQ(wide.at("patients_in"), 3);
  EXPECT_EQ(wide.at("respelled").at("points"), 1);
  const auto lines = lines_of(request.out);
  EXPECT_EQ(lines.front(), "patient,code,sex");
  EXPECT_EQ(lines.size(), 5U);  // two patients with 250.00 and 401.9
  EXPECT_TRUE(verifies(request.out));
  EXPECT_EQ(manifest_of(request.out).at("parameters").at("code_columns"), (Json{"DX1", "DX2"}));

  request.file = file("list.csv", "patient,code\n1,250.00;401.9\n2,401.9;250.00\n");
  request.out = path("list-out.csv");
  request.insensitive.clear();
  EXPECT_EQ(result_of(request).at("separator"), ";");
  EXPECT_EQ(
      sorted_lines_of(request.out),
      (std::vector<std::string>{"1,250.00", "1,401.9", "2,250.00", "2,401.9", "patient,code"}));
}

// Over a and b released as A: each of A's three subsets is as likely, so two in three records with
// A have a, and one in three both. Four records of A, of which three have a, two b, and one both.
TEST_F(CodesProtectFlow, OwnQueriesAreAnswered) {
  ProtectRequest request = asked("apriori");
  request.file = file("few.dat", "a\na\na b\nb\n");
  request.codes.hierarchy = file("few.csv", "a;A;*\nb;A;*\nc;C;*\n");
  request.parameters.k = 4;
  request.parameters.m = 1;
  request.queries = file("queries.txt", "a\nb\na b\n");
  const double expected[] = {4 * 2.0 / 3, 4 * 2.0 / 3, 4 * 1.0 / 3};
  const double actual[] = {3, 2, 1};
  double error = 0;
  for (int q = 0; q < 3; ++q) error += std::abs(actual[q] - expected[q]) / actual[q] / 3;
  const auto result = result_of(request);
  EXPECT_EQ(sorted_lines_of(out), (std::vector<std::string>{"A", "A", "A", "A"}));
  EXPECT_NEAR(result.at("metrics").at("are").get<double>(), error, 1e-12);
  // One of two: 1/2 each, and never both.
  EXPECT_NEAR(result.at("metrics").at("are_one_code").get<double>(), (1.0 / 3 + 0.0 / 2 + 1.0) / 3,
              1e-12);
  expect_recorded(manifest_of(out), "codes", {request.file},
                  {request.codes.hierarchy, request.queries}, 5);
  request.queries = file("queries.txt", "a b\nz\n");
  EXPECT_NE(refusal([&] { return protect(request, run()); }).find("'z' is no code"),
            std::string::npos);
}

// The code of one patient in ten keeps all others at the root, until it may be removed.
TEST_F(CodesProtectFlow, AFewRemovedCodesSaveTheOthers) {
  ProtectRequest request = asked("apriori");
  request.file = file("odd.dat", "a\na\na\na\na\nb\nb\nb\nb\nz\n");
  request.codes.hierarchy = file("flat.csv", "a;*\nb;*\nz;*\n");
  request.parameters.k = 3;
  EXPECT_EQ(error_of([&] { return protect(request, run()); }).code(), ErrorCode::check_failed);
  request.parameters.suppression = 0.1;
  const auto result = result_of(request);
  EXPECT_EQ(sorted_lines_of(out),
            (std::vector<std::string>{"a", "a", "a", "a", "a", "b", "b", "b", "b"}));
  EXPECT_EQ(result.at("metrics").at("suppressed_occurrences"), 1);
  EXPECT_EQ(result.at("metrics").at("suppressed_patients"), 1);
  EXPECT_EQ(result.at("metrics").at("ncp"), 0.1);
  EXPECT_EQ(manifest_of(out).at("parameters").at("suppression"), 0.1);
  EXPECT_TRUE(verifies(out));
  request.method = "suppress";
  EXPECT_NE(refusal([&] { return protect(request, run()); }).find("--suppression"),
            std::string::npos);
}

TEST_F(CodesProtectFlow, TheTutorialsReleaseIsAttackedVerifiedAndWritten) {
  const auto result = result_of(asked("apriori"));
  EXPECT_EQ(sorted_lines_of(out),
            (std::vector<std::string>{"abc", "abc defgh", "abc defgh", "abc defgh", "abc defgh",
                                      "abc defgh", "abc defgh", "abc defgh", "defgh", "defgh"}));
  EXPECT_TRUE(verifies(out));
  EXPECT_EQ(result.at("model"), "km");
  EXPECT_EQ(result.at("method"), "apriori");
  EXPECT_EQ(result.at("patients_in"), 10);
  EXPECT_EQ(result.at("patients_out"), 10);
  EXPECT_EQ(result.at("models").at("km"), (Json{{"required", 5}, {"achieved", 7}}));
  EXPECT_EQ(result.at("verified"), true);
  EXPECT_EQ(result.at("out"), out);
  EXPECT_EQ(result.at("seed"), 5);
  EXPECT_GE(result.at("seconds"), 0);
  EXPECT_LT(result.at("seconds"), 60);

  const auto& metrics = result.at("metrics");
  EXPECT_EQ(metrics.at("groups"), 2);
  EXPECT_EQ(metrics.at("suppressed_items"), 0);
  EXPECT_EQ(metrics.at("suppressed_occurrences"), 0);
  EXPECT_EQ(metrics.at("suppressed_patients"), 0);
  EXPECT_EQ(metrics.at("gwas_supported"), 0);
  // Of 41 codes in records, 15 became one of 3 of 8 leaves, 26 one of 5.
  EXPECT_NEAR(metrics.at("ncp").get<double>(), (15 * 3.0 / 8 + 26 * 5.0 / 8) / 41, 1e-12);
  EXPECT_FALSE(metrics.contains("utility_kept"));

  const auto as_it_was = [](const std::string& item, const std::string& code) {
    return item == code;
  };
  const auto by_tree = [](const std::string& item, const std::string& code) {
    return item.find(code) != std::string::npos;
  };
  const auto before = records_of(sets);
  const auto after = records_of(out);
  EXPECT_EQ(result.at("before"),
            (Json{{"m_codes_known", exposed(before, before, as_it_was, 3, 5)},
                  {"all_codes_known", exposed(before, before, as_it_was, 99, 5)},
                  {"whole_set_known", whole_sets_exposed(before, before, as_it_was, 5)}}));
  EXPECT_EQ(result.at("after"),
            (Json{{"m_codes_known", exposed(before, after, by_tree, 3, 5)},
                  {"all_codes_known", exposed(before, after, by_tree, 99, 5)},
                  {"whole_set_known", whole_sets_exposed(before, after, by_tree, 5)}}));
}

TEST_F(CodesProtectFlow, TheManifestSaysHowTheReleaseWasMade) {
  config = file("settings.yaml", "k: 5\n");
  auto request = asked("apriori");
  const auto result = result_of(request);
  const auto manifest = manifest_of(out);
  expect_recorded(manifest, "codes", {sets}, {tree, config}, 5);
  EXPECT_FALSE(manifest.at("options").contains("seed"));
  EXPECT_EQ(manifest.at("command"), (Json{"the", "command"}));
  const auto& parameters = manifest.at("parameters");
  EXPECT_EQ(parameters.at("model"), "km");
  EXPECT_EQ(parameters.at("method"), "apriori");
  EXPECT_EQ(parameters.at("k"), 5);
  EXPECT_EQ(parameters.at("m"), 3);
  EXPECT_EQ(parameters.at("hierarchy"), tree);
  EXPECT_EQ(parameters.at("format"), "sets");
  const auto& claim = manifest.at("claims").at(0);
  EXPECT_EQ(claim.at("model"), "km-anonymity");
  EXPECT_FALSE(claim.contains("patient"));
  EXPECT_EQ(claim.at("labels"),
            (Json{{"abc", {"a", "b", "c"}}, {"defgh", {"d", "e", "f", "g", "h"}}}));
  EXPECT_FALSE(manifest.at("results").contains("before"));
  const Manifest complete = release::ReleaseFile::read(request.out).manifest();
  EXPECT_EQ(complete.results->at("before"), result.at("before"));
  EXPECT_EQ(manifest.at("outputs").at(0).at("rows"), 10);
}

TEST_F(CodesProtectFlow, ASeedThatWasDrawnIsRecordedAndRepeatsTheRelease) {
  auto request = asked("local");
  request.seed.reset();
  const auto first = result_of(request);
  const auto seed = first.at("seed").get<std::uint64_t>();
  const auto bytes = read_file(out);
  const auto manifest = manifest_of(out);
  expect_recorded(manifest, "codes", {sets}, {tree}, seed);
  EXPECT_EQ(manifest.at("options").at("seed"), seed);
  EXPECT_EQ(manifest.at("command"), (Json{"the", "command", "--seed", std::to_string(seed)}));
  EXPECT_NE(result_of(request).at("seed"), seed);
  request.seed = seed;
  (void)result_of(request);
  EXPECT_EQ(read_file(out), bytes);
}

TEST_F(CodesProtectFlow, ALongReleaseKeepsItsColumnsAndNotItsNames) {
  auto request = asked("apriori");
  request.file = long_file("long.csv");
  request.out = path("out.csv");
  EXPECT_NE(refusal([&] { return protect(request, run()); }).find("dna: "), std::string::npos);
  request.insensitive = {"dna"};
  const auto result = result_of(request);
  EXPECT_EQ(result.at("unchanged"), Json::array({"dna"}));
  EXPECT_EQ(result.at("dropped"), Json::array({"visit"}));
  EXPECT_TRUE(verifies(request.out));
  EXPECT_EQ(lines_of(request.out).at(0), "patient,code,dna");
  EXPECT_EQ(read_file(request.out).find("Name"), std::string::npos);
  std::map<std::string, Record> by_patient;
  for (const auto& row : rows_of(request.out)) by_patient[row.at("patient")].insert(row.at("code"));
  EXPECT_EQ(by_patient.size(), 10U);
  EXPECT_EQ(std::count_if(by_patient.begin(), by_patient.end(),
                          [](const auto& patient) { return patient.second.size() == 2; }),
            7);
  const auto claim = manifest_of(request.out).at("claims").at(0);
  EXPECT_EQ(claim.at("patient"), "patient");
  EXPECT_EQ(claim.at("code"), "code");

  request.codes.columns.identifiers = {"dna"};
  request.insensitive.clear();
  request.out = path("out.parquet");
  EXPECT_EQ(result_of(request).at("unchanged"), Json::array());
  EXPECT_TRUE(verifies(request.out));
}

TEST_F(CodesProtectFlow, CodesThatAreTooRareGo) {
  auto request = asked("suppress");
  request.codes.hierarchy.clear();
  request.file = file("rare.dat", "a x\na\na b\nb\nc\n");
  request.parameters.k = 2;
  request.parameters.m = 1;
  const auto result = result_of(request);
  EXPECT_EQ(sorted_lines_of(out), (std::vector<std::string>{"a", "a", "a b", "b"}));
  EXPECT_EQ(result.at("patients_in"), 5);
  EXPECT_EQ(result.at("patients_out"), 4);
  EXPECT_EQ(result.at("metrics").at("suppressed_items"), 2);
  EXPECT_EQ(result.at("metrics").at("suppressed_occurrences"), 2);
  EXPECT_EQ(result.at("metrics").at("suppressed_patients"), 1);
  EXPECT_NEAR(result.at("metrics").at("ncp").get<double>(), 2.0 / 7, 1e-12);
  EXPECT_EQ(manifest_of(out).at("parameters").at("hierarchy"), "");
  const auto as_it_was = [](const std::string& item, const std::string& code) {
    return item == code;
  };
  const auto before = records_of(request.file);
  EXPECT_EQ(result.at("before"),
            (Json{{"m_codes_known", exposed(before, before, as_it_was, 1, 2)},
                  {"all_codes_known", exposed(before, before, as_it_was, 99, 2)},
                  {"whole_set_known", whole_sets_exposed(before, before, as_it_was, 2)}}));
  EXPECT_NE(result.at("before").at("m_codes_known"), result.at("before").at("all_codes_known"));
}

TEST_F(CodesProtectFlow, NothingIsWrittenWhereNothingWouldBeLeft) {
  auto request = asked("suppress");
  request.file = file("gone.dat", "a\nb\nc\n");
  request.codes.hierarchy.clear();
  request.parameters.k = 2;
  const auto error = error_of([&] { return protect(request, run()); });
  EXPECT_EQ(error.code(), ErrorCode::check_failed);
  EXPECT_EQ(error.place(), out);
  EXPECT_NE(error.message().find("nothing would be left"), std::string::npos);
  EXPECT_TRUE(nothing_written(out));
}

TEST_F(CodesProtectFlow, NoFileThatIsReadIsOverwritten) {
  config = file("settings.yaml", "k: 5\n");
  auto request = asked("");
  request.weights = file("weights.csv", "code,weight\na,1\n");
  const auto expect_kept = [&](const std::string& target) {
    const auto before = read_file(target);
    request.out = target;
    EXPECT_NE(refusal([&] { return protect(request, run()); }).find("same file"), std::string::npos)
        << target;
    EXPECT_EQ(read_file(target), before);
  };
  for (const auto& target : {sets, tree, config, request.weights}) expect_kept(target);
  const std::tuple<const char*, const char*, const char*> of_models[] = {
      {"coherence", "sensitive", "a\n"},
      {"rules", "rules", "a -> b\n"},
      {"policy", "privacy", "a b\n"},
      {"policy", "utility", "c d\n"}};
  request.parameters.m = Parameters{}.m;
  for (const auto& [model, key, text] : of_models) {
    request.model = model;
    request.model_files = {{key, file(key, text)}};
    expect_kept(path(key));
  }
}

TEST_F(CodesProtectFlow, WhatTheModelOrTheMethodDoesNotListenToIsRefused) {
  const auto said = [&](const std::function<void(ProtectRequest&)>& change) {
    auto request = asked("");
    change(request);
    auto text = refusal([&] { return protect(request, run()); });
    EXPECT_TRUE(nothing_written(request.out)) << text;
    return text;
  };
  const std::pair<std::function<void(ProtectRequest&)>, const char*> unheard[] = {
      {[](auto& r) { r.parameters.h = 3; }, "--h has no effect with --model km"},
      {[](auto& r) { r.parameters.c = 0.1; }, "--c has no effect with --model km"},
      {[](auto& r) { r.parameters.rho = 0.1; }, "--rho has no effect with --model km"},
      {[](auto& r) { r.parameters.p = 1; }, "--p has no effect with --model km"},
      {[](auto& r) { r.parameters.quasi_identifiers = {"age"}; }, "--qi has no effect"},
      {[](auto& r) { r.parameters.value_hierarchies = {"age=flat"}; }, "--qi-hierarchy has no"},
      {[&](auto& r) { r.model_files["privacy"] = file("p.txt", "a\n"); },
       "--privacy has no effect"},
      {[](auto& r) { r.model_files["utility"] = "gwas"; }, "--utility has no effect"},
      {[](auto& r) {
         r.model = "complete";
         r.parameters.m = 3;
       },
       "--m has no effect with --model complete"},
      {[](auto& r) { r.method = "disassociation"; },
       "--hierarchy has no effect with --method disassociation"},
      {[&](auto& r) {
         r.method = "disassociation";
         r.codes.hierarchy.clear();
         r.weights = file("w.csv", "code,weight\na,1\n");
       },
       "--weights has no effect with --method disassociation"},
  };
  for (const auto& [change, message] : unheard) {
    EXPECT_NE(said(change).find(message), std::string::npos) << said(change);
  }
}

TEST_F(CodesProtectFlow, WhatCannotBeIsRefused) {
  const auto said = [&](const std::function<void(ProtectRequest&)>& change) {
    auto request = asked("");
    change(request);
    auto text = refusal([&] { return protect(request, run()); });
    EXPECT_TRUE(nothing_written(request.out)) << text;
    return text;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(said([&](auto& r) { r.out = path("o.parquet"); }), "Parquet"));
  EXPECT_TRUE(has(said([](auto& r) { r.method = "aprior"; }), "apriori"));
  EXPECT_TRUE(has(said([](auto& r) { r.model = "kn"; }), "km"));
  EXPECT_TRUE(has(said([](auto& r) { r.parameters.k = 11; }), "10 patients"));
  EXPECT_TRUE(has(said([](auto& r) { r.codes.hierarchy.clear(); }), "--hierarchy"));
  EXPECT_TRUE(has(said([&](auto& r) { r = asked_of("policy"); }), "--privacy"));
  EXPECT_TRUE(has(said([&](auto& r) { r = asked_of("coherence"); }), "--sensitive"));
  EXPECT_TRUE(has(said([&](auto& r) { r = asked_of("rules"); }), "--rules"));
  EXPECT_TRUE(has(said([&](auto& r) {
                    r.file = long_file("long.csv");
                    r.codes.columns.patient = "patent";
                  }),
                  "Did you mean patient?"));
  EXPECT_TRUE(has(said([&](auto& r) {
                    r.method = "disassociation";
                    r.codes.hierarchy.clear();
                    r.parameters.k = 11;
                  }),
                  "10 patients"));
}

// --- policy

class CodesPolicyProtectFlow : public CodesProtectFlow {
 protected:
  ProtectRequest request{
      .file = file("policy.dat", "296.00 296.01 296.02\n295.00 295.01 295.02\n296.00 296.02\n"),
      .model = "policy",
      .out = out,
      .seed = 1,
      .model_files = {{"privacy", file("privacy.txt", "296.00 296.01 296.02\n")},
                      {"utility", file("utility.txt", "296.00 296.01\n")}}};
  void SetUp() override { request.parameters.k = 2; }
  double loss_with(const std::string& weights) {
    request.weights = file("weights.csv", "code,weight\n" + weights);
    return result_of(request).at("metrics").at("ul").get<double>();
  }
};

TEST_F(CodesPolicyProtectFlow, TheTutorialsRelease) {
  const auto result = result_of(request);
  EXPECT_EQ(sorted_lines_of(out),
            (std::vector<std::string>{"(296.00|296.01) 296.02", "(296.00|296.01) 296.02",
                                      "295.00 295.01 295.02"}));
  EXPECT_EQ(result.at("metrics").at("utility_constraints"), 1);
  EXPECT_EQ(result.at("metrics").at("utility_kept"), 1);
  EXPECT_EQ(result.at("metrics").at("groups"), 1);
  // Bipolar disorder and schizophrenia.
  EXPECT_EQ(result.at("metrics").at("gwas_supported"), 2);
  EXPECT_EQ(result.at("before").at("constraints_known"),
            (Json{{"targets", 1}, {"matched_under_k", 1}, {"reidentified", 1}}));
  EXPECT_EQ(result.at("after").at("constraints_known"),
            (Json{{"targets", 1}, {"matched_under_k", 0}, {"reidentified", 0}}));
  // Of three patients, two have sets that nobody else's holds.
  EXPECT_EQ(result.at("before").at("all_codes_known"),
            (Json{{"targets", 3}, {"matched_under_k", 2}, {"reidentified", 2}}));
  EXPECT_EQ(result.at("after").at("all_codes_known"),
            (Json{{"targets", 3}, {"matched_under_k", 1}, {"reidentified", 1}}));
  EXPECT_EQ(result.at("models").at("policy"), (Json{{"required", 2}, {"achieved", 2}}));
  expect_recorded(manifest_of(out), "codes", {request.file},
                  {request.model_files["privacy"], request.model_files["utility"]}, 1);
  EXPECT_TRUE(verifies(out));
}

TEST_F(CodesPolicyProtectFlow, PoliciesConcernTheModelPolicyAlone) {
  request.model = "km";
  request.method = "suppress";
  request.parameters.m = 1;
  EXPECT_NE(refusal([&] { return protect(request, run()); }).find("it goes with --model policy"),
            std::string::npos);
  request.model_files.clear();
  const auto result = result_of(request);
  EXPECT_TRUE(result.at("before").contains("m_codes_known"));
  EXPECT_FALSE(result.at("before").contains("constraints_known"));
  EXPECT_FALSE(manifest_of(out).at("claims").at(0).contains("privacy"));
}

TEST_F(CodesPolicyProtectFlow, LossIsWeighted) {
  // One item stands for two of six codes, in two of three records.
  const double one_each = 3.0 / 63 * 2 / 3;
  EXPECT_NEAR(result_of(request).at("metrics").at("ul").get<double>(), one_each, 1e-12);
  EXPECT_NEAR(loss_with("296.00,3\n296.01,1\n"), one_each * 2, 1e-12);
  EXPECT_NEAR(loss_with("296.00,0\nV58,7\n"), one_each / 2, 1e-12);
  // However it is written, and by its beginning; what is no code is refused.
  EXPECT_NEAR(loss_with("29600,0\n"), one_each / 2, 1e-12);
  EXPECT_NEAR(loss_with("296.0*,0\n"), 0, 1e-12);
  EXPECT_THROW((void)loss_with("296.00,0\nV99,7\n"), Error);
  EXPECT_NEAR(loss_with("295.00,9\n"), one_each, 1e-12);
  expect_recorded(manifest_of(out), "codes", {request.file},
                  {request.model_files["privacy"], request.model_files["utility"], request.weights},
                  1);
}

TEST_F(CodesPolicyProtectFlow, AWeightIsANumberOfAtLeastNothing) {
  for (const auto* weight : {"-0.1", "x", "", "1x", "inf", "nan"}) {
    const auto text =
        refusal([&] { return loss_with(fmt::format("295.00,1\n295.01,{}\n", weight)); });
    EXPECT_NE(text.find("weights.csv, row 2"), std::string::npos) << weight;
    EXPECT_TRUE(nothing_written(out));
  }
  request.weights = file("weights.csv", "code,value\n295.00,1\n");
  EXPECT_NE(refusal([&] { return protect(request, run()); }).find("weight"), std::string::npos);
}

// --- sensitive codes and rules

class CodesModelsProtectFlow : public CodesProtectFlow {
 protected:
  // Of the two with a, one has s; so of the two with b. Who has both has s.
  ProtectRequest request{.file = file("in.dat", "a b s\na\nb\nc\nc\n"),
                         .model = "coherence",
                         .method = "suppress",
                         .out = out,
                         .seed = 1,
                         .model_files = {{"sensitive", file("sensitive.txt", "s\n")}}};
  void SetUp() override { request.parameters.k = 2; }
};

TEST_F(CodesModelsProtectFlow, WhoKnowsPCodesInfersWhatMoreThanOneInHHave) {
  request.parameters.p = 1;
  const auto one_known = result_of(request);
  EXPECT_EQ(one_known.at("before").at("sensitive_inferred"),
            (Json{{"targets", 1}, {"inferred", 0}}));
  EXPECT_EQ(one_known.at("metrics").at("suppressed_items"), 0);
  request.parameters.p = 2;
  const auto two_known = result_of(request);
  EXPECT_EQ(two_known.at("before").at("sensitive_inferred"),
            (Json{{"targets", 1}, {"inferred", 1}}));
  EXPECT_EQ(two_known.at("after").at("sensitive_inferred"),
            (Json{{"targets", 1}, {"inferred", 0}}));
  request.parameters.p = 1;
  request.parameters.h = 4;  // one of two is more than one of four
  EXPECT_EQ(result_of(request).at("before").at("sensitive_inferred"),
            (Json{{"targets", 1}, {"inferred", 1}}));
  const auto manifest = manifest_of(out);
  EXPECT_EQ(manifest.at("parameters").at("h"), 4);
  EXPECT_EQ(manifest.at("parameters").at("p"), 1);
  expect_recorded(manifest, "codes", {request.file}, {request.model_files["sensitive"]}, 1);
  EXPECT_TRUE(verifies(out));
}

TEST_F(CodesModelsProtectFlow, UncertaintyHoldsAgainstWhoKnowsEverything) {
  request.model = "uncertainty";
  request.method = "";
  request.codes.hierarchy = file("tree.csv", "a;ab;*\nb;ab;*\nc;c-;*\ns;s-;*\n");
  request.parameters = {.rho = 0.9};
  const auto result = result_of(request);
  EXPECT_EQ(result.at("before").at("sensitive_inferred"), (Json{{"targets", 1}, {"inferred", 1}}));
  EXPECT_EQ(result.at("after").at("sensitive_inferred"), (Json{{"targets", 1}, {"inferred", 0}}));
  EXPECT_FALSE(result.at("before").contains("rules_known"));
  EXPECT_EQ(manifest_of(out).at("parameters").at("rho"), 0.9);
  EXPECT_TRUE(verifies(out));
}

TEST_F(CodesModelsProtectFlow, RulesOfTheTutorial) {
  request.model_files.clear();
  request.model = "rules";
  request.method = "bottom-up";
  request.file = file("rules.dat", "a b c g\na d e h i\nb c g j\nf g h\na b c d e j\nd f i\n");
  request.model_files["rules"] = file("rules.txt", "c d -> h i\n");
  request.parameters.k = 5;
  request.parameters.c = 0.2;
  const auto result = result_of(request);
  // One patient has c and d, and not h and i.
  EXPECT_EQ(result.at("before").at("rules_known"),
            (Json{{"targets", 1}, {"matched_under_k", 1}, {"inferred", 0}}));
  EXPECT_EQ(result.at("after").at("rules_known"),
            (Json{{"targets", 1}, {"matched_under_k", 0}, {"inferred", 0}}));
  EXPECT_FALSE(result.at("before").contains("sensitive_inferred"));
  EXPECT_EQ(sorted_lines_of(out),
            (std::vector<std::string>{"(c|d) a b e j", "(c|d) a b g", "(c|d) a e h i",
                                      "(c|d) b g j", "(c|d) f i", "f g h"}));
  expect_recorded(manifest_of(out), "codes", {request.file}, {request.model_files["rules"]}, 1);
  EXPECT_TRUE(verifies(out));
}

TEST_F(CodesModelsProtectFlow, ARuleThatIsInferredIsCounted) {
  request.model_files.clear();
  request.model = "rules";
  request.method = "bottom-up";
  request.model_files["rules"] = file("rules.txt", "a -> s\n");
  request.parameters.c = 0.25;
  // One of two with a has s; a merges with what makes it one of four at most.
  const auto result = result_of(request);
  EXPECT_EQ(result.at("before").at("rules_known"),
            (Json{{"targets", 1}, {"matched_under_k", 0}, {"inferred", 1}}));
  EXPECT_EQ(result.at("after").at("rules_known").at("inferred"), 0);
}

// --- demographics and codes

class TableAndCodesFlow : public CodesProtectFlow {
 protected:
  ProtectRequest request{.model = "table+codes", .out = path("out.csv"), .seed = 1};
  void SetUp() override {
    // Each code is shared by four and each age by four, but not both.
    std::string text = "patient,code,age,dna\n";
    for (int number = 0; number < 16; ++number) {
      text += fmt::format("Name{},{},{},{}\n", number, "abcd"[number % 4], 20 + number / 4,
                          "ACGT"[number % 4]);
    }
    request.file = file("in.csv", text);
    request.codes.hierarchy = file("tree.csv", "a;ab;*\nb;ab;*\nc;cd;*\nd;cd;*\n");
    request.parameters.k = 4;
    request.parameters.m = 1;
    request.parameters.quasi_identifiers = {"age"};
    request.insensitive = {"dna"};
    request.parameters.value_hierarchies = {"age=interval:2,4"};
  }
};

TEST_F(TableAndCodesFlow, EachAgeWithEachCodeIsShared) {
  const auto result = result_of(request);
  EXPECT_EQ(result.at("unchanged"), Json::array({"dna"}));
  const Json everybody = {{"targets", 16}, {"matched_under_k", 16}, {"reidentified", 16}};
  const Json nobody = {{"targets", 16}, {"matched_under_k", 0}, {"reidentified", 0}};
  for (const auto* known : {"demographics_and_m_codes_known", "demographics_and_all_codes_known"}) {
    EXPECT_EQ(result.at("before").at(known), everybody);
    EXPECT_EQ(result.at("after").at(known), nobody);
  }
  EXPECT_EQ(result.at("before").at("m_codes_known"), nobody);
  std::map<std::string, int> alike;
  std::set<std::string> ages;
  const auto rows = rows_of(request.out);
  for (const auto& row : rows) {
    ++alike[row.at("age") + " " + row.at("code")];
    ages.insert(row.at("age"));
  }
  EXPECT_EQ(rows.size(), 16U);
  for (const auto& [both, count] : alike) EXPECT_GE(count, 4) << both;
  EXPECT_EQ(result.at("classes"), ages.size());
  EXPECT_GE(result.at("metrics").at("demographics_ncp"), 0);
  EXPECT_EQ(read_file(request.out).find("Name"), std::string::npos);
  EXPECT_EQ(manifest_of(request.out).at("claims").at(0).at("quasi_identifiers"),
            Json::array({"age"}));
  EXPECT_TRUE(verifies(request.out));
}

TEST_F(TableAndCodesFlow, WithoutAHierarchyAnAgeStaysOrGoes) {
  request.parameters.value_hierarchies.clear();
  (void)result_of(request);
  for (const auto& row : rows_of(request.out)) {
    const auto& age = row.at("age");
    EXPECT_TRUE(age == "*" || age == "20" || age == "21" || age == "22" || age == "23") << age;
  }
}

TEST_F(TableAndCodesFlow, QuasiIdentifiersAreNamedRightly) {
  const auto said = [&] { return refusal([&] { return protect(request, run()); }); };
  request.parameters.quasi_identifiers = {"dna"};
  request.insensitive = {"age"};
  EXPECT_NE(said().find("'age', which is not a quasi-identifier"), std::string::npos);
  request.parameters.value_hierarchies.clear();
  request.parameters.quasi_identifiers = {"weight"};
  EXPECT_NE(said().find("weight"), std::string::npos);
  request.parameters.quasi_identifiers.clear();
  EXPECT_NE(said().find("--qi"), std::string::npos);
  EXPECT_TRUE(nothing_written(request.out));
}

// --- disassociation

TEST_F(CodesProtectFlow, DisassociationKeepsEveryCodeAndTakesRecordsApart) {
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

TEST_F(CodesProtectFlow, BesideAPartOfARecordNothingElseLeaves) {
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
}  // namespace pratique::codes::flow::protect_test
