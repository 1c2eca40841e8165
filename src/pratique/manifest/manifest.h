// What lies beside a release (PATH.manifest.json) and says what it is: how it was made, of what,
// and what it promises. This is its only reader and writer but for verify/, which keeps its own so
// that a fault here cannot hide one there. docs/manifest.md tells the same to people,
// docs/manifest.schema.json to programs.
//
//   format        3. Manifests of format 2 have the SHA-256 and size of each input in place of a
//                 commitment, and all results. Those without it are of format 1: no kind, verb,
//                 options or outputs, and no standing of claims. Both are still read; of format 1
//                 kind and verb are the first two words of the command, and what it does not
//                 record nobody guesses.
//   kind, verb    which command made it: tables protect
//   command[]     the words of that command, for people; nothing reads them
//   options{}     every option of the command by its name, with the value it had, defaults included
//   parameters{}  what that came to: columns by role, hierarchies, models, from settings files too
//   inputs[]      each file read: path, commitment, and role: setting of what is no data
//   private       the name of the private manifest (private_manifest.h), which opens the
//                 commitments and has all results
//   outputs[]     each file written: path, sha256, bytes, format, and rows and delimiter where it
//   has
//                 them; `output` is the first of them
//   claims[]      what is promised (verify/claims.h), each with its standing
//   verification[]  what the verifier found before the release got its name
//   results{}     figures that whoever has the release can find in it; those about the original are
//                 in the private manifest
//   figures[]     of numbers in results: key (before.unique), unit, and words for people; not in
//                 every manifest of format 2
//   tool, version, created (UTC), seed
//
// Whoever reads one trusts nothing in it: shapes are checked here, what it says is checked against
// the files by verify/ and by the report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/manifest/figure.h"
#include "pratique/manifest/json_value.h"

namespace pratique {

// What a claim rests on.
enum class ClaimStanding {
  derived,   // the verifier finds it in the released file
  tested,    // measured with a stated confidence
  attested,  // bound to the program that made it; no file can show it
};
[[nodiscard]] std::string_view to_text(ClaimStanding standing);
[[nodiscard]] std::optional<ClaimStanding> claim_standing(std::string_view text);

struct ManifestInput {
  std::string path;
  std::string sha256 = {};  // empty where only the private manifest has it, with bytes
  std::uint64_t bytes = 0;
  std::string role = {};        // setting: configuration, hierarchies; empty: the data itself
  std::string commitment = {};  // to hash and size; empty before format 3
};

struct ManifestOutput {
  std::string path;
  std::string sha256;
  std::uint64_t bytes = 0;
  std::string format = {};  // csv, parquet, sets, ...
  std::optional<std::uint64_t> rows = {};
  std::optional<char> delimiter = {};  // of CSV
};

struct Manifest {
  static constexpr int kFormat = 3;

  int format = kFormat;
  std::string tool = "pratique";
  std::string version = {};
  std::string created = {};
  std::string kind = {};
  std::string verb = {};
  std::vector<std::string> command = {};
  std::uint64_t seed = 0;
  std::vector<ManifestInput> inputs = {};
  std::string private_name = {};             // empty: it has none
  std::vector<ManifestOutput> outputs = {};  // at least one
  JsonValue options = {};
  JsonValue parameters = {};
  JsonValue claims = {};
  JsonValue verification = {};
  JsonValue results = {};
  std::vector<ResultFigure> figures = {};

  // Throws Error::input where it is not of the shape above, or of a later format. `place` names it.
  [[nodiscard]] static Manifest parse(std::string_view text, const std::string& place);
  [[nodiscard]] static Manifest read(const std::string& path);
  // Where the manifest of a release lies.
  [[nodiscard]] static std::string path_of(const std::string& release);
  // Of the release at `release`, which is finished first where it was interrupted
  // (core/joint_commit.h); none where no manifest lies beside it.
  [[nodiscard]] static std::optional<Manifest> beside(const std::string& release);
  // For those who meet a wrong shape deeper inside, in a claim or a result.
  [[nodiscard]] static Error malformed(const std::string& place, const std::string& what = {});

  [[nodiscard]] std::string to_text() const;

  [[nodiscard]] const ManifestOutput& output() const { return outputs.front(); }
  // Of the data, without settings and hierarchies, where they are known.
  [[nodiscard]] std::vector<std::string> data_hashes() const;
  // The words that run it again. Made from the options, so that they say what was run and not what
  // somebody wrote there; an old manifest has only its command. None where no options were
  // recorded but the seed: a program made it, and no command.
  [[nodiscard]] std::vector<std::string> words() const;
  // Text of an option; none where it has none, or none was recorded.
  [[nodiscard]] std::optional<std::string> option_text(const std::string& name) const;
  // The largest k of its claims; none when no claim has one.
  [[nodiscard]] std::optional<std::uint64_t> promised_k() const;
  // How many people are few: the k that is promised, or the usual one.
  [[nodiscard]] std::uint64_t k() const;
};

}  // namespace pratique
