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
// Each kind of data adds its own page (kind/kind.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"
#include "pratique/kind/document.h"
#include "pratique/kind/release_report.h"
#include "pratique/manifest/json_value.h"
#include "pratique/release/determination.h"

namespace pratique::release {

// In the steward's words; empty where not said.
struct Decision {
  std::string recipient = {};
  std::string purpose = {};
  std::string approved_by = {};
};

// As explore wrote it, and the options it was run with, by name; empty where they are not recorded.
struct ExploredMap {
  RuMap map;
  JsonValue settings = {};
};

struct ReportRequest {
  std::vector<std::string> releases = {};
  Decision decision = {};
  // The release is marked on it, where it was made with the settings of the map.
  std::optional<ExploredMap> ru_map = {};
  // Lists of named people: each table is attacked with them, before and after.
  std::vector<Source> adversaries = {};
  // Of whom each table is a random sample: how many of its people are unique among all.
  std::optional<std::uint64_t> population_size = {};
  std::string private_folder = {};  // see ReleaseFile::read
  bool as_released = false;         // nothing that only the private manifest tells
  std::string determination = {};   // a file: the report is an expert determination of one release
};

struct Report {
  std::string created;
  std::string version;
  Decision decision = {};
  std::vector<ReleaseReport> releases = {};
  std::optional<Determination> determination = {};  // of the one release

  // Of the files: what the words of a determination make of them is its conclusion.
  [[nodiscard]] Standing standing() const;
  [[nodiscard]] Conclusion conclusion() const;
  // A determination with empty fields.
  [[nodiscard]] bool draft() const;
  // All that was asked for holds: nothing fails, is unchecked or empty.
  [[nodiscard]] bool clears() const;
};

// fails where one does, else unchecked where one is; holds where all do.
[[nodiscard]] Standing standing_of_all(const std::vector<Standing>& releases);

[[nodiscard]] Report make_report(Engine& engine, const ReportRequest& request, Progress& progress);

// What report_finding.h has, and: recipient, purpose, approved_by, holds (null: unchecked),
// releases[] (release, kind, created, k, standing, verdict, notes[], facts{}, columns[], models[],
// attacks[] (before and after are null where they are 1 to k - 1 people), metrics{}, charts{},
// hidden[], limits[], risks[], safe_harbor[], command, files[]), determination (where there is one)
[[nodiscard]] Json to_json(const Report& report);
[[nodiscard]] Document to_document(const Report& report);

// From what tables explore writes: ru-map.json.
[[nodiscard]] ExploredMap read_ru_map(const std::string& path);

}  // namespace pratique::release
