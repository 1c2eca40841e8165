#include "pratique/genomes/attack/dictionary.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/crypto/hash.h"
#include "pratique/genomes/attack/internal/digest.h"
#include "pratique/genomes/attack/internal/field_forms.h"
#include "pratique/genomes/attack/internal/pseudonym_index.h"
#include "pratique/genomes/attack/internal/pseudonym_key.h"
#include "pratique/genomes/attack/internal/spellings.h"

namespace pratique::genomes {
namespace {

// Some minutes; further spellings are left then.
constexpr std::uint64_t kMostTries = 2'000'000'000;

// A register with its fields in all their forms.
struct SpeltRegister {
  const Table& people;
  std::vector<std::vector<FieldForm>> forms = {};  // by field

  void values_of(std::size_t row, const Composition& way,
                 std::vector<std::string_view>& values) const {
    for (std::size_t f = 0; f < people.columns.size(); ++f) values[f] = people.columns[f].text(row);
    for (std::size_t i = 0; i < way.forms.size(); ++i) {
      const std::size_t field = way.fields[i];
      values[field] = forms[field][way.forms[i]].values[people.columns[field].codes[row]];
    }
  }
};

std::vector<DictionaryMatch> try_composition(const PseudonymIndex& index,
                                             const SpeltRegister& spelt, DigestKind kind,
                                             const Composition& way) {
  constexpr std::size_t kPeoplePerTask = 4096;
  std::vector<DictionaryMatch> matches;
  std::mutex mutex;
  parallel_blocks(spelt.people.rows(), kPeoplePerTask, [&](std::size_t begin, std::size_t end) {
    Digester digester(kind, way.key);
    std::vector<DictionaryMatch> mine;
    std::vector<std::string_view> values(spelt.people.columns.size());
    for (std::size_t row = begin; row < end; ++row) {
      spelt.values_of(row, way, values);
      const auto digest = digester.bytes_of(way.of(values));
      if (!index.may_have(digest)) continue;
      index.look_up(to_hex(digest), [&](Code code) {
        mine.push_back({code, static_cast<std::uint32_t>(row)});
      });
    }
    const std::lock_guard lock(mutex);
    matches.insert(matches.end(), mine.begin(), mine.end());
  });
  std::sort(matches.begin(), matches.end(), [](const auto& a, const auto& b) {
    return std::pair(a.pseudonym, a.person) < std::pair(b.pseudonym, b.person);
  });
  return matches;
}

std::uint64_t different_pseudonyms(const std::vector<DictionaryMatch>& matches) {
  std::set<std::uint32_t> codes;
  for (const auto& match : matches) codes.insert(match.pseudonym);
  return codes.size();
}

}  // namespace

std::string_view name_of(DigestKind digest) {
  switch (digest) {
    case DigestKind::sha1:
      return "sha1";
    case DigestKind::md5:
      return "md5";
    case DigestKind::crc32:
      return "crc32";
    case DigestKind::hmac:
      return "hmac";
    case DigestKind::sha256:
      break;
  }
  return "sha256";
}

PseudonymScheme parse_scheme(const std::string& text) {
  const auto colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  for (const DigestKind digest :
       {DigestKind::sha256, DigestKind::sha1, DigestKind::md5, DigestKind::crc32}) {
    if (name == name_of(digest)) return {.digest = digest, .salt = rest};
  }
  if (name == name_of(DigestKind::hmac) && !rest.empty())
    return {.digest = DigestKind::hmac, .key_file = rest};
  throw Error::input("--scheme is no way to make pseudonyms that is known here")
      .hint(
          "It is sha256, sha256:SALT, md5, sha1, crc32 or hmac:FILE with the key's file; md5, sha1 "
          "and crc32 take a salt, too.");
}

DictionaryFinding attack_dictionary(const Column& pseudonyms, const Table& people,
                                    const PseudonymScheme& scheme, Progress& progress) {
  const auto began = std::chrono::steady_clock::now();
  const PseudonymIndex index(pseudonyms, scheme.digest);
  DictionaryFinding finding;
  finding.of = index.count;
  finding.unreadable = index.unreadable;
  finding.by_chance = index.by_chance(static_cast<double>(people.rows()));
  const auto keys = keys_of(scheme);
  SpeltRegister spelt{people};
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> form_words;
  for (const auto& column : people.columns) names.push_back(column.name);
  // Whether what was broken is more than chance would have.
  const auto is_found = [&] {
    return static_cast<double>(finding.broken) > 2 * finding.by_chance + 0.5;
  };
  std::optional<Composition> best;
  const auto try_ways = [&](const std::vector<Composition>& ways) {
    progress.begin("trying spellings", ways.size());
    for (const auto& way : ways) {
      if (finding.broken == index.count) return;
      if (finding.tries > kMostTries) {
        finding.all_tried = false;
        return;
      }
      auto matches = try_composition(index, spelt, scheme.digest, way);
      finding.tries += people.rows();
      const std::uint64_t broken = different_pseudonyms(matches);
      if (broken > finding.broken) {
        finding.broken = broken;
        finding.matches = std::move(matches);
        finding.made_as = way.in_words(names, form_words);
        best = way;
      }
      progress.advance(1);
    }
  };
  if (index.count > index.unreadable && people.rows() > 0) {
    try_ways(compositions(people.columns.size(), scheme.salt, keys));
    if (finding.broken < index.count) {
      std::vector<std::size_t> forms;
      for (const auto& column : people.columns) {
        spelt.forms.push_back(forms_of(column));
        forms.push_back(spelt.forms.back().size());
        auto& words = form_words.emplace_back();
        for (const auto& form : spelt.forms.back()) words.push_back(form.words);
      }
      auto ways = compositions_of_forms(forms, scheme.salt, keys);
      // Names without accents, say, are written alike in several forms: how the fields stand
      // together may be known then, and only their forms are not. Where most stay unbroken it is
      // not: a name without capitals is written alike in any case, too.
      auto others = ways.begin();
      if (is_found()) {
        others = std::stable_partition(ways.begin(), ways.end(), [&](const Composition& way) {
          return way.differs_in_forms_from(*best);
        });
      }
      try_ways({ways.begin(), others});
      const bool most = 2 * finding.broken > index.count - index.unreadable;
      if (!is_found() || !most) try_ways({others, ways.end()});
    }
  }
  std::map<std::uint32_t, std::uint64_t> owners;
  for (const auto& match : finding.matches) ++owners[match.pseudonym];
  for (const auto& [pseudonym, count] : owners) finding.ambiguous += count > 1 ? 1 : 0;
  finding.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return finding;
}

}  // namespace pratique::genomes
