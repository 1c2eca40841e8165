#include "pratique/notes/find/finder.h"

#include <algorithm>
#include <map>
#include <utility>

#include "pratique/core/ascii.h"
#include "pratique/notes/find/internal/patterns.h"
#include "pratique/notes/find/internal/word_rules.h"

namespace pratique::notes {
namespace {

// What is left of a span has to hold a letter or a digit to be worth anything.
void add_trimmed_rest(std::string_view text, Span rest, std::vector<Span>& kept) {
  const auto tells = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= 'a' && byte <= 'z');
  };
  while (rest.start < rest.end && !tells(text[rest.start])) ++rest.start;
  while (rest.end > rest.start && !tells(text[rest.end - 1])) --rest.end;
  if (rest.start < rest.end) kept.push_back(std::move(rest));
}

// Where the number of a house before a place begins, else `start`; not before `from`.
std::size_t with_house_number(std::string_view text, std::size_t start, std::size_t from) {
  std::size_t at = start;
  while (at > from && text[at - 1] == ' ') --at;
  if (at == start) return start;
  const std::size_t end = at;
  while (at > from && is_digit(text[at - 1])) --at;
  if (at == end || end - at > 5) return start;
  const bool begins =
      at == from || text[at - 1] == ' ' || text[at - 1] == '\n' || text[at - 1] == '>';
  return begins ? at : start;
}

// A short line without digits between two lines of an address, or below one, is a part of it.
void add_lines_of_addresses(std::string_view text, std::vector<Span>& candidates) {
  std::vector<std::pair<std::size_t, std::size_t>> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    lines.emplace_back(at, end);
    at = end + 1;
  }
  if (lines.size() < 2) return;
  const auto of_address = [&](std::size_t i) {
    const std::size_t begin = lines[i].first;
    const std::size_t end = lines[i].second;
    return end - begin < 60 &&
           std::any_of(candidates.begin(), candidates.end(), [&](const Span& s) {
             return s.type == "location" && s.start >= begin && s.end <= end &&
                    s.certainty > 0.55 && 2 * (s.end - s.start) > end - begin;
           });
  };
  std::vector<bool> marks(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) marks[i] = of_address(i);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto [begin, end] = lines[i];
    const auto line = text.substr(begin, end - begin);
    if (!marks[i - 1] || marks[i] || line.size() > 40 ||
        line.find_first_of("0123456789:") != std::string_view::npos)
      continue;
    const auto first = line.find_first_not_of(" \t\r?>,");
    if (first == std::string_view::npos) continue;
    const auto last = line.find_last_not_of(" \t\r,");
    if (i + 1 < lines.size() ? marks[i + 1] : line.size() < 25)
      candidates.push_back({begin + first, begin + last + 1, "location", 0.6});
  }
}

}  // namespace

std::vector<Span> compete(std::string_view text, std::vector<Span> candidates) {
  std::stable_sort(candidates.begin(), candidates.end(), [](const Span& a, const Span& b) {
    return a.certainty != b.certainty ? a.certainty > b.certainty
                                      : a.end - a.start > b.end - b.start;
  });
  std::map<std::size_t, std::size_t> taken;  // start -> end
  std::vector<Span> kept;
  for (const Span& span : candidates) {
    std::size_t from = span.start;
    std::vector<Span> rests;
    auto at = taken.upper_bound(span.start);
    if (at != taken.begin() && std::prev(at)->second > span.start) --at;
    for (; at != taken.end() && at->first < span.end; ++at) {
      if (at->first > from) rests.push_back({from, at->first, span.type, span.certainty});
      from = std::max(from, at->second);
    }
    if (from < span.end) rests.push_back({from, span.end, span.type, span.certainty});
    for (Span& rest : rests) {
      const bool whole = rest.start == span.start && rest.end == span.end;
      taken.emplace(rest.start, rest.end);
      if (whole) {
        kept.push_back(std::move(rest));
      } else {
        add_trimmed_rest(text, std::move(rest), kept);
      }
    }
  }
  std::sort(kept.begin(), kept.end(),
            [](const Span& a, const Span& b) { return a.start < b.start; });
  return kept;
}

std::vector<Span> find_identifiers(std::string_view text, double at_least) {
  std::vector<Span> candidates;
  add_pattern_candidates(text, candidates);
  add_word_candidates(text, candidates);
  std::erase_if(candidates, [&](const Span& span) { return span.certainty < at_least; });
  add_lines_of_addresses(text, candidates);
  auto kept = compete(text, std::move(candidates));
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i].type == "location")
      kept[i].start = with_house_number(text, kept[i].start, i == 0 ? 0 : kept[i - 1].end);
  }
  return kept;
}

}  // namespace pratique::notes
