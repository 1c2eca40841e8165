// What tests of releases share: manifests that are written by hand, so that they can say anything.
//
// Include <nlohmann/json.hpp> before it, as every file does that reads JSON (core/json.h).
#pragma once

#include <string>

#include "pratique/core/file.h"
#include "pratique/core/json.h"
#include "pratique/crypto/hash.h"
#include "pratique/kind/testing/folder_fixture.h"

namespace pratique::release {

class ReleaseFixture : public FolderFixture {
 protected:
  void write_manifest(const std::string& name, const Json& manifest) const {
    (void)file(name + ".manifest.json", pratique::to_text(manifest));
  }
  // Of a file that was written, with a claim that its two columns are 2-anonymous.
  [[nodiscard]] Json manifest_of(const std::string& name, const std::string& kind,
                                 std::uint64_t rows) const {
    const Json output = {{"path", name},
                         {"sha256", sha256_file(path(name))},
                         {"bytes", file_size(path(name))},
                         {"rows", rows},
                         {"format", "csv"},
                         {"delimiter", ","}};
    return {
        {"format", 2},
        {"tool", "pratique"},
        {"version", "0.2.0"},
        {"created", "2026-11-16T09:00:03Z"},
        {"kind", kind},
        {"verb", "protect"},
        {"command", {kind, "protect"}},
        {"seed", 1},
        {"inputs", Json::array()},
        {"output", output},
        {"outputs", Json::array({output})},
        {"options", Json::object()},
        {"parameters", Json::object()},
        {"claims", Json::array({{{"model", "k-anonymity"},
                                 {"quasi_identifiers", {"age", "zip"}},
                                 {"k", 2},
                                 {"standing", "derived"}}})},
        {"verification",
         Json::array({{{"model", "k-anonymity"}, {"explanation", "the smallest class was of 2"}}})},
        {"results", Json::object()}};
  }
  // An input that is there, as a manifest records it.
  [[nodiscard]] static Json input_of(const std::string& path) {
    return {{"path", path}, {"sha256", sha256_file(path)}, {"bytes", file_size(path)}};
  }
};

}  // namespace pratique::release
