// What a site writes: disclosed.csv (element), and a manifest with the authority's signature over
// the decision and over a commitment to the list's very bytes. Prepared in hidden folders before
// the commit point, verified, and named after it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "pratique/consortium/configuration.h"
#include "pratique/consortium/identity.h"
#include "pratique/consortium/site.h"
#include "pratique/core/file.h"
#include "pratique/kind/run.h"

namespace pratique::consortium::flow {

// Distinct elements in canonical form, and as they are written in the file.
struct ReadList {
  std::vector<std::string> canonical;
  std::vector<std::string> spelled;
  Source source;
  SourceIdentity identity;
};
[[nodiscard]] ReadList read_list(const Run& run, const std::string& path,
                                 const CanonicalForm& form);

struct SiteFiles {
  ReadList samples;
  ReadList people;
  std::string out;
};

class DisclosedList {
 public:
  // `engine` is held while the list is verified: sites of one process share it.
  DisclosedList(const SiteFiles& files, const Configuration& configuration,
                const Identity& identity, const Run& run, std::string verb, std::mutex& engine);
  ~DisclosedList();
  DisclosedList(const DisclosedList&) = delete;
  DisclosedList& operator=(const DisclosedList&) = delete;

  // The commitment to the list.
  [[nodiscard]] Sha256Digest prepare(const SiteDecision& decision);
  // Throws CheckFailed where the verifier does not find what the authority signed.
  void commit(const Signature& signature);
  [[nodiscard]] bool is_written() const { return written_; }

 private:
  const SiteFiles& files_;
  const Configuration& configuration_;
  const Identity& identity_;
  const Run& run_;
  std::string verb_;
  std::mutex& engine_;
  Statement statement_;
  std::string salt_;
  std::string sha256_;
  std::uint64_t bytes_ = 0;
  std::uint64_t rows_ = 0;
  bool written_ = false;
  std::unique_ptr<AtomicFile> file_;
  std::unique_ptr<AtomicFile> manifest_;
};

}  // namespace pratique::consortium::flow
