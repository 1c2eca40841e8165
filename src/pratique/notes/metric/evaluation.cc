#include "pratique/notes/metric/evaluation.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pratique::notes {
namespace {

double share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

bool touch(const Span& a, const Span& b) { return a.start < b.end && b.start < a.end; }

// `by_start` is sorted by its members' starts.
bool covers(const std::vector<Span>& by_start, const Span& span) {
  std::size_t reached = span.start;
  for (const Span& other : by_start) {
    if (other.start > reached) break;
    reached = std::max(reached, other.end);
  }
  return reached >= span.end;
}

}  // namespace

void Evaluation::add(const std::vector<Span>& gold, std::vector<Span> predicted) {
  ++notes_;
  std::sort(predicted.begin(), predicted.end(),
            [](const Span& a, const Span& b) { return a.start < b.start; });
  if (gold.empty()) {
    ++clean_;
    clean_touched_ += predicted.empty() ? 0 : 1;
  }
  predicted_ += predicted.size();
  for (const Span& span : predicted)
    right_ += std::any_of(gold.begin(), gold.end(), [&](const Span& g) { return touch(g, span); });
  for (const Span& span : gold) {
    Found& found = by_type_[span.type];
    ++found.spans;
    found.touched += std::any_of(predicted.begin(), predicted.end(),
                                 [&](const Span& p) { return touch(p, span); });
    found.covered += covers(predicted, span);
  }
}

Json Evaluation::to_json() const {
  Found all;
  Json by_type = Json::object();
  for (const auto& [type, found] : by_type_) {
    all.spans += found.spans;
    all.touched += found.touched;
    all.covered += found.covered;
    by_type[type] = {{"spans", found.spans},
                     {"recall_any", share_of(found.touched, found.spans)},
                     {"recall_full", share_of(found.covered, found.spans)}};
  }
  return {{"notes", notes_},
          {"gold", all.spans},
          {"predicted", predicted_},
          {"precision", share_of(right_, predicted_)},
          {"recall_any", share_of(all.touched, all.spans)},
          {"recall_full", share_of(all.covered, all.spans)},
          {"clean", clean_},
          {"clean_touched", share_of(clean_touched_, clean_)},
          {"by_type", std::move(by_type)}};
}

}  // namespace pratique::notes
