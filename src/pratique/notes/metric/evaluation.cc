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

// Walks words between blanks, counting code points, beside spans in their order.
void Evaluation::add_tokens(std::string_view text, const std::vector<Span>& gold,
                            const std::vector<Span>& predicted) {
  const auto touched = [](const std::vector<Span>& spans, std::size_t from, std::size_t to) {
    return std::any_of(spans.begin(), spans.end(),
                       [&](const Span& span) { return span.start < to && from < span.end; });
  };
  std::size_t point = 0;
  std::size_t begin = 0;
  bool inside = false;
  const auto end_token = [&] {
    if (!inside) return;
    inside = false;
    const bool is_gold = touched(gold, begin, point);
    const bool is_predicted = touched(predicted, begin, point);
    tokens_gold_ += is_gold ? 1 : 0;
    tokens_predicted_ += is_predicted ? 1 : 0;
    tokens_both_ += is_gold && is_predicted ? 1 : 0;
  };
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0U) == 0x80U) continue;  // within a code point
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      end_token();
    } else if (!inside) {
      inside = true;
      begin = point;
    }
    ++point;
  }
  end_token();
}

std::vector<Span> Evaluation::add(const std::vector<Span>& gold, std::vector<Span> predicted,
                                  std::string_view text) {
  ++notes_;
  std::sort(predicted.begin(), predicted.end(),
            [](const Span& a, const Span& b) { return a.start < b.start; });
  if (gold.empty()) {
    ++clean_;
    clean_touched_ += predicted.empty() ? 0 : 1;
  }
  predicted_ += predicted.size();
  std::size_t reached = 0;
  for (const Span& span : predicted) {
    for (std::size_t at = std::max(reached, span.start); at < span.end; ++at) {
      ++points_;
      points_over_ += std::none_of(gold.begin(), gold.end(),
                                   [&](const Span& g) { return g.start <= at && at < g.end; });
    }
    reached = std::max(reached, span.end);
  }
  add_tokens(text, gold, predicted);
  std::vector<Span> leaks;
  for (const Span& span : predicted)
    right_ += std::any_of(gold.begin(), gold.end(), [&](const Span& g) { return touch(g, span); });
  for (const Span& span : gold) {
    Found& tally = by_type_[span.type];
    ++tally.spans;
    tally.touched += std::any_of(predicted.begin(), predicted.end(),
                                 [&](const Span& p) { return touch(p, span); });
    if (covers(predicted, span)) {
      ++tally.covered;
    } else {
      leaks.push_back(span);
    }
  }
  return leaks;
}

Json Evaluation::to_json() const {
  Found all;
  Json by_type = Json::object();
  for (const auto& [type, tally] : by_type_) {
    all.spans += tally.spans;
    all.touched += tally.touched;
    all.covered += tally.covered;
    by_type[type] = {{"spans", tally.spans},
                     {"recall_any", share_of(tally.touched, tally.spans)},
                     {"recall_full", share_of(tally.covered, tally.spans)}};
  }
  return {{"notes", notes_},
          {"gold", all.spans},
          {"predicted", predicted_},
          {"precision", share_of(right_, predicted_)},
          {"recall_any", share_of(all.touched, all.spans)},
          {"recall_full", share_of(all.covered, all.spans)},
          {"clean", clean_},
          {"clean_touched", share_of(clean_touched_, clean_)},
          {"over_redaction", share_of(points_over_, points_)},
          {"token_precision", share_of(tokens_both_, tokens_predicted_)},
          {"token_recall", share_of(tokens_both_, tokens_gold_)},
          {"leaks", all.spans - all.covered},
          {"by_type", std::move(by_type)}};
}

}  // namespace pratique::notes
