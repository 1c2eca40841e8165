#include "pratique/consortium/flow/union_quota.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/json.h"

namespace pratique::consortium::flow {

UnionQuota::UnionQuota(const Configuration& configuration, const std::string& name)
    : configuration_(configuration), name_(name), path_(configuration.file(name + ".unions.json")) {
  (void)spent();
}

std::map<std::string, std::uint64_t> UnionQuota::spent() const {
  std::map<std::string, std::uint64_t> with;
  Json counts = Json::object();
  if (std::filesystem::exists(path_)) counts = read_json_file(path_);
  for (const auto& other : configuration_.sites) {
    if (other == name_) continue;
    const Json count =
        counts.is_object() && counts.contains(other) ? counts[other] : Json(std::uint64_t{0});
    // What cannot be read counts as spent: else it would be enough to spoil the file.
    const std::uint64_t so_far =
        count.is_number_unsigned() ? count.get<std::uint64_t>() : configuration_.quota;
    if (so_far >= configuration_.quota)
      throw Error::input(fmt::format("{} and {} have had all the unions that they may have ({})",
                                     name_, other, configuration_.quota))
          .at(path_)
          .hint(
              "The difference of two unions tells who added what. Raise `quota` in "
              "consortium.yaml, "
              "for all participants, if all of them agree.");
    with[other] = so_far;
  }
  return with;
}

void UnionQuota::spend() {
  // Two sessions at a time may have read the same.
  const FolderLock lock(path_);
  const auto with = spent();
  Json counts = Json::object();
  if (std::filesystem::exists(path_)) counts = read_json_file(path_);
  if (!counts.is_object()) counts = Json::object();
  for (const auto& [other, count] : with) counts[other] = count + 1;
  AtomicFile file(path_, 0600);
  file.write(to_text(counts));
  file.commit();
}

}  // namespace pratique::consortium::flow
