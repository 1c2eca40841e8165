#include "pratique/server/workbench.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "pratique/core/file.h"

namespace pratique::server::workbench_test {
namespace {

// "hello" as gzip.
std::string packed(std::string_view text) {
  std::string out(100, '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string new_folder(const std::string& folder) {
  std::filesystem::create_directory(folder);
  return folder;
}

class WorkbenchTest : public testing::Test {
 protected:
  net::Response ask(const std::string& method, const std::string& path,
                    const std::string& body = {}, std::map<std::string, std::string> headers = {}) {
    net::Request request;
    request.method = method;
    const auto question = path.find('?');
    request.path = path.substr(0, question);
    if (question != std::string::npos) {
      const auto equals = path.find('=', question);
      request.query[path.substr(question + 1, equals - question - 1)] = path.substr(equals + 1);
    }
    request.headers = std::move(headers);
    request.headers["host"] = "h:1";
    request.headers.emplace("x-pratique", "1");
    request.read_body = [&](const auto& take) { return body.empty() || take(body); };
    return bench.handle(request);
  }
  [[nodiscard]] static std::string header(const net::Response& response, const std::string& name) {
    std::string values;
    for (const auto& [key, value] : response.headers) {
      if (key == name) values += value;
    }
    return values;
  }

  PrivateFolder folder;
  std::string data = new_folder(folder.path() + "/data");
  std::string page = packed("hello");
  std::vector<Asset> assets = {{"index.html", "text/html", page, "abc"},
                               {"assets/a-1.js", "text/javascript", page, "def"}};
  Workbench bench{
      {.program = "/bin/false",
       .data = data,
       .token = "",
       .hosts = {"h:1"},
       .upload_bytes = 10,
       .jobs = {},
       .assets = assets},
      Catalogue({{"tables", "profile", "", {{"FILE", OptionKind::file, "", true, false}}, {}},
                 {"", "verify", "", {}, {}}})};
};

TEST_F(WorkbenchTest, AssetsAndDeepLinks) {
  const auto gzip = std::map<std::string, std::string>{{"accept-encoding", "br, gzip"}};
  for (const char* path : {"/", "/index.html", "/tables/protect", "/jobs/1"}) {
    const auto response = ask("GET", path, "", gzip);
    EXPECT_EQ(response.fixed, page) << path;
    EXPECT_EQ(response.type, "text/html");
    EXPECT_EQ(header(response, "Content-Encoding"), "gzip");
    EXPECT_EQ(header(response, "Cache-Control"), "no-cache");
    EXPECT_NE(header(response, "Content-Security-Policy").find("default-src 'self'"),
              std::string::npos);
    EXPECT_EQ(ask("GET", path).body, "hello");
  }
  EXPECT_NE(header(ask("GET", "/assets/a-1.js"), "Cache-Control").find("immutable"),
            std::string::npos);
  EXPECT_EQ(ask("GET", "/", "", {{"if-none-match", "\"abc\""}}).status, 304);
  EXPECT_EQ(ask("GET", "/assets/b.js").status, 404);
  EXPECT_EQ(ask("GET", "/../etc/passwd").status, 404);
  EXPECT_EQ(ask("POST", "/").status, 405);
}

TEST_F(WorkbenchTest, EveryRouteOfTheDocumentIsServed) {
  const Json document = Json::parse(ask("GET", "/api/v1/openapi.json").body);
  std::size_t operations = 0;
  for (const auto& [path, methods] : document.at("paths").items()) operations += methods.size();
  EXPECT_EQ(operations, bench.routes().size() + 2);  // and the two commands
  EXPECT_TRUE(document.at("paths").at("/api/v1/tables/profile").contains("post"));
  EXPECT_TRUE(document.at("paths").at("/api/v1/verify").contains("post"));
  for (const auto& route : bench.routes()) {
    std::string path = route.pattern;
    if (const auto open = path.find('{'); open != std::string::npos) {
      path.replace(open, path.find('}') - open + 1, "none");
    }
    const auto response = ask(route.method, path, route.body == "bytes" ? "x" : "");
    EXPECT_NE(response.status, 405) << path;
    EXPECT_TRUE(response.status != 404 || path != route.pattern) << path;
  }
}

TEST_F(WorkbenchTest, ProblemsAreProblems) {
  for (const auto& [method, path, status] : std::vector<std::tuple<std::string, std::string, int>>{
           {"GET", "/api/v1/x", 404},
           {"GET", "/api/v2/files", 404},
           {"PUT", "/api/v1/files", 405},
           {"GET", "/api/v1/tables/profile", 405},
           {"GET", "/api/v1/jobs/a/b", 404},
           {"GET", "/api/v1/rows/none.csv", 404},
           {"GET", "/api/v1/rows/a?limit=x", 400},
           {"POST", "/api/v1/verify", 202}}) {
    const auto response = ask(method, path);
    EXPECT_EQ(response.status, status) << path;
    EXPECT_EQ(response.type, status < 400 ? "application/json" : "application/problem+json");
  }
}

TEST_F(WorkbenchTest, Uploads) {
  EXPECT_EQ(ask("PUT", "/api/v1/files/a/b.csv", "a\n1\n").status, 201);
  EXPECT_EQ(read_file(data + "/a/b.csv"), "a\n1\n");
  EXPECT_EQ(ask("PUT", "/api/v1/files/a/b.csv", "b\n").status, 409);
  EXPECT_EQ(ask("PUT", "/api/v1/files/a/b.csv?replace=1", "b\n").status, 201);
  EXPECT_EQ(ask("PUT", "/api/v1/files/big", "01234567890").status, 413);
  EXPECT_EQ(ask("PUT", "/api/v1/files/../x", "1").status, 400);
  const Json files = Json::parse(ask("GET", "/api/v1/files").body);
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].at("path"), "a/b.csv");
  EXPECT_EQ(files[0].at("bytes"), 2);
  // To the millisecond, as jobs tell when they were asked for: which was first must be seen.
  const std::array<timespec, 2> when = {timespec{1'700'000'000, 0}, {1'700'000'000, 750'999'999}};
  ASSERT_EQ(utimensat(AT_FDCWD, (data + "/a/b.csv").c_str(), when.data(), 0), 0);
  EXPECT_EQ(Json::parse(ask("GET", "/api/v1/files").body)[0].at("modified"),
            "2023-11-14T22:13:20.750Z");
  const auto download = ask("GET", "/api/v1/files/a/b.csv");
  EXPECT_EQ(download.file_bytes, 2U);
  close(download.file);
}

TEST_F(WorkbenchTest, WhoReadAnEarlierFileDoesNotReplaceALaterOne) {
  const auto put = [&](const std::string& text, const std::string& read_as) {
    return ask("PUT", "/api/v1/files/form.yaml?replace=1", text, {{"if-match", read_as}});
  };
  const std::string first = header(ask("PUT", "/api/v1/files/form.yaml", "one\n"), "ETag");
  EXPECT_FALSE(first.empty());
  const auto read = ask("GET", "/api/v1/files/form.yaml");
  close(read.file);
  EXPECT_EQ(header(read, "ETag"), first);
  const auto second = put("two\n", first);
  EXPECT_EQ(second.status, 201);
  EXPECT_NE(header(second, "ETag"), first);
  // Somebody who still has the first one.
  EXPECT_EQ(put("mine\n", first).status, 412);
  EXPECT_EQ(read_file(data + "/form.yaml"), "two\n");
  EXPECT_EQ(put("mine\n", header(second, "ETag")).status, 201);
  EXPECT_EQ(ask("PUT", "/api/v1/files/none.yaml?replace=1", "x", {{"if-match", first}}).status,
            412);
}

TEST(FileKind, ByNameAndBeginning) {
  EXPECT_EQ(file_kind("a/patients.csv", "a,b\n1,2\n"), "table");
  EXPECT_EQ(file_kind("x.parquet", ""), "table");
  EXPECT_EQ(file_kind("release.csv.manifest.json", "{"), "manifest");
  EXPECT_EQ(file_kind("r.html", ""), "report");
  EXPECT_EQ(file_kind("schema.yaml", ""), "config");
  EXPECT_EQ(file_kind("site.ledger", ""), "ledger");
  EXPECT_EQ(file_kind("site", R"({"entry":{"body":{"format":"pratique-ledger-1")"), "ledger");
  EXPECT_EQ(file_kind("site.ledger.key", "-----BEGIN PRIVATE KEY-----"), "other");
  EXPECT_EQ(file_kind("site.ledger.head", "{"), "other");
  EXPECT_EQ(file_kind("codes.csv", "patient,code\n"), "codes");
  EXPECT_EQ(file_kind("age.csv", "1;young;*\n2;young;*\n"), "hierarchy");
  EXPECT_EQ(file_kind("hierarchies/age.csv", "x,y\n"), "table");
  EXPECT_EQ(file_kind("picture.png", ""), "other");
}

}  // namespace
}  // namespace pratique::server::workbench_test
