// What tests of flows share: a run whose command and options are known, so that they can be looked
// for in the manifest, and files read back as lines.
//
// Include <nlohmann/json.hpp> before it, as every file does that reads JSON (core/json.h).
#pragma once

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/crypto/hash.h"
#include "pratique/kind/run.h"
#include "pratique/kind/testing/folder_fixture.h"
#include "pratique/manifest/manifest.h"

namespace pratique {

class FlowFixture : public FolderFixture {
 protected:
  std::string config;  // the settings file of the run

  [[nodiscard]] pratique::Run run() const {
    return {.engine = engine(),
            .progress = Progress::silent(),
            .command = {"the", "command"},
            .options = Json{{"an option", "its value"}},
            .config = config};
  }

  static std::vector<std::string> lines_of(const std::string& path) {
    std::vector<std::string> lines;
    std::istringstream text(read_file(path));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
  static std::vector<std::string> sorted_lines_of(const std::string& path) {
    auto lines = lines_of(path);
    std::sort(lines.begin(), lines.end());
    return lines;
  }
  static std::vector<std::string> parts_of(const std::string& line, char between) {
    std::vector<std::string> parts;
    std::istringstream text(line);
    for (std::string part; std::getline(text, part, between);) parts.push_back(part);
    return parts;
  }
  // The rows of a CSV file without quotes, by column.
  static std::vector<std::map<std::string, std::string>> rows_of(const std::string& path,
                                                                 char delimiter = ',') {
    std::vector<std::map<std::string, std::string>> rows;
    const auto lines = lines_of(path);
    const auto header = parts_of(lines.at(0), delimiter);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const auto cells = parts_of(lines[i], delimiter);
      rows.emplace_back();
      for (std::size_t c = 0; c < header.size(); ++c) rows.back()[header[c]] = cells.at(c);
    }
    return rows;
  }
  static Json manifest_of(const std::string& release) {
    return read_json_file(Manifest::path_of(release));
  }
  // Neither a release nor a manifest, and no unfinished file.
  [[nodiscard]] bool nothing_written(const std::string& out) const {
    const std::string name = std::filesystem::path(out).filename().string();
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      if (entry.path().filename().string().find(name) != std::string::npos) return false;
    }
    return true;
  }

  // What is refused, and how.
  template <typename Call>
  static std::string refusal(const Call& call) {
    const Error error = error_of(call);
    EXPECT_EQ(error.code(), ErrorCode::bad_input);
    return error.place() + " " + error.message() + " " + error.hint();
  }

  // What every manifest says: who made it, of what, and with which seed.
  void expect_recorded(const Json& manifest, const std::string& kind,
                       const std::vector<std::string>& data,
                       const std::vector<std::string>& settings, std::uint64_t seed) const {
    EXPECT_EQ(manifest.at("kind"), kind);
    EXPECT_EQ(manifest.at("verb"), "protect");
    EXPECT_EQ(manifest.at("options").at("an option"), "its value");
    EXPECT_EQ(manifest.at("command").at(0), "the");
    EXPECT_EQ(manifest.at("seed"), seed);
    std::vector<std::string> data_found;
    std::vector<std::string> settings_found;
    for (const auto& input : manifest.at("inputs")) {
      const std::string name = input.at("path");
      EXPECT_TRUE(input.contains("commitment"));
      EXPECT_FALSE(input.contains("sha256"));
      (input.contains("role") && input["role"] == "setting" ? settings_found : data_found)
          .push_back(name);
    }
    EXPECT_EQ(data_found, data);
    EXPECT_EQ(settings_found, settings);
  }
};

}  // namespace pratique
