#include "pratique/verify/internal/known_sets.h"

#include <fmt/format.h>

#include <algorithm>

namespace pratique::verify {

void KnownSets::look_at(const std::vector<std::uint32_t>& records, Code from, int more) {
  std::vector<std::pair<Code, std::uint32_t>> next;
  std::vector<Shown> shown;
  std::uint64_t patients = 0;
  for (const auto r : records) {
    patients += release_.sets.counts[r];
    for (const Code item : release_.sets.set(r)) {
      if (sensitive_[item]) {
        shown.push_back({item, release_.sets.counts[r]});
      } else if (item >= from && more > 0) {
        next.emplace_back(item, r);
      }
    }
  }
  if (!chosen_.empty()) judge(patients, shown);
  std::sort(next.begin(), next.end());
  for (std::size_t i = 0; i < next.size() && fault_.empty();) {
    const Code item = next[i].first;
    std::vector<std::uint32_t> inside;
    for (; i < next.size() && next[i].first == item; ++i) inside.push_back(next[i].second);
    chosen_.push_back(item);
    look_at(inside, item + 1, more - 1);
    chosen_.pop_back();
  }
}

void KnownSets::judge(std::uint64_t patients, std::vector<Shown>& shown) {
  smallest_ = std::min(smallest_, static_cast<double>(patients));
  if (patients < k_) {
    fault_ = fmt::format("the codes {{{}}} together match {} patient{}, fewer than {}", names(),
                         patients, patients == 1 ? "" : "s", k_);
    return;
  }
  std::sort(shown.begin(), shown.end(),
            [](const Shown& a, const Shown& b) { return a.item < b.item; });
  for (std::size_t i = 0; i < shown.size();) {
    const Code item = shown[i].item;
    std::uint64_t having = 0;
    for (; i < shown.size() && shown[i].item == item; ++i) having += shown[i].patients;
    if (static_cast<double>(having) * h_ > static_cast<double>(patients)) {
      fault_ = fmt::format("of the {} patients with {{{}}}, {} have {}, more than one in {}",
                           patients, names(), having, release_.sets.codes.value(item), h_);
    }
  }
}

std::string KnownSets::names() const {
  std::vector<std::string> codes;
  for (const Code item : chosen_) codes.push_back(release_.name(item));
  return fmt::format("{}", fmt::join(codes, ", "));
}

}  // namespace pratique::verify
