#include "pratique/consortium/decision.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "pratique/consortium/message.h"
#include "pratique/core/file.h"
#include "pratique/trails/method/protection.h"
#include "pratique/verify/unlinkability.h"

namespace pratique::consortium {
namespace {

using Trail = std::vector<std::uint32_t>;  // sites, ascending

// Records numbered by their trails; of equal trails, in any order.
struct Numbered {
  trails::LocationLists at;                     // by site: numbers, ascending
  std::vector<std::vector<std::uint32_t>> ids;  // by site: in the order of the list
  std::vector<Trail> trails;                    // by number
};

Numbered numbered(const std::vector<std::vector<Token>>& lists,
                  const std::vector<std::string>& sites) {
  std::vector<std::pair<Token, std::uint32_t>> all;
  for (std::uint32_t site = 0; site < lists.size(); ++site)
    for (const Token& token : lists[site]) all.emplace_back(token, site);
  std::ranges::sort(all);
  const auto twice = std::ranges::adjacent_find(all);
  if (twice != all.end())
    throw CheckFailed("no record twice", sites[twice->second],
                      fmt::format("{} submitted a record twice", sites[twice->second]));
  std::vector<std::pair<Trail, Token>> records;
  for (const auto& [token, site] : all) {
    if (records.empty() || records.back().second != token) records.push_back({{}, token});
    records.back().first.push_back(site);
  }
  std::ranges::sort(records);
  std::vector<std::pair<Token, std::uint32_t>> id_of;
  Numbered result;
  for (std::uint32_t id = 0; id < records.size(); ++id) {
    id_of.emplace_back(records[id].second, id);
    result.trails.push_back(std::move(records[id].first));
  }
  std::ranges::sort(id_of);
  for (const auto& list : lists) {
    auto& ids = result.ids.emplace_back();
    for (const Token& token : list)
      ids.push_back(
          std::ranges::lower_bound(id_of, token, {}, &std::pair<Token, std::uint32_t>::first)
              ->second);
    result.at.emplace_back(ids.begin(), ids.end());
    std::ranges::sort(result.at.back());
  }
  return result;
}

// A sample's person was seen wherever the sample was.
void require_possible(const Numbered& people, const Numbered& samples) {
  std::vector<Trail> named = people.trails;
  named.erase(std::unique(named.begin(), named.end()), named.end());
  const Trail* last = nullptr;
  for (const Trail& trail : samples.trails) {
    if (last != nullptr && *last == trail) continue;
    last = &trail;
    const bool fits = std::ranges::any_of(
        named, [&](const Trail& other) { return std::ranges::includes(other, trail); });
    if (!fits)
      throw CheckFailed("possible trails", "",
                        "a sample is at sites of which no person is at all: somebody's list is not "
                        "truthful");
  }
}

class EncryptedLists {
 public:
  std::string write(const std::string& name, const std::vector<std::string>& sites,
                    const trails::LocationLists& at) const {
    std::string path = folder_.path() + "/" + name;
    std::string text = "location,element\n";
    for (std::size_t site = 0; site < at.size(); ++site)
      for (const auto id : at[site]) text += fmt::format("{},e{}\n", sites[site], id);
    write_file_atomically(path, text);
    return path;
  }

 private:
  PrivateFolder folder_;
};

void require_unlinkable(const Configuration& configuration, const Numbered& people,
                        const Numbered& samples, const trails::Allocation& allocation,
                        Engine& engine, Progress& progress) {
  const EncryptedLists files;
  verify::UnlinkabilityQuestion question;
  question.identified.path = files.write("people.csv", configuration.sites, people.at);
  question.deidentified.path = files.write("disclosed.csv", configuration.sites, allocation);
  question.submitted =
      verify::TrailList{.path = files.write("submitted.csv", configuration.sites, samples.at)};
  question.k = configuration.k;
  question.coalition = configuration.coalition;
  question.reserved = verify::ReservedSide::deidentified;
  for (const auto view :
       {verify::TrailView::external, verify::TrailView::central, verify::TrailView::contributor}) {
    question.view = view;
    if (!verify::verify_unlinkability(engine, question, progress).holds())
      throw CheckFailed("k-unlinkability", configuration.authority,
                        "the decision does not verify; nothing is disclosed");
  }
}

}  // namespace

Decision decide(const Configuration& configuration, const SubmittedLists& lists, std::uint64_t seed,
                Engine& engine, Progress& progress) {
  const Numbered people = numbered(lists.people, configuration.sites);
  const Numbered samples = numbered(lists.samples, configuration.sites);
  require_possible(people, samples);
  trails::Holdings holdings;
  holdings.people = people.trails.size();
  holdings.samples = samples.trails.size();
  holdings.people_at = people.at;
  holdings.samples_at = samples.at;
  trails::Protection protection;
  try {
    protection = trails::protect(holdings,
                                 {.k = configuration.k,
                                  .method = configuration.method,
                                  .secure = true,
                                  .coalition = configuration.coalition,
                                  .seed = seed},
                                 progress);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_input) throw;
    throw CheckFailed("possible trails", "", error.message());
  }
  Decision decision;
  for (std::size_t site = 0; site < samples.ids.size(); ++site) {
    const auto& allowed = protection.allocation[site];
    auto& bits = decision.disclosed.emplace_back();
    for (const auto id : samples.ids[site]) bits.push_back(std::ranges::binary_search(allowed, id));
    decision.total += allowed.size();
  }
  if (decision.total > 0)
    require_unlinkable(configuration, people, samples, protection.allocation, engine, progress);
  return decision;
}

}  // namespace pratique::consortium
