// How many unions a site has taken part in with each other site, over all sessions. The difference
// of two unions tells who added or removed what; so there is an end to them. The count is kept
// beside the site's key (NAME.unions.json, 0600), and spent before anything is opened.
#pragma once

#include <map>
#include <string>

#include "pratique/consortium/configuration.h"

namespace pratique::consortium::flow {

class UnionQuota {
 public:
  // Throws Error::input where the quota with one of the others is spent.
  [[nodiscard]] static UnionQuota read(const Configuration& configuration, const std::string& name);
  void spend();

 private:
  std::string path_;
  std::map<std::string, std::uint64_t> with_;  // by the other site
};

}  // namespace pratique::consortium::flow
