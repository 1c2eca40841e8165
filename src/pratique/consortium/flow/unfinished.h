// What a site keeps from its last word to the authority until its list has its name, beside its key
// (NAME.unfinished.json, 0600): killed in between, it finishes from that with the authority's
// signature, which every participant keeps of the last session (NAME.commit.json).
#pragma once

#include <map>
#include <optional>
#include <string>

#include "pratique/consortium/authority.h"
#include "pratique/consortium/configuration.h"
#include "pratique/core/json.h"

namespace pratique::consortium::flow {

class Unfinished {
 public:
  Unfinished(const Configuration& configuration, const std::string& name);

  [[nodiscard]] const std::string& path() const { return path_; }
  // On disk when it returns.
  void keep(const Json& content) const;
  [[nodiscard]] bool is_there() const;
  [[nodiscard]] Json read() const;
  void remove() const;

 private:
  std::string path_;
};

// The authority's signatures of a session, by site.
void keep_commit(const Configuration& configuration, const std::string& name,
                 const std::string& session, std::string_view commit);
// The last session in which a list was written, if any: whoever has it and the next can subtract
// them.
[[nodiscard]] std::optional<std::string> earlier_session(const Configuration& configuration,
                                                         const std::string& name);
// Throws Error::input where the file is none of this session, or has none for the site.
[[nodiscard]] Signature read_commit(const std::string& path, const std::string& session,
                                    const std::string& site);
[[nodiscard]] std::optional<Signature> signature_in(const std::string& hex);

}  // namespace pratique::consortium::flow
