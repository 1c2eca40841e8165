// Releases in a ledger (ledger/ledger.h): what is recorded of one, which earlier ones are of the
// same people, and where these are.
//
// An entry of kind "release" holds hashes, keyed marks and figures, and no path, value or name of a
// person:
//   release{sha256, bytes, rows}, manifest (sha256), kind, version, inputs[] (marks), columns[] (of
//   the release), population, same_people[] (index), other_people[] (index), claims[] (model,
//   required, achieved), k (where a model has one), report (mark), sequence{} (sequence.h),
//   max_breach, known[] (marks), people (mark), earlier[] (index), missing[] (index), allowed[]
//   (columns that may leave as they are, whatever they look like), values[] (marks of the values of
//   each column: internal/column_marks.h)
// What the sequence reveals names the sensitive columns, and no value of them.
//
// internal/ledger_people.h says which releases are of the same people. A fresh extract has another
// hash: name the population from the first release on. Where neither a hash nor a word tells, the
// user is asked.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"
#include "pratique/kind/release_file.h"
#include "pratique/ledger/ledger.h"
#include "pratique/manifest/figure.h"
#include "pratique/release/sequence.h"

namespace pratique::release {

struct AddRequest {
  std::string release;
  std::string population = {};                  // letters, digits, '.', '_' and '-'
  std::vector<std::uint64_t> same_people = {};  // entries that are about the same people
  bool other_people = false;                    // entries that are like it are of other people
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

// Earlier releases that are like the added one, of which nothing tells whose they are.
class UnclearPeople final : public Error {
 public:
  // `why` is what the first has in common with it, `same` the option that says they are of the same
  // people.
  UnclearPeople(std::vector<std::uint64_t> entries, const std::string& why, const std::string& same,
                const AddRequest& request);
  [[nodiscard]] const std::vector<std::uint64_t>& entries() const { return entries_; }

 private:
  std::vector<std::uint64_t> entries_;
};

// The body of the entry. Verifies the release and attacks the sequence; writes nothing. Throws
// Error::check when the release does not verify, Error::input when it is in the ledger already,
// UnclearPeople when nobody said whose an earlier release is, MissingReleases when one of the same
// people is nowhere to be found.
[[nodiscard]] Json prepare_entry(Engine& engine, const ledger::Ledger& ledger,
                                 const SigningKey& key, const AddRequest& request,
                                 Preparation& preparation, Progress& progress);

// Words of what the commands of a ledger say.
[[nodiscard]] std::span<const Figure> ledger_figures();

}  // namespace pratique::release
