#include "pratique/consortium/flow/union_quota.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/json.h"

namespace pratique::consortium::flow {

UnionQuota UnionQuota::read(const Configuration& configuration, const std::string& name) {
  UnionQuota quota;
  quota.path_ = configuration.file(name + ".unions.json");
  Json counts = Json::object();
  if (std::filesystem::exists(quota.path_)) counts = read_json_file(quota.path_);
  for (const auto& other : configuration.sites) {
    if (other == name) continue;
    const Json count =
        counts.is_object() && counts.contains(other) ? counts[other] : Json(std::uint64_t{0});
    // What cannot be read counts as spent: else it would be enough to spoil the file.
    const std::uint64_t spent =
        count.is_number_unsigned() ? count.get<std::uint64_t>() : configuration.quota;
    if (spent >= configuration.quota)
      throw Error::input(fmt::format("{} and {} have had all the unions that they may have ({})",
                                     name, other, configuration.quota))
          .at(quota.path_)
          .hint(
              "The difference of two unions tells who added what. Raise `quota` in "
              "consortium.yaml, "
              "for all participants, if all of them agree.");
    quota.with_[other] = spent;
  }
  return quota;
}

void UnionQuota::spend() {
  Json counts = Json::object();
  if (std::filesystem::exists(path_)) counts = read_json_file(path_);
  for (auto& [other, count] : with_) counts[other] = ++count;
  AtomicFile file(path_, 0600);
  file.write(to_text(counts));
  file.commit();
}

}  // namespace pratique::consortium::flow
