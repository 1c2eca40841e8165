// A kind of data: all that the report, the ledger and the workbench need to know of one. Each kind
// makes its own (KIND/release/kind.h), one list has them all (release/kinds.h), and whoever deals
// with releases looks a kind up there and names none.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"
#include "pratique/kind/column_values.h"
#include "pratique/kind/release_file.h"
#include "pratique/kind/release_report.h"
#include "pratique/kind/sequence.h"
#include "pratique/manifest/figure.h"

namespace pratique::release {

struct Kind;

// What a model promises, in plain words.
struct ModelWords {
  std::string_view model;  // as in a claim
  std::string_view name;
  std::string_view promise;  // for whom the release was made safe
  std::string_view limit;    // what is taken for granted, and what is not promised
  // The adversary against whom it does not hold though a reader may think so, for the first line of
  // a verdict; "an insider who ..."
  std::string_view not_against = {};
  std::string_view not_against_attack = {};  // among the results, which says how many they name
  std::string_view not_about = {};  // a number that its claims carry and that it does not depend on
};

// What a page of the report is made from, and where it goes.
struct PageContext {
  Engine& engine;
  const Kind& kind;
  const ReleaseFile& file;
  const Manifest& manifest;
  ReleaseReport& report;
  // Where they are still what the manifest says.
  const std::optional<Source>& release;
  const std::optional<Source>& original;
  const std::optional<RuMap>& ru_map;
  const std::vector<Source>& adversaries;
  Progress& progress;
  // Of whom a table is a random sample.
  std::optional<std::uint64_t> population_size = {};
};

// What a manifest is held against.
struct Evidence {
  Engine& engine;
  const ReleaseFile& file;
  const Manifest& manifest;
  // Where they are still what the manifest says.
  const std::optional<Source>& release;
  const std::optional<Source>& original;
  bool claims_hold;  // as the verifier finds now
  Progress& progress;
};

// An option of a command that names files that were read.
struct FileOption {
  std::string_view name;
  // Words that may stand there and are no file.
  bool (*is_built_in)(const std::string& value) = nullptr;
};

// How well a file looks like data of a kind.
enum class Likeness { none, could_be, is };

struct Kind {
  std::string_view noun;              // of its commands, and the kind of its manifests
  std::string_view verb = "protect";  // of the command that makes its releases
  std::string_view other_verb = {};   // of another that does
  std::string_view title;             // what its releases are
  std::string_view adversary;         // of the attacks before and after, in a sentence
  std::string_view
      file_kind;  // what the workbench calls a file of such data; empty: no name of its own
  // By a file's name, in small letters and without folders, and its first bytes.
  Likeness (*recognise)(std::string_view name, std::string_view beginning) = nullptr;
  std::span<const Figure> figures = {};
  std::span<const ModelWords> models = {};  // what its releases may claim; no other claim is theirs
  // Of the command, beside config and the inputs, whose names are in capitals.
  std::span<const FileOption> file_options = {};
  std::string_view verify_needs = {};  // beside the release and its manifest
  bool takes_map = false;              // a map of risk and utility can be shown with it
  bool takes_lists = false;            // it can be attacked with a list of people
  bool shows_rows = false;  // its commands rows and distributions show whatever has columns
  // Its page of the report.
  void (*describe)(PageContext& context) = nullptr;
  // What its verdict must not leave out, once the rest of the verdict stands.
  void (*qualify)(PageContext& context) = nullptr;
  // What it reveals together with earlier releases of the kind; without one, nothing is tried.
  SequenceRevealed (*attack_sequence)(Engine& engine, const SequenceRequest& request,
                                      Progress& progress) = nullptr;
  // The values by which a release is known to be like another; see column_values.h.
  std::vector<ColumnValues> (*column_values)(Engine& engine, const ReleaseFile& file,
                                             Progress& progress) = release::column_values;
  // What of its manifest is not so, by itself and by the files: adds plain words without values.
  void (*contradict)(const Evidence& evidence, std::vector<std::string>& disagreements) = nullptr;
};

// Words of a model; one without any says so.
[[nodiscard]] const ModelWords& words_of_model(const Kind& kind, std::string_view model);
// A sentence on whom the models claimed do not hold against, with how many such an adversary names
// where that is known; empty where one of them does, or there is none. Counts under k are not told.
[[nodiscard]] std::string not_held_against(const Kind& kind, const Manifest& manifest);
// Figures of the results, in their words, where they are there.
void add_facts(PageContext& context, std::initializer_list<std::string_view> keys);

}  // namespace pratique::release
