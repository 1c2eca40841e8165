// What a site writes: disclosed.csv (element), and a manifest with the authority's signature over
// the decision and over a commitment to the list's very bytes. Prepared in hidden folders before
// the commit point, verified, and named after it. A site that is killed in between finishes from
// what it kept (unfinished.h).
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "pratique/consortium/configuration.h"
#include "pratique/consortium/element.h"
#include "pratique/consortium/flow/unfinished.h"
#include "pratique/consortium/identity.h"
#include "pratique/consortium/site.h"
#include "pratique/core/file.h"
#include "pratique/core/json.h"
#include "pratique/kind/run.h"

namespace pratique::consortium::flow {

// How elements are told apart in what the canonical form leaves of them: as they are called, which
// is for unions, whose result is in plaintext; or as `trails` reads them (data/person_spelling.h).
// The spellings of a person must not count as people who hide each other; nor those of a sample as
// samples that were seen at fewer places, as whoever has the disclosed lists reads acgt and ACGT as
// one.
enum class Reading : std::uint8_t { as_called, as_read };

struct ReadList {
  ElementList elements;  // distinct, in canonical form
  bool joined_spellings = false;
  Source source;
  SourceIdentity identity;
};
// Throws Error::input where a row names nobody.
[[nodiscard]] ReadList read_list(const Run& run, const std::string& path, Reading reading,
                                 const CanonicalForm& form);

struct SiteFiles {
  ReadList samples;
  ReadList people;
  std::string out;
};

class DisclosedList {
 public:
  // `engine` is held while the list is verified: sites of one process share it.
  DisclosedList(const Configuration& configuration, const Identity& identity, const Run& run,
                std::mutex& engine);
  ~DisclosedList();
  DisclosedList(const DisclosedList&) = delete;
  DisclosedList& operator=(const DisclosedList&) = delete;

  // The commitment to the list. `verb` is the command's.
  [[nodiscard]] Sha256Digest prepare(const SiteFiles& files, const SiteDecision& decision,
                                     const std::string& verb);
  // What a killed site kept. Throws Error::input where there is nothing.
  void resume();
  // Of what was kept: the signature where the commit had come already.
  [[nodiscard]] std::optional<Signature> kept_signature() const;
  [[nodiscard]] std::string session() const;
  // Throws CheckFailed where the verifier does not find what the authority signed.
  void commit(const Signature& signature);
  // No commit will come of it.
  void forget() const {
    if (keeps_) unfinished_.remove();  // else it is of another session
  }
  [[nodiscard]] bool is_written() const { return written_; }
  [[nodiscard]] std::string out() const;
  [[nodiscard]] std::uint64_t rows() const;

 private:
  void open_files();

  const Configuration& configuration_;
  const Identity& identity_;
  const Run& run_;
  std::mutex& engine_;
  Unfinished unfinished_;
  std::unique_ptr<Json> kept_;  // all that it takes to finish
  bool keeps_ = false;          // of this session
  bool written_ = false;
  std::unique_ptr<AtomicFile> file_;
  std::unique_ptr<AtomicFile> manifest_;
};

}  // namespace pratique::consortium::flow
