#include "pratique/notes/flow/plausibility.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "pratique/core/error.h"
#include "pratique/notes/plausibility/plausibility.h"
#include "pratique/words/words.h"

namespace pratique::notes::flow {
namespace {

struct Mention {
  std::size_t start = 0, end = 0;
  std::string term;  // folded
};

bool joins_word(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  const auto c = static_cast<unsigned char>(text[at]);
  return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// ASCII letters alone: bytes stay where they are.
std::string same_length_lower(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return small;
}

std::vector<Mention> mentions_of(std::string_view text, const std::vector<std::string>& terms) {
  const std::string small = same_length_lower(text);
  std::vector<Mention> mentions;
  for (const auto& term : terms) {
    const std::string wanted = same_length_lower(term);
    if (wanted.empty()) continue;
    for (auto at = small.find(wanted); at != std::string::npos; at = small.find(wanted, at + 1)) {
      const std::size_t end = at + wanted.size();
      if ((at > 0 && joins_word(small, at - 1)) || joins_word(small, end)) continue;
      const bool free = std::none_of(mentions.begin(), mentions.end(),
                                     [&](const Mention& m) { return m.start < end && at < m.end; });
      if (free) mentions.push_back({at, end, words::folded(term)});
    }
  }
  std::sort(mentions.begin(), mentions.end(),
            [](const Mention& a, const Mention& b) { return a.start < b.start; });
  return mentions;
}

std::map<std::string, int> senses_named(const std::vector<std::string>& given) {
  std::map<std::string, int> senses;
  for (const auto& text : given) {
    const auto sign = text.rfind('=');
    int number = 0;
    if (sign != std::string::npos)
      std::from_chars(text.data() + sign + 1, text.data() + text.size(), number);
    if (number < 1) {
      throw Error::input("a sense is TERM=N, with N from 1 on").at("--sense " + text);
    }
    senses[words::folded(text.substr(0, sign))] = number;
  }
  return senses;
}

}  // namespace

Outcome plausibility(const PlausibilityRequest& request, const Run& run) {
  const auto ontology =
      request.ontology == "wordnet" ? Ontology::wordnet() : Ontology::from_csv(request.ontology);
  const auto senses = senses_named(request.senses);
  const OpenedNotes notes = open_notes(request.input, run);
  if (!request.out.empty() && same_file(request.input.path, request.out)) {
    throw Error::input("the output is the same file as the input").at(request.out);
  }
  std::vector<std::string> named = request.terms;
  std::sort(named.begin(), named.end(),
            [](const auto& a, const auto& b) { return a.size() > b.size(); });
  const std::vector<std::string> known = named.empty() ? ontology->terms() : named;
  std::optional<AtomicFile> out;
  if (!request.out.empty()) out.emplace(request.out, 0600);
  std::vector<RejectedNote> rejected = notes.rejected;
  std::uint64_t read = 0;
  std::uint64_t risen = 0;
  std::uint64_t unreached = 0;
  std::uint64_t terms = 0;
  std::set<std::string> unknown;
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  double loss = 0;
  notes.read(
      [&](NoteFile&& file) {
        for (const Note& note : file.notes) {
          ++read;
          std::vector<Mention> mentions;
          if (named.empty() && !note.spans.empty()) {
            for (const Span& span : note.spans)
              mentions.push_back({span.start, span.end,
                                  words::folded(std::string_view(note.text).substr(
                                      span.start, span.end - span.start))});
          } else {
            mentions = mentions_of(note.text, known);
          }
          std::map<std::string, std::size_t> numbers;
          std::vector<std::vector<Hypernym>> paths;
          for (const auto& mention : mentions) {
            if (numbers.contains(mention.term) || unknown.contains(mention.term)) continue;
            const auto sense = senses.find(mention.term);
            auto path =
                ontology->path(mention.term, sense == senses.end() ? 0 : sense->second, note.text);
            if (path.empty()) {
              unknown.insert(mention.term);
              continue;
            }
            numbers.emplace(mention.term, paths.size());
            paths.push_back(std::move(path));
          }
          const auto plausible = make_plausible(paths, request.t, request.minimum);
          if (!plausible) {
            ++unreached;
            continue;
          }
          ++risen;
          terms += paths.size();
          fewest = std::min(fewest, plausible->texts);
          loss += plausible->loss;
          if (!out) continue;
          std::string text;
          std::size_t from = 0;
          for (const auto& mention : mentions) {
            const auto number = numbers.find(mention.term);
            if (number == numbers.end() || mention.start < from) continue;
            const std::size_t level = plausible->levels[number->second];
            text.append(note.text, from, mention.start - from);
            text += level == 0 ? note.text.substr(mention.start, mention.end - mention.start)
                               : paths[number->second][level].label;
            from = mention.end;
          }
          text.append(note.text, from, std::string::npos);
          out->write(Json{{"id", note.id}, {"plausible", plausible->texts}, {"text", text}}.dump() +
                     "\n");
        }
        rejected.insert(rejected.end(), file.rejected.begin(), file.rejected.end());
      },
      run.progress);
  if (out && risen > 0) out->commit();
  Json result = {{"notes", read},
                 {"texts", risen == 0 ? 0 : fewest},
                 {"t", request.t},
                 {"loss", risen == 0 ? 0 : loss / static_cast<double>(risen)},
                 {"terms", terms},
                 {"unreached", unreached},
                 {"unknown", unknown.size()},
                 {"rejected", to_json(rejected)}};
  if (out && risen > 0) result["out"] = request.out;
  return {result, risen > 0 && unreached == 0};
}

}  // namespace pratique::notes::flow
