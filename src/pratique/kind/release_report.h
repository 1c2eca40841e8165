// What a report says of one release, before it is a document: a kind's page (kind.h) adds to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/bar_chart.h"
#include "pratique/core/chart.h"

namespace pratique::release {

// What explore wrote, and a commitment to the table it tried settings on, which the private
// manifest of that name opens (empty: not recorded).
struct RuMap {
  Chart chart;
  std::string private_name = {};
  std::string input = {};
};

enum class Standing { holds, fails, unchecked };

// A word and what it says; a number, a share or a text.
struct Fact {
  std::string name;
  std::string value;
};

struct ColumnFate {
  std::string column;
  std::string role;
  std::string became;
  std::string values = {};  // different ones, before and after
};

struct Requirement {
  std::string model;    // as in the claim
  std::string name;     // in words
  std::string setting;  // k = 5
  std::string finding;  // by the verifier
  std::string promise;
  std::string limit;
  Standing standing = Standing::unchecked;
};

// A number of people from 1 to k - 1 is NaN, and so is its share.
struct Compared {
  std::string key;  // as in the manifest's results
  std::string what;
  double before = 0;
  double after = 0;
  bool share = false;
};

struct Measured {
  std::string key;
  std::string name;
  double value = 0;
  std::string meaning;
};

// How likely somebody of the release is to be named, for the record most at risk and on average: as
// found in the released file, never in the original.
struct AdversaryRisk {
  std::string adversary;               // a word: prosecutor
  std::string knows;                   // what, in a sentence
  std::optional<double> highest = {};  // none: not measured
  std::optional<double> average = {};
  std::string basis;  // what it rests on
};

// One of the 18 identifiers of Safe Harbor: which columns look like it, and what became of them.
struct IdentifierFate {
  char paragraph = ' ';
  std::string identifier;
  std::string done;
  std::string checked;
};

struct RecordedFile {
  std::string role;  // input, release, manifest
  std::string path;
  std::string sha256;
  std::uint64_t bytes = 0;
  std::string commitment = {};  // in place of both: a report may leave, too
};

struct ReleaseReport {
  std::string release;
  std::string sha256;  // of the released file, as its manifest has it
  std::string manifest_sha256;
  std::string kind;   // as the manifest has it
  std::string title;  // of the kind
  std::string created;
  std::string version;
  std::uint64_t k = 0;
  Standing standing = Standing::unchecked;
  std::string verdict;
  bool exposes = false;  // somebody, by what no claim covers: the verdict says how many
  std::vector<Fact> facts;
  std::vector<ColumnFate> columns;
  std::vector<Requirement> requirements;
  std::string adversary;  // of the attacks
  std::vector<Compared> attacks;
  bool only_after = false;  // what was before is not told
  std::vector<AdversaryRisk> risks;
  std::vector<IdentifierFate> safe_harbor;  // of a release that claims it
  std::vector<Measured> metrics;
  std::optional<Chart> ru_map;
  std::string map_caption;
  std::vector<std::string> notes;       // what was asked for and could not be done
  std::vector<BarChart> groups;         // sizes of classes and the like
  std::vector<BarChart> distributions;  // original and released
  std::vector<std::string> hidden;      // columns none of whose cells may be shown
  bool with_original = false;           // the distributions have both
  std::vector<std::string> remarks;
  bool repeatable = true;          // byte for byte
  std::vector<std::string> needs;  // what the command needs beside the inputs
  std::string command;             // empty where no command made it
  std::string verify_command;
  std::string verify_needs;  // beside the release and its manifest: "the lists of people"
  std::vector<RecordedFile> files;
};

}  // namespace pratique::release
