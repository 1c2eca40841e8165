// How many unions a site has taken part in with each other site, over all sessions. The difference
// of two unions tells who added or removed what; so there is an end to them. The count is kept
// beside the site's key (NAME.unions.json, 0600), and spent before anything is compared.
#pragma once

#include <map>
#include <string>

#include "pratique/consortium/configuration.h"

namespace pratique::consortium::flow {

class UnionQuota {
 public:
  // Both throw Error::input where the quota with one of the others is spent.
  UnionQuota(const Configuration& configuration, const std::string& name);
  void spend();

 private:
  [[nodiscard]] std::map<std::string, std::uint64_t> spent() const;  // by the other site

  const Configuration& configuration_;
  std::string name_;
  std::string path_;
};

}  // namespace pratique::consortium::flow
