#include "pratique/codes/spelling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/data/utf8.h"

namespace pratique::codes {
namespace {

// Letters and digits, in small letters: what is left however a code is written.
std::string bare(std::string_view text) {
  std::string left;
  for (const char c : text) {
    if (c != '.' && c != ' ' && c != '\t') left += c;
  }
  return lower(left);
}

bool has(std::string_view text, std::string_view any) {
  return text.find_first_of(any) != std::string_view::npos;
}

}  // namespace

std::string Spelling::of(std::string_view text) const {
  return system->normal(text, points).value_or(std::string(text));
}

std::optional<Spelling> spelling_of(const CodeSets& sets, const std::string& hierarchy) {
  const auto supports = sets.supports();
  const CodeSystem* system =
      hierarchy.empty() ? detect_code_system(sets.codes, supports) : find_code_system(hierarchy);
  if (system == nullptr) return std::nullopt;
  std::uint64_t with = 0;
  std::uint64_t without = 0;
  for (Code code = 0; code < sets.codes.size(); ++code) {
    const auto pointed = system->normal(sets.codes.value(code), true);
    if (!pointed || !has(*pointed, ".")) continue;  // a category has no place for one
    (has(sets.codes.value(code), ".") ? with : without) += supports[code];
  }
  return Spelling{system, with >= without};
}

bool may_be_icd9(const std::optional<Spelling>& spelling) {
  return !spelling || spelling->system->name == "icd9";
}

Respelled respell(CodeSets& sets, const Spelling& spelling) {
  Respelled respelled;
  const auto supports = sets.supports();
  Dictionary codes;
  std::vector<Code> becomes;
  for (Code code = 0; code < sets.codes.size(); ++code) {
    const auto text = sets.codes.value(code);
    const std::string normal = spelling.of(text);
    becomes.push_back(codes.intern(normal));
    if (normal == text) continue;
    ++respelled.spellings;
    respelled.occurrences += supports[code];
    if (has(text, ".") != has(normal, ".")) respelled.points += supports[code];
    if (has(text, " \t\r\n")) respelled.blanks += supports[code];
    if (has(text, "abcdefghijklmnopqrstuvwxyz")) respelled.letters += supports[code];
  }
  if (respelled.spellings == 0) return respelled;
  CodeSetsBuilder builder;
  std::vector<Code> set;
  for (const auto s : sets.set_of) {
    set.clear();
    for (const Code code : sets.set(s)) set.push_back(becomes[code]);
    builder.add(set);
  }
  sets = std::move(builder).build(std::move(codes));
  return respelled;
}

void respell(Column& codes, const Spelling& spelling) {
  Dictionary dictionary;
  std::vector<Code> becomes;
  for (const auto text : codes.dictionary.values()) {
    becomes.push_back(dictionary.intern(spelling.of(text)));
  }
  for (Code& code : codes.codes) code = becomes[code];
  codes.dictionary = std::move(dictionary);
}

void respell_as_released(CodeSets& sets, const Json& parameters) {
  const CodeSystem* system = find_code_system(parameters.value("code_system", ""));
  if (system != nullptr) (void)respell(sets, {system, parameters.value("points", true)});
}

Json to_json(const Respelled& respelled) {
  return {{"spellings", respelled.spellings},
          {"occurrences", respelled.occurrences},
          {"points", respelled.points},
          {"letters", respelled.letters},
          {"blanks", respelled.blanks}};
}

std::vector<Code> codes_named(std::string_view entry, const Dictionary& codes,
                              const std::optional<Spelling>& spelling, const std::string& place) {
  if (const auto code = codes.find(entry)) return {*code};
  const bool prefix = entry.size() > 1 && entry.ends_with('*');
  const std::string_view text = prefix ? entry.substr(0, entry.size() - 1) : entry;
  std::vector<Code> named;
  if (prefix) {
    const std::string beginning = spelling ? bare(text) : std::string(text);
    for (Code code = 0; code < codes.size(); ++code) {
      const std::string written(codes.value(code));
      if ((spelling ? bare(written) : written).starts_with(beginning)) named.push_back(code);
    }
  } else if (spelling) {
    if (const auto code = codes.find(spelling->of(text))) named.push_back(*code);
  }
  if (!named.empty()) return named;
  const auto plain = [&](std::string_view code) {
    return spelling ? bare(code) : std::string(code);
  };
  const std::string beginning = plain(text);
  std::vector<std::string> all;
  std::size_t beginning_so = 0;
  for (const auto code : codes.values()) {
    all.emplace_back(code);
    beginning_so += plain(code).starts_with(beginning) ? 1 : 0;
  }
  // Somebody who lists the category 250.0 means what is under it, and must not be told that nothing
  // was found.
  if (beginning_so == 0 && spelling && spelling->system->normal(text, true)) return named;
  const auto near = nearest_names(all, text);
  throw Error::input(fmt::format("{} is not a code in the data", in_quotes(entry)))
      .at(place)
      .hint(!prefix && beginning_so > 0
                ? fmt::format("Write {}* for the {} that begin so.", text, beginning_so)
            : near.empty() ? std::string("Write codes as in the data, or take it out of the list.")
                           : fmt::format("Did you mean {}? Or take it out of the list.",
                                         fmt::join(near, " or ")));
}

}  // namespace pratique::codes
