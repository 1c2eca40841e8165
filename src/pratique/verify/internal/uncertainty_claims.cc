// rho-uncertainty of released sets of codes, from its definition.
//
// For a sensitive code a, the hits are the records with a, the misses those without. Whatever known
// items X some hits share, all items that those hits share are known items with the same hits and
// no more misses: so it is enough to look at the sets of items that are all that some hits share
// (Close-by-One: Kuznetsov, 1993, goes through each once). A larger set keeps at least the misses
// that show all items of one of its hits; where those are enough for all its hits, it is not looked
// into.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"
#include "pratique/verify/internal/released_codes.h"

namespace pratique::verify {
namespace {

// Items compared before the check gives up; a minute or so.
constexpr std::int64_t kPatience = 20'000'000'000;

struct Record {
  std::vector<Code> items;  // ascending, without the code that is inferred
  double patients = 0;
  double alike = 0;  // patients of misses that show all of it
};

bool shows(const Record& record, Code item) {
  return std::binary_search(record.items.begin(), record.items.end(), item);
}

class Inference {
 public:
  Inference(const CodeSets& sets, Code code, double rho, std::int64_t& left)
      : rho_(rho), left_(left) {
    for (std::size_t s = 0; s < sets.size(); ++s) {
      const auto set = sets.set(s);
      Record record{{}, static_cast<double>(sets.counts[s])};
      const bool hit = std::binary_search(set.begin(), set.end(), code);
      for (const Code item : set) {
        if (item != code) record.items.push_back(item);
      }
      (hit ? hits_ : misses_).push_back(std::move(record));
    }
    const auto items = static_cast<Code>(sets.codes.size());
    std::vector<std::vector<std::size_t>> misses_with(items);
    for (std::size_t m = 0; m < misses_.size(); ++m) {
      for (const Code item : misses_[m].items) misses_with[item].push_back(m);
    }
    for (Record& hit : hits_) {
      if (hit.items.empty()) {
        for (const Record& miss : misses_) hit.alike += miss.patients;
        continue;
      }
      const Code rare = *std::min_element(hit.items.begin(), hit.items.end(), [&](Code a, Code b) {
        return misses_with[a].size() < misses_with[b].size();
      });
      for (const auto m : misses_with[rare]) {
        const auto& items_of_miss = misses_[m].items;
        if (std::includes(items_of_miss.begin(), items_of_miss.end(), hit.items.begin(),
                          hit.items.end())) {
          hit.alike += misses_[m].patients;
        }
      }
      left_ -= static_cast<std::int64_t>(misses_with[rare].size());
    }
  }

  // The items from which the code is inferred with the share found; none when it never is.
  bool find(std::vector<Code>& known, double& share) {
    if (hits_.empty()) return false;
    std::vector<const Record*> hits;
    std::vector<const Record*> misses;
    for (const auto& record : hits_) hits.push_back(&record);
    for (const auto& record : misses_) misses.push_back(&record);
    known_ = &known;
    share_ = &share;
    return look_at(hits, misses, shared_by(hits), 0);
  }

 private:
  using Records = std::vector<const Record*>;

  std::vector<Code> shared_by(const Records& hits) {
    std::vector<Code> shared = hits.front()->items;
    for (const Record* hit : hits) {
      std::vector<Code> both;
      std::set_intersection(shared.begin(), shared.end(), hit->items.begin(), hit->items.end(),
                            std::back_inserter(both));
      shared = std::move(both);
      left_ -= static_cast<std::int64_t>(hit->items.size());
    }
    return shared;
  }

  bool look_at(const Records& hits, const Records& before, const std::vector<Code>& shared,
               Code from) {
    if (left_ < 0) return false;
    Records misses;
    double missed = 0;
    for (const Record* miss : before) {
      if (!std::includes(miss->items.begin(), miss->items.end(), shared.begin(), shared.end())) {
        continue;
      }
      misses.push_back(miss);
      missed += miss->patients;
    }
    left_ -= static_cast<std::int64_t>(before.size());
    double hit = 0;
    double alike = hits.front()->alike;
    for (const Record* record : hits) {
      hit += record->patients;
      alike = std::min(alike, record->alike);
    }
    *share_ = std::max(*share_, hit / (hit + missed));
    if (hit >= rho_ * (hit + missed)) {
      *known_ = shared;
      return true;
    }
    if (hit < rho_ * (hit + alike)) return false;
    std::vector<Code> further;
    for (const Record* record : hits) {
      for (const Code item : record->items) {
        if (item >= from && !std::binary_search(shared.begin(), shared.end(), item)) {
          further.push_back(item);
        }
      }
    }
    std::sort(further.begin(), further.end());
    further.erase(std::unique(further.begin(), further.end()), further.end());
    for (const Code item : further) {
      Records inside;
      for (const Record* record : hits) {
        if (shows(*record, item)) inside.push_back(record);
      }
      const auto all = shared_by(inside);
      // Another order of the same items comes to this set first.
      const bool seen = std::any_of(all.begin(), all.end(), [&](Code other) {
        return other < item && !std::binary_search(shared.begin(), shared.end(), other);
      });
      if (!seen && look_at(inside, misses, all, item + 1)) return true;
    }
    return false;
  }

  double rho_;
  std::int64_t& left_;
  std::vector<Record> hits_;
  std::vector<Record> misses_;
  std::vector<Code>* known_ = nullptr;
  double* share_ = nullptr;
};

}  // namespace

ClaimResult check_uncertainty(const ClaimContext& context) {
  const double rho = number_in(context.claim, "rho");
  if (rho > 1) throw malformed("'rho' is above 1, which every file satisfies");
  const ReleasedCodes release(context);
  const auto sensitive = release.sensitive(context.claim);
  ClaimResult result;
  result.required = rho;
  result.explanation = sensitive.fault;
  if (!sensitive.fault.empty()) return result;

  std::int64_t left = kPatience;
  context.progress.begin("looking for what sensitive codes can be inferred from",
                         sensitive.item.size());
  for (Code code = 0; code < sensitive.item.size(); ++code) {
    context.progress.advance(1);
    if (!sensitive.item[code]) continue;
    std::vector<Code> known;
    if (Inference(release.sets, code, rho, left).find(known, result.achieved)) {
      std::vector<std::string> names;
      for (const Code item : known) names.push_back(release.name(item));
      const std::string whom =
          names.empty() ? "all patients"
                        : fmt::format("the patients with {{{}}}", fmt::join(names, ", "));
      result.explanation = fmt::format("of {}, a share of {:.3g} has {}, not less than {}", whom,
                                       result.achieved, release.sets.codes.value(code), rho);
      return result;
    }
    if (left < 0) {
      result.explanation = "there are too many combinations of codes to check them all";
      return result;
    }
  }
  result.holds = true;
  result.explanation = fmt::format(
      "whatever codes are known, less than a share {} of those who match has a given sensitive "
      "code",
      rho);
  return result;
}

}  // namespace pratique::verify
