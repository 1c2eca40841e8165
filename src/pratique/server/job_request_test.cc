#include "pratique/server/job_request.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "pratique/core/file.h"
#include "pratique/net/problem.h"

namespace pratique::server::job_request_test {
namespace {

using Words = std::vector<std::string>;

const Command kProtect{
    "tables",
    "protect",
    "",
    {{"FILE", OptionKind::file, "", true, false}},
    {{.name = "qi", .kind = OptionKind::list, .repeat = true, .commas = true},
     {.name = "hierarchy", .kind = OptionKind::file_pairs, .repeat = true},
     {.name = "purpose"},
     {.name = "distance", .repeat = true, .choices = {"equal", "ordered"}, .per_column = true},
     {.name = "k", .kind = OptionKind::number},
     {.name = "method", .choices = {"optimal", "local"}},
     {.name = "relaxed", .kind = OptionKind::flag},
     {.name = "releases", .kind = OptionKind::folder, .repeat = true},
     {.name = "out", .kind = OptionKind::out, .required = true}}};

class JobRequests : public testing::Test {
 protected:
  [[nodiscard]] JobRequest parse(const std::string& body) const {
    return parse_job_request(kProtect, body, folder);
  }
  [[nodiscard]] int status_of(const std::string& body) const {
    try {
      (void)parse(body);
      return 202;
    } catch (const net::Problem& problem) {
      return problem.status();
    }
  }
  PrivateFolder base;
  DataFolder folder{base.path()};
};

TEST_F(JobRequests, BecomeWords) {
  const auto request =
      parse(R"({"inputs": ["my file.csv"], "options": {"qi": ["age", "sex"], "k": 5,
      "hierarchy": ["age=interval:5,10", "zip=prefix"], "relaxed": true, "method": null,
      "out": "it's.csv"}})");
  EXPECT_EQ(request.arguments, (Words{"tables", "protect", "my file.csv", "--qi=age,sex", "--k=5",
                                      "--hierarchy=age=interval:5,10", "--hierarchy=zip=prefix",
                                      "--relaxed", "--out=it's.csv"}));
  EXPECT_EQ(request.command,
            "pratique tables protect 'my file.csv' --qi age,sex --k 5 --hierarchy "
            "age=interval:5,10 --hierarchy zip=prefix --relaxed --out 'it'\\''s.csv'");
  EXPECT_EQ(
      parse(R"({"inputs": ["a"], "options": {"out": "b", "relaxed": false, "k": 1e-5}})").arguments,
      (Words{"tables", "protect", "a", "--out=b", "--k=1e-05"}));
  EXPECT_EQ(parse(R"({"inputs": ["a"], "options": {"out": "b", "qi": "age", "k": "-3"}})").command,
            "pratique tables protect a --out b --qi age --k=-3");
  EXPECT_EQ(Json::parse(request.request),
            Json::parse(R"({"inputs": ["my file.csv"], "options": {"qi": ["age", "sex"], "k": 5,
      "hierarchy": ["age=interval:5,10", "zip=prefix"], "relaxed": true, "method": null,
      "out": "it's.csv"}})"));
}

TEST_F(JobRequests, AnItemOfAListMayContainAComma) {
  EXPECT_EQ(parse(R"({"inputs": ["a"], "options": {"out": "b", "qi": ["Name, Vorname", "age"]}})")
                .arguments,
            (Words{"tables", "protect", "a", "--out=b", "--qi=Name\\, Vorname,age"}));
}

TEST_F(JobRequests, FreeTextIsNoPath) {
  for (const char* text : {"/study of x", "../ is a word", "~ 5 %", "read: /etc/passwd"}) {
    EXPECT_EQ(status_of(R"({"inputs": ["a"], "options": {"out": "b", "purpose": ")" +
                        std::string(text) + "\"}}"),
              202)
        << text;
  }
  EXPECT_EQ(status_of(R"({"inputs": ["a"], "options": {"out": "b", "qi": ["/bmi"],
                          "distance": ["equal@../age"]}})"),
            202);
}

TEST_F(JobRequests, MayReadTheDataFolderItself) {
  EXPECT_EQ(
      parse(R"({"inputs": ["a"], "options": {"out": "b", "releases": [".", "sub"]}})").arguments,
      (Words{"tables", "protect", "a", "--out=b", "--releases=.", "--releases=sub"}));
  for (const char* path : {"..", "./..", ".hidden", "/"}) {
    EXPECT_EQ(status_of(R"({"inputs": ["a"], "options": {"out": "b", "releases": [")" +
                        std::string(path) + "\"]}}"),
              400)
        << path;
  }
  // As an output it is no file.
  EXPECT_EQ(status_of(R"({"inputs": ["a"], "options": {"out": "."}})"), 400);
}

TEST_F(JobRequests, AreRefusedWhenMalformed) {
  for (const char* body :
       {"{", "[]", "1", "null", "\"a\"", R"({"inputs": "a"})", R"({"inputs": [1]})",
        R"({"inputs": ["a"], "options": []})", R"({"inputs": ["-"]})", R"({"inputs": ["--out=x"]})",
        R"({"inputs": ["../a"]})", R"({"inputs": ["a"], "options": {"out": "/tmp/x"}})",
        R"({"inputs": ["a"], "options": {"out": "b", "hierarchy": ["age=/etc/passwd"]}})",
        R"({"inputs": ["a"], "options": {"out": "b", "hierarchy": ["age=../x"]}})",
        R"({"inputs": ["a"], "options": {"out": "b", "purpose": "a\u0000b"}})",
        R"({"inputs": ["a"], "options": {"out": "b", "qi": "a\u0000b"}})"}) {
    EXPECT_EQ(status_of(body), 400) << body;
  }
  EXPECT_EQ(status_of(std::string(100'000, '[')), 400);
  EXPECT_EQ(status_of("{\"inputs\": [\"" + std::string(200'000, 'a') + "\"]}"), 400);
}

TEST_F(JobRequests, AreRefusedWhenTheyDoNotFit) {
  for (const char* body : {"", "{}", R"({"inputs": []})", R"({"inputs": ["a"]})",
                           R"({"inputs": ["a"], "options": {"out": null}})",
                           R"({"inputs": ["a", "b"], "options": {"out": "b"}})",
                           R"({"inputs": ["a"], "options": {"out": "b", "json": true}})",
                           R"({"inputs": ["a"], "options": {"out": "b", "k": "many"}})",
                           R"({"inputs": ["a"], "options": {"out": "b", "k": "5 --x"}})",
                           R"({"inputs": ["a"], "options": {"out": "b", "k": [1, 2]}})",
                           R"({"inputs": ["a"], "options": {"out": "b", "k": {"a": 1}}})",
                           R"({"inputs": ["a"], "options": {"out": "b", "relaxed": 1}})",
                           R"({"inputs": ["a"], "options": {"out": "b", "method": "worst"}})",
                           R"({"inputs": ["a"], "options": {"out": "b", "qi": ["a\\"]}})",
                           R"({"inputs": ["a"], "options": {"out": "b", "distance": "far@age"}})",
                           R"({"inputs": ["a"], "options": {"out": "b"}, "more": 1})"}) {
    EXPECT_EQ(status_of(body), 422) << body;
  }
}

TEST(ShellWord, QuotesWhatAShellWouldTouch) {
  EXPECT_EQ(shell_word("a.csv"), "a.csv");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("$(x)"), "'$(x)'");
  EXPECT_EQ(shell_word("a'b"), "'a'\\''b'");
  EXPECT_EQ(shell_word("world/*/x"), "'world/*/x'");
}

}  // namespace
}  // namespace pratique::server::job_request_test
