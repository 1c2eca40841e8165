// Releases in a ledger (ledger/ledger.h): what is recorded of one, which earlier ones are of the
// same people, and where these are.
//
// An entry of kind "release" holds hashes, keyed marks and figures, and no path, value or name of a
// person:
//   release{sha256, bytes, rows}, manifest (sha256), kind, version, inputs[] (marks), population,
//   claims[] (model, required, achieved), k, report (mark), sequence{} (sequence.h), max_breach,
//   known[] (marks), people (mark), earlier[] (index), missing[] (index), allowed[] (columns
//   that may leave as they are, whatever they look like)
// What the sequence reveals names the sensitive columns, and no value of them.
//
// Two releases are of the same people when they were made from an input with the same hash, or when
// both were given the same name of a population. A fresh extract has another hash: name the
// population from the first release on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"
#include "pratique/kind/release_file.h"
#include "pratique/ledger/ledger.h"
#include "pratique/release/sequence.h"

namespace pratique::release {

struct AddRequest {
  std::string release;
  std::string population = {};  // letters, digits, '.', '_' and '-'
  std::optional<std::string> people = {};
  std::vector<std::string> folders = {};  // where earlier releases may lie, beside its own
  std::vector<std::string> known = {};
  std::map<std::string, std::string> same_columns = {};  // sequence.h
  std::string report = {};                               // a file that is recorded by its hash
  std::string private_folder = {};                       // see ReleaseFile::read
  double max_breach = 0;
  bool skip_missing = false;
  bool allow_unattacked = false;
};

// What came of it besides the entry.
struct Preparation {
  SequenceRevealed revealed = {};
  std::vector<std::uint64_t> earlier = {};      // entries of the same people
  std::vector<std::uint64_t> missing = {};      // of these, whose files were not found
  std::uint64_t others = 0;                     // releases in the ledger that are of other people
  std::vector<std::string> earlier_paths = {};  // those of the same people that are at hand
};

// Earlier releases of the same people whose files are nowhere to be found.
class MissingReleases final : public Error {
 public:
  explicit MissingReleases(std::vector<std::uint64_t> entries);
  [[nodiscard]] const std::vector<std::uint64_t>& entries() const { return entries_; }

 private:
  std::vector<std::uint64_t> entries_;
};

// The body of the entry. Verifies the release and attacks the sequence; writes nothing. Throws
// Error::check when the release does not verify, Error::input when it is in the ledger already,
// MissingReleases when an earlier release of the same people is nowhere to be found.
[[nodiscard]] Json prepare_entry(Engine& engine, const ledger::Ledger& ledger,
                                 const SigningKey& key, const AddRequest& request,
                                 Preparation& preparation, Progress& progress);

}  // namespace pratique::release
