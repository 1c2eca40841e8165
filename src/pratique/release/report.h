// The document that justifies a release: what left, to whom and why, what was required, what the
// verifier finds in the file now, what attacks find before and after, what was lost, what is not
// promised, and how to do it again. Made from the manifest beside each release (publish.h) and,
// where they still lie at their recorded places with their recorded hashes, from the release and
// the original.
//
// No personal data: whatever counts fewer records than the release's own k (the largest k of its
// claims; 5 when no claim has one) is not shown, nor what follows by subtraction (see
// distributions.h). Of people whom an attack finds, 1 to k - 1 is said, and no number. How many
// records were read, released and left out is said whatever it is. Neither the manifest's claims
// nor the verifier's words on a broken claim are repeated as they stand: both may name rare values.
//
// Each kind of data (tables, codes, trails) adds what it has through one table, internal/kinds.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/chart.h"
#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"
#include "pratique/release/document.h"

namespace pratique::release {

// In the steward's words; empty where not said.
struct Decision {
  std::string recipient = {};
  std::string purpose = {};
  std::string approved_by = {};
};

// What tables explore wrote, and the hash of the table it tried settings on (empty: not recorded).
struct RuMap {
  Chart chart;
  std::string input_sha256 = {};
};

struct ReportRequest {
  std::vector<std::string> releases = {};
  Decision decision = {};
  std::optional<RuMap> ru_map = {};  // this release is marked on it
  // Lists of named people: each table is attacked with them, before and after.
  std::vector<Source> adversaries = {};
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
  std::string found;    // by the verifier
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

struct RecordedFile {
  std::string role;  // input, release, manifest
  std::string path;
  std::string sha256;
  std::uint64_t bytes = 0;
};

struct ReleaseReport {
  std::string release;
  std::string sha256;  // of the released file, as its manifest has it
  std::string manifest_sha256;
  std::string kind;   // tables, codes, trails, or as the manifest has it
  std::string title;  // of the kind
  std::string created;
  std::string version;
  std::uint64_t k = 0;
  Standing standing = Standing::unchecked;
  std::string verdict;
  std::vector<Fact> facts;
  std::vector<ColumnFate> columns;
  std::vector<Requirement> requirements;
  std::string adversary;  // of the attacks
  std::vector<Compared> attacks;
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
  std::string command;
  std::string verify_command;
  std::vector<RecordedFile> files;
};

struct Report {
  std::string created;
  std::string version;
  Decision decision = {};
  std::vector<ReleaseReport> releases = {};

  // fails where one does, else unchecked where one is; holds where all do.
  [[nodiscard]] Standing standing() const;
};

[[nodiscard]] Report make_report(Engine& engine, const ReportRequest& request, Progress& progress);

// What report_finding.h has, and: recipient, purpose, approved_by, holds (null: unchecked),
// releases[] (release, kind, created, k, standing, verdict, notes[], facts{}, columns[], models[],
// attacks[] (before and after are null where they are 1 to k - 1 people), metrics{}, charts{},
// hidden[], limits[], command, files[])
[[nodiscard]] Json to_json(const Report& report);
[[nodiscard]] Document to_document(const Report& report);

// From what tables explore writes: ru-map.json.
[[nodiscard]] RuMap read_ru_map(const std::string& path);

}  // namespace pratique::release
