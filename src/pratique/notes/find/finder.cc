#include "pratique/notes/find/finder.h"

#include <algorithm>
#include <map>
#include <utility>

#include "pratique/core/ascii.h"
#include "pratique/notes/find/internal/patterns.h"
#include "pratique/notes/find/internal/word_rules.h"
#include "pratique/words/words.h"

namespace pratique::notes {
namespace {

constexpr double kCertainName = 0.85;
constexpr double kTitledName = 0.93;
constexpr double kKeptInParts = 0.61;

// What is left of a span has to hold a letter or a digit to be worth anything.
void add_trimmed_rest(std::string_view text, Span rest, std::vector<Span>& kept) {
  const auto tells = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= 'a' && byte <= 'z');
  };
  while (rest.start < rest.end && !tells(text[rest.start])) ++rest.start;
  while (rest.end > rest.start && !tells(text[rest.end - 1])) --rest.end;
  // "on" between a name and a date is no street.
  const auto left = text.substr(rest.start, rest.end - rest.start);
  const bool small = rest.type == "location" && left.size() < 4 &&
                     left.find_first_of("0123456789") == std::string_view::npos;
  if (rest.start < rest.end && !small) kept.push_back(std::move(rest));
}

bool in_capitals(std::string_view text) {
  bool capital = false;
  for (const char c : text) {
    if (c >= 'a' && c <= 'z') return false;
    capital = capital || (c >= 'A' && c <= 'Z');
  }
  return capital;
}

// Neighbours that are one: SMITH, MARY and Mary Smith.
void join_names(std::string_view text, std::vector<Span>& spans) {
  std::vector<Span> joined;
  for (Span& span : spans) {
    if (!joined.empty() && span.type == "name" && joined.back().type == "name") {
      Span& before = joined.back();
      const auto gap = text.substr(before.end, span.start - before.end);
      const bool listed = (gap == ", " || gap == ",") &&
                          in_capitals(text.substr(before.start, before.end - before.start)) &&
                          in_capitals(text.substr(span.start, span.end - span.start));
      // Wolfgang E. Pfeiffer; Terrence "TJ" Boykin
      const bool initial = gap == ". " && before.end > 1 && text[before.end - 2] == ' ';
      const bool nickname =
          gap == " \"" || gap == "\" " || gap == " (" || gap == " '" || gap == "' ";
      if (gap == " " || gap == "-" || gap == "'" || gap == "\xE2\x80\x99" || listed || initial ||
          (nickname && gap != " (")) {
        before.end = span.end;
        before.certainty = std::max(before.certainty, span.certainty);
        if (before.detail.empty()) before.detail = span.detail;
        continue;
      }
    }
    joined.push_back(std::move(span));
  }
  spans = std::move(joined);
}

// Where the numbers of a house before a place begin, else `start`; not before `from`.
std::size_t with_house_number(std::string_view text, std::size_t start, std::size_t from) {
  constexpr int kMostNumbers = 2;
  for (int number = 0; number < kMostNumbers; ++number) {
    std::size_t at = start;
    while (at > from && text[at - 1] == ' ') --at;
    if (at == start) return start;
    const std::size_t end = at;
    while (at > from && is_digit(text[at - 1])) --at;
    if (at == end || end - at > 5) return start;
    const bool begins =
        at == from || text[at - 1] == ' ' || text[at - 1] == '\n' || text[at - 1] == '>';
    if (!begins) return start;
    start = at;
  }
  return start;
}

struct AddressLine {
  std::size_t begin = 0, end = 0;
  std::size_t located = 0;  // bytes of it that are a place for sure
  [[nodiscard]] bool is_address() const { return end - begin < 60 && 2 * located > end - begin; }
};

// Lines that are not empty.
std::vector<AddressLine> address_lines(std::string_view text, const std::vector<Span>& candidates) {
  std::vector<AddressLine> lines;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    if (text.substr(at, end - at).find_first_not_of(" \t\r") != std::string_view::npos)
      lines.push_back({at, end});
    at = end + 1;
  }
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (const Span& span : candidates) {
    if (span.type == "location" && span.certainty > 0.55) places.emplace_back(span.start, span.end);
  }
  std::sort(places.begin(), places.end());
  std::size_t reached = 0;
  std::size_t line = 0;
  for (const auto& [start, end] : places) {
    while (line < lines.size() && lines[line].end < start) ++line;
    if (line == lines.size()) break;
    const std::size_t from = std::max(start, reached);
    const std::size_t to = std::min(end, lines[line].end);
    if (to > from && from >= lines[line].begin) lines[line].located += to - from;
    reached = std::max(reached, end);
  }
  return lines;
}

// Every word begins with a capital, but for short ones within.
bool is_titled(std::string_view line) {
  bool first = true;
  for (std::size_t at = 0; at < line.size();) {
    while (at < line.size() && (line[at] == ' ' || line[at] == ',' || line[at] == '.')) ++at;
    std::size_t end = at;
    while (end < line.size() && line[end] != ' ') ++end;
    const bool small = at < line.size() && line[at] >= 'a' && line[at] <= 'z';
    if (small && (first || end - at > 3)) return false;
    first = false;
    at = end;
  }
  return !first;
}

// A short line without digits between two lines of an address, or below one, is a part of it; one
// above it names who lives there.
void add_lines_of_addresses(std::string_view text, std::vector<Span>& candidates) {
  const auto lines = address_lines(text, candidates);
  if (lines.size() < 2) return;
  const auto content = [&](const AddressLine& line) {
    std::size_t begin = line.begin;
    std::size_t end = line.end;
    while (begin < end && std::string_view(" \t\r?>,").find(text[begin]) != std::string_view::npos)
      ++begin;
    while (end > begin && std::string_view(" \t\r,").find(text[end - 1]) != std::string_view::npos)
      --end;
    return std::pair{begin, end};
  };
  const auto plain = [&](const AddressLine& line) {
    return line.end - line.begin <= 40 &&
           text.substr(line.begin, line.end - line.begin).find_first_of("0123456789:") ==
               std::string_view::npos;
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].is_address() || !plain(lines[i])) continue;
    const auto [begin, end] = content(lines[i]);
    if (begin >= end) continue;
    const bool below = i > 0 && lines[i - 1].is_address();
    const bool above = i + 1 < lines.size() && lines[i + 1].is_address();
    const bool last = i + 1 == lines.size() && lines[i].end - lines[i].begin < 25;
    if (below && (above || last)) {
      candidates.push_back({begin, end, "location", 0.6});
    } else if (above && is_digit(text[content(lines[i + 1]).first]) &&
               is_titled(text.substr(begin, end - begin))) {
      candidates.push_back({begin, end, "organisation", 0.5});
    }
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
      if (at->first > from)
        rests.push_back({from, at->first, span.type, span.certainty, span.detail});
      from = std::max(from, at->second);
    }
    if (from < span.end) rests.push_back({from, span.end, span.type, span.certainty, span.detail});
    for (Span& rest : rests) {
      const bool whole = rest.start == span.start && rest.end == span.end;
      // What is left of a guess is none, but of a name every word counts.
      if (!whole && rest.certainty < kKeptInParts && rest.type != "name") continue;
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

std::vector<std::string> certain_names(std::string_view text, const std::vector<Span>& spans) {
  std::vector<std::string> result;
  for (const Span& span : spans) {
    if (span.type != "name" || span.certainty < kCertainName) continue;
    const auto parts = telling_words(text.substr(span.start, span.end - span.start));
    // Mary Johnson: a given name beside it makes a person of whom syndromes are named after.
    const auto is_given = [](const std::string& word) {
      const auto kinds = words::kinds_of(word);
      return (kinds & words::kGiven) != 0 && (kinds & words::kFrequent) != 0;
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
      // Foley, Doppler: where only the words around speak for a name, they do so for one place.
      bool beside_given = false;
      for (std::size_t j = 0; j < parts.size(); ++j)
        beside_given = beside_given || (j != i && is_given(parts[j]));
      const bool doubtful = span.certainty < kTitledName && !beside_given &&
                            (words::kinds_of(parts[i]) & (words::kEponym | words::kMedical)) != 0;
      if (!doubtful) result.push_back(parts[i]);
    }
  }
  return result;
}

std::vector<Span> find_candidates(std::string_view text, const KnownIdentifiers* known) {
  std::vector<Span> candidates;
  add_pattern_candidates(text, candidates);
  add_word_candidates(text, candidates);
  // Who is called by name once is meant by the same word elsewhere.
  KnownIdentifiers here;
  for (auto& word : certain_names(text, candidates)) here.words.insert(std::move(word));
  add_known_candidates(text, here, candidates);
  add_names_beside_known(text, here, candidates);
  if (known != nullptr) {
    add_known_candidates(text, *known, candidates);
    add_names_beside_known(text, *known, candidates);
  }
  std::erase_if(candidates, [&](const Span& span) { return span.certainty < kLeastHit; });
  add_lines_of_addresses(text, candidates);
  return compete(text, std::move(candidates));
}

std::vector<Span> find_identifiers(std::string_view text, double at_least,
                                   const KnownIdentifiers* known) {
  return settled(text, find_candidates(text, known), at_least);
}

namespace {

// jdoe_smith, @waylon_s: of what is written together nothing is left.
void take_whole_tokens(std::string_view text, std::vector<Span>& spans) {
  const auto joins = [&](std::size_t i) {
    const auto c = static_cast<unsigned char>(text[i]);
    return c == '_' || is_digit(text[i]) || c >= 0x80 || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
  };
  for (std::size_t i = 0; i < spans.size(); ++i) {
    Span& span = spans[i];
    const std::size_t from = i == 0 ? 0 : spans[i - 1].end;
    const std::size_t to = i + 1 == spans.size() ? text.size() : spans[i + 1].start;
    if (span.start > from && text[span.start - 1] == '_') {
      while (span.start > from && joins(span.start - 1)) --span.start;
    }
    if (span.end < to && text[span.end] == '_') {
      while (span.end < to && joins(span.end)) ++span.end;
    }
  }
}

}  // namespace

namespace {

// J. Brewer, J.R. Brewer: initials before a name are a part of it.
std::size_t with_initials(std::string_view text, std::size_t start, std::size_t from) {
  constexpr int kMostInitials = 3;
  for (int i = 0; i < kMostInitials; ++i) {
    std::size_t at = start;
    if (at > from && text[at - 1] == ' ') --at;
    const bool pointed = at > from && text[at - 1] == '.';
    if (pointed) --at;
    if (at <= from || !pointed || text[at - 1] < 'A' || text[at - 1] > 'Z') return start;
    const bool alone = at - 1 == from || text[at - 2] == ' ' || text[at - 2] == '.' ||
                       text[at - 2] == '\n' || text[at - 2] == '(' || text[at - 2] == '\t';
    if (!alone) return start;
    start = at - 1;
  }
  return start;
}

}  // namespace

std::vector<Span> settled(std::string_view text, std::vector<Span> kept, double at_least) {
  std::erase_if(kept, [&](const Span& span) { return span.certainty < at_least; });
  take_whole_tokens(text, kept);
  join_names(text, kept);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i].type == "name")
      kept[i].start = with_initials(text, kept[i].start, i == 0 ? 0 : kept[i - 1].end);
    if (kept[i].type == "location")
      kept[i].start = with_house_number(text, kept[i].start, i == 0 ? 0 : kept[i - 1].end);
  }
  return kept;
}

}  // namespace pratique::notes
