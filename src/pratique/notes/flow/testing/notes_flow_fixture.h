// What tests of the flows of notes share: notes written as JSON lines, and read back.
//
// Include <nlohmann/json.hpp> before it, as every file does that reads JSON (core/json.h).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pratique/kind/testing/flow_fixture.h"

namespace pratique::notes::flow {

class NotesFlowFixture : public FlowFixture {
 protected:
  using Lines = std::vector<Json>;

  [[nodiscard]] std::string notes(const std::string& name, const Lines& lines) const {
    std::string text;
    for (const auto& line : lines) text += line.dump() + "\n";
    return file(name, text);
  }
  static Lines read_lines(const std::string& path) {
    Lines lines;
    for (const auto& line : lines_of(path)) lines.push_back(Json::parse(line));
    return lines;
  }
  [[nodiscard]] bool is_there(const std::string& name) const {
    return std::filesystem::exists(path(name));
  }
  static unsigned mode_of(const std::string& path) {
    return static_cast<unsigned>(std::filesystem::status(path).permissions());
  }
  // A marked span of `text` around `part`; both in ASCII, where bytes are code points.
  static Json span(const std::string& text, const std::string& part, const std::string& type) {
    const auto start = text.find(part);
    return {{"start", start}, {"end", start + part.size()}, {"type", type}};
  }
};

}  // namespace pratique::notes::flow
