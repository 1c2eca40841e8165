// How many sessions, or unions, a site has taken part in with each other site. The difference of
// two tells who added or removed what, and one that is cut short tells the site that cut it; so
// there is an end to them. The count is kept beside the site's key (NAME.sessions.json,
// NAME.unions.json, 0600), and spent before anything is compared.
#pragma once

#include <map>
#include <string>

#include "pratique/consortium/configuration.h"

namespace pratique::consortium::flow {

class Quota {
 public:
  enum class Of : std::uint8_t { sessions, unions };
  // Both throw Error::input where the quota with one of the others is spent.
  Quota(const Configuration& configuration, const std::string& name, Of of);
  void spend();

 private:
  [[nodiscard]] std::map<std::string, std::uint64_t> spent() const;  // by the other site
  [[nodiscard]] std::uint64_t most() const;

  const Configuration& configuration_;
  std::string name_;
  Of of_;
  std::string path_;
};

}  // namespace pratique::consortium::flow
