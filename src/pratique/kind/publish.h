// How a release leaves: its files (artefact.h) are written to hidden folders, verified there from
// disk, and only then given their names, with a manifest beside them (manifest/manifest.h) that
// says how they were made and what they promise. Rows leave in an order that tells nothing
// (row_order.h). What nobody can find in the release itself, the hashes of what was read and the
// figures about it, stays in a private manifest (manifest/private_manifest.h).
//
// The private manifest appears first. The manifest and the files appear together, and files of an
// older release under the same name that the new one does not have go with them
// (core/joint_commit.h): a process that is killed leaves all of the old or all of the new.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"
#include "pratique/kind/artefact.h"
#include "pratique/kind/row_order.h"
#include "pratique/manifest/figure.h"
#include "pratique/manifest/json_value.h"
#include "pratique/manifest/private_manifest.h"
#include "pratique/verify/claims.h"

namespace pratique::release {

// How a release was made.
struct Origin {
  std::string kind;  // tables, codes, ...: the noun of the command
  std::string verb;
  std::vector<std::string> command;  // the arguments that repeat this run, for people
  std::uint64_t seed = 0;
  std::vector<Source> inputs;
  std::vector<std::string> other_files = {};  // configuration, hierarchies
  JsonValue options = {};                     // all of the command, by name
  std::span<const Figure> figures = {};       // of its kind (Kind::figures), to name the results
  // The results that leave, by their keys (after, randomised.operator): what follows from the
  // released files alone. All others are for the private manifest.
  std::span<const std::string_view> told = {};
  // What options came to by values that may not have left: detected forms, default hierarchies.
  JsonValue private_parameters = {};
  std::string private_folder = {};  // empty: beside the first input
};

// What came of it.
struct Published {
  std::vector<verify::ClaimResult> claims;  // as the verifier found them
  std::string private_manifest;             // where it is
};

// Refuses an output, or a manifest beside it, that is one of the files read, under whatever name,
// a secret key or a ledger; and "-", since a manifest has to lie beside a release.
void refuse_overwriting_inputs(const std::string& out, const std::vector<Source>& inputs,
                               const std::vector<std::string>& other_files = {});
// Refuses a key that would be the output or its manifest, whether or not they exist.
void refuse_key_as_output(const std::string& key, const std::string& out);

// Writes it where a private manifest belongs that is about the first of these inputs and beside
// nothing that is written to `path`. Returns where.
std::string keep_private(const PrivateManifest& kept, const std::vector<Source>& inputs,
                         const std::string& private_folder, const std::string& path);

// Throws Error::check, and writes nothing, when a claim does not hold. The manifest has each claim
// with the standing that the verifier gives it. A file of people that a claim is about stands in it
// as {"path": an input's name}; the manifest commits to it. `results` are figures for the report.
// The private manifest also has how each CSV file among the inputs was read.
Published publish(Engine& engine, const Artefact& artefact, const std::string& path,
                  const Origin& origin, const Json& parameters, const Json& claims,
                  const Json& results, Progress& progress);
// A table, with its rows in an order that tells nothing.
Published publish(Engine& engine, const Content& content, const std::string& path,
                  const Origin& origin, const Json& parameters, const Json& claims,
                  const Json& results, Progress& progress);

}  // namespace pratique::release
