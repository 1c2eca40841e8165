#include "pratique/consortium/decision.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>

#include "pratique/consortium/message.h"
#include "pratique/core/file.h"
#include "pratique/core/parallel.h"
#include "pratique/trails/method/protection.h"
#include "pratique/verify/unlinkability.h"

namespace pratique::consortium {
namespace {

using Trail = std::vector<std::uint32_t>;  // sites, ascending

constexpr std::uint64_t kTokensOfPart = std::uint64_t{1} << 17U;  // compared in memory at once
constexpr std::uint32_t kManyRecords = 1'000'000;  // for which methods make one run at a time

// Records numbered by their trails; of equal trails, in any order.
struct Numbered {
  std::vector<Trail> trails;                    // the different ones, ascending
  std::vector<std::uint32_t> first;             // by trail: the number of its first record; the end
  std::vector<std::vector<std::uint32_t>> ids;  // by site: in the order of the list

  [[nodiscard]] std::uint32_t records() const { return first.back(); }
  // By site: numbers, ascending.
  [[nodiscard]] trails::LocationLists at() const {
    trails::LocationLists lists(ids.size());
    for (std::size_t site = 0; site < ids.size(); ++site) lists[site].reserve(ids[site].size());
    for (std::size_t t = 0; t < trails.size(); ++t)
      for (const std::uint32_t site : trails[t])
        for (std::uint32_t id = first[t]; id < first[t + 1]; ++id) lists[site].push_back(id);
    return lists;
  }
};

// Finds which tokens are equal, a part of all possible tokens at a time.
class Comparison {
 public:
  Comparison(const std::deque<TokenFile>& lists, const std::vector<std::string>& sites)
      : lists_(lists), sites_(sites) {
    std::uint64_t tokens = 0;
    for (const TokenFile& list : lists) {
      tokens += list.size();
      result_.ids.emplace_back(list.size());
    }
    const std::uint64_t parts = tokens / kTokensOfPart + 1;
    for (std::uint64_t part = 0; part < parts; ++part) compare(part, parts);
    number_by_trails();
  }

  [[nodiscard]] Numbered take() { return std::move(result_); }

 private:
  struct Entry {
    Token token;
    std::uint32_t site;
    std::uint32_t place;
    auto operator<=>(const Entry&) const = default;
  };

  // Encodings of points look random; the lowest bit of the first byte is always 0.
  static std::uint64_t part_of(const Token& token, std::uint64_t parts) {
    return (std::uint64_t{token[1]} << 8U | token[2]) * parts >> 16U;
  }

  void compare(std::uint64_t part, std::uint64_t parts) {
    std::vector<Entry> entries;
    for (std::uint32_t site = 0; site < lists_.size(); ++site)
      lists_[site].for_each([&](std::uint64_t place, const Token& token) {
        if (part_of(token, parts) == part)
          entries.push_back({token, site, static_cast<std::uint32_t>(place)});
      });
    std::ranges::sort(entries);
    Trail trail;
    for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
      trail.clear();
      for (; end < entries.size() && entries[end].token == entries[begin].token; ++end) {
        const Entry& entry = entries[end];
        if (!trail.empty() && trail.back() == entry.site)
          throw CheckFailed("no record twice", sites_[entry.site],
                            fmt::format("{} submitted a record twice", sites_[entry.site]));
        trail.push_back(entry.site);
        result_.ids[entry.site][entry.place] = static_cast<std::uint32_t>(trail_of_.size());
      }
      trail_of_.push_back(
          numbers_.try_emplace(trail, static_cast<std::uint32_t>(numbers_.size())).first->second);
    }
  }

  void number_by_trails() {
    std::vector<std::uint32_t> count(numbers_.size());
    for (const std::uint32_t trail : trail_of_) ++count[trail];
    std::vector<std::uint32_t> next(numbers_.size());
    result_.first.push_back(0);
    for (const auto& [trail, number] : numbers_) {
      result_.trails.push_back(trail);
      next[number] = result_.first.back();
      result_.first.push_back(result_.first.back() + count[number]);
    }
    for (auto& record : trail_of_) record = next[record]++;
    for (auto& ids : result_.ids)
      for (auto& id : ids) id = trail_of_[id];
  }

  const std::deque<TokenFile>& lists_;
  const std::vector<std::string>& sites_;
  Numbered result_;
  std::map<Trail, std::uint32_t> numbers_;  // as they were found
  std::vector<std::uint32_t> trail_of_;     // by record, as they were found
};

// Records that nothing distinguishes but their tokens, for the verifier.
class CountedLists {
 public:
  explicit CountedLists(const std::vector<std::string>& sites) : sites_(sites) {}

  struct Row {
    Trail trail;
    std::size_t name;
    std::uint64_t count;
  };
  [[nodiscard]] static std::vector<Row> rows_of(const Numbered& records) {
    std::vector<Row> rows;
    for (std::size_t t = 0; t < records.trails.size(); ++t)
      rows.push_back({records.trails[t], t, records.first[t + 1] - records.first[t]});
    return rows;
  }
  [[nodiscard]] verify::TrailList write(const std::string& file,
                                        const std::vector<Row>& rows) const {
    const std::string path = folder_.path() + "/" + file;
    std::string text = "location,element,count\n";
    for (const Row& row : rows)
      for (const std::uint32_t site : row.trail)
        text += fmt::format("{},e{},{}\n", sites_[site], row.name, row.count);
    write_file_atomically(path, text);
    return {.path = path, .count_column = "count"};
  }

 private:
  const std::vector<std::string>& sites_;
  PrivateFolder folder_;
};

// A sample's person was seen wherever the sample was, and is nobody else's.
void require_possible(const Numbered& people, const Numbered& samples,
                      const std::vector<std::string>& sites, Engine& engine, Progress& progress) {
  const CountedLists files(sites);
  verify::UnlinkabilityQuestion question;
  question.identified = files.write("people.csv", CountedLists::rows_of(people));
  question.deidentified = files.write("submitted.csv", CountedLists::rows_of(samples));
  question.k = 1;
  question.reserved = verify::ReservedSide::deidentified;
  const auto verdict = verify::verify_unlinkability(engine, question, progress);
  if (verdict.impossible == 0) return;
  // How many would tell a site that made up samples or people at how many sites these are.
  throw CheckFailed(
      "possible trails", "",
      "there are samples at sites where nobody is whose they could be: somebody's list is not "
      "truthful, sites write the same people or samples differently, or one name stands for two",
      "", fmt::format("of such samples there are {}, which no site is told", verdict.impossible));
}

// By what the sites will be told, and by nothing else of how it was decided.
void require_unlinkable(const Configuration& configuration, const Numbered& people,
                        const Numbered& samples, const Decision& decision, Engine& engine,
                        Progress& progress) {
  std::vector<std::vector<bool>> leaves;  // by site and record
  for (std::size_t site = 0; site < samples.ids.size(); ++site) {
    auto& at = leaves.emplace_back(samples.records());
    for (std::size_t place = 0; place < samples.ids[site].size(); ++place)
      if (decision.disclosed[site][place]) at[samples.ids[site][place]] = true;
  }
  using Row = CountedLists::Row;
  std::vector<Row> submitted;
  std::vector<Row> disclosed;
  for (std::size_t t = 0; t < samples.trails.size(); ++t) {
    std::map<Trail, std::uint64_t> counts;  // by where they leave
    Trail where;
    for (std::uint32_t id = samples.first[t]; id < samples.first[t + 1]; ++id) {
      where.clear();
      for (const std::uint32_t site : samples.trails[t])
        if (leaves[site][id]) where.push_back(site);
      ++counts[where];
    }
    for (const auto& [places, count] : counts) {
      submitted.push_back({samples.trails[t], submitted.size(), count});
      if (!places.empty()) disclosed.push_back({places, submitted.back().name, count});
    }
  }
  const CountedLists files(configuration.sites);
  verify::UnlinkabilityQuestion question;
  question.identified = files.write("people.csv", CountedLists::rows_of(people));
  question.deidentified = files.write("disclosed.csv", disclosed);
  question.submitted = files.write("submitted.csv", submitted);
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
  const Numbered people = Comparison(lists.people, configuration.sites).take();
  const Numbered samples = Comparison(lists.samples, configuration.sites).take();
  require_possible(people, samples, configuration.sites, engine, progress);
  Decision decision;
  trails::Allocation allocation;
  // Each run takes memory for all records.
  std::optional<ThreadLimit> one_at_a_time;
  if (people.records() + samples.records() > kManyRecords) one_at_a_time.emplace(1);
  try {
    const trails::Holdings holdings{people.records(), samples.records(), people.at(), samples.at()};
    allocation = trails::protect(holdings,
                                 {.k = configuration.k,
                                  .method = configuration.method,
                                  .secure = true,
                                  .coalition = configuration.coalition,
                                  .seed = seed},
                                 progress)
                     .allocation;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_input) throw;
    throw CheckFailed("decision", "", error.message());  // such as too many coalitions
  }
  for (std::size_t site = 0; site < samples.ids.size(); ++site) {
    std::vector<bool> allowed(samples.records());
    for (const auto id : allocation[site]) allowed[id] = true;
    auto& bits = decision.disclosed.emplace_back();
    bits.reserve(samples.ids[site].size());
    for (const auto id : samples.ids[site]) bits.push_back(allowed[id]);
    decision.total += allocation[site].size();
  }
  if (decision.total > 0)
    require_unlinkable(configuration, people, samples, decision, engine, progress);
  return decision;
}

}  // namespace pratique::consortium
