#include "pratique/consortium/flow/quota.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/json.h"

namespace pratique::consortium::flow {

Quota::Quota(const Configuration& configuration, const std::string& name, Of of)
    : configuration_(configuration),
      name_(name),
      of_(of),
      path_(configuration.file(name + (of == Of::unions ? ".unions.json" : ".sessions.json"))) {
  (void)spent();
}

std::uint64_t Quota::most() const {
  return of_ == Of::unions ? configuration_.quota : configuration_.sessions;
}

std::map<std::string, std::uint64_t> Quota::spent() const {
  std::map<std::string, std::uint64_t> with;
  Json counts = Json::object();
  if (std::filesystem::exists(path_)) counts = read_json_file(path_);
  for (const auto& other : configuration_.sites) {
    if (other == name_) continue;
    const Json count =
        counts.is_object() && counts.contains(other) ? counts[other] : Json(std::uint64_t{0});
    // What cannot be read counts as spent: else it would be enough to spoil the file.
    const std::uint64_t so_far = count.is_number_unsigned() ? count.get<std::uint64_t>() : most();
    if (so_far >= most())
      throw Error::input(fmt::format("{} and {} have had all the {} that they may have ({})", name_,
                                     other, of_ == Of::unions ? "unions" : "sessions", most()))
          .at(path_)
          .hint(fmt::format(
              "The difference of two tells who added what. Raise `{}` in consortium.yaml, for all "
              "participants, if all of them agree.",
              of_ == Of::unions ? "quota" : "sessions"));
    with[other] = so_far;
  }
  return with;
}

void Quota::spend() {
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
