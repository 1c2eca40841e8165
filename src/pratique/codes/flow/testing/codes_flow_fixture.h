// Flows of codes on the tutorial's example, and what attacks on it find by their definitions.
// Include <nlohmann/json.hpp> before it, as every file does that reads JSON (core/json.h).
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "pratique/codes/flow/protect.h"
#include "pratique/kind/testing/flow_fixture.h"
#include "pratique/verify/release_verifier.h"

namespace pratique::codes::flow {

// The tutorial's example for 5^3-anonymity, with its two subtrees.
inline constexpr const char* kTutorialSets =
    "a b c d e f g h\na c e f g\nc d e f h\na c e f\ne f g h\nd e f g\na b d e\na c f\na c\nb h\n";
inline constexpr const char* kTutorialTree =
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

}  // namespace pratique::codes::flow
