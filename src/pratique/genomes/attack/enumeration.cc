#include "pratique/genomes/attack/enumeration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/crypto/hash.h"
#include "pratique/genomes/attack/internal/digest.h"
#include "pratique/genomes/attack/internal/pseudonym_index.h"
#include "pratique/genomes/attack/internal/pseudonym_key.h"
#include "pratique/genomes/attack/internal/spellings.h"
#include "pratique/genomes/attack/internal/value_spellings.h"

namespace pratique::genomes {
namespace {

constexpr std::size_t kBeyondChance = 16;  // hexadecimal digits

// One way: a spelling of the value, and what stands around it.
struct EnumeratedWay {
  std::size_t spelling = 0;
  Composition around = {};
};

struct MetValue {
  std::uint64_t times = 0;
  std::string value = {};
};

// What was met so far, by all threads.
class MetValues {
 public:
  MetValues(std::size_t ways, std::uint64_t pseudonyms) : met_(ways), pseudonyms_(pseudonyms) {}

  void add(std::size_t way, Code code, const std::string& value, bool beyond_chance) {
    const std::lock_guard lock(mutex_);
    MetValue& met = met_[way][code];
    if (met.times == 0 || value < met.value) met.value = value;
    ++met.times;
    if (beyond_chance) only_ = static_cast<int>(way);
    if (met_[way].size() == pseudonyms_ && only_ >= 0) all_ = true;
  }
  // The one way that is tried from now on; negative: all.
  [[nodiscard]] int only() const { return only_; }
  [[nodiscard]] bool all() const { return all_; }
  [[nodiscard]] const std::vector<std::map<Code, MetValue>>& met() const { return met_; }

 private:
  std::mutex mutex_;
  std::vector<std::map<Code, MetValue>> met_;
  std::uint64_t pseudonyms_;
  std::atomic<int> only_ = -1;
  std::atomic<bool> all_ = false;
};

std::vector<EnumeratedWay> ways_of(const ValueSpellings& values, const PseudonymScheme& scheme) {
  std::vector<EnumeratedWay> ways;
  for (const auto& around : compositions(1, scheme.salt, keys_of(scheme))) {
    if (around.spelling != Spelling::as_written) continue;
    for (std::size_t spelling = 0; spelling < values.spellings(); ++spelling)
      ways.push_back({spelling, around});
  }
  return ways;
}

}  // namespace

EnumerationFinding enumerate_values(const Column& pseudonyms, Enumerated what,
                                    const std::vector<unsigned>& areas,
                                    const PseudonymScheme& scheme, Progress& progress) {
  const auto began = std::chrono::steady_clock::now();
  const PseudonymIndex index(pseudonyms, scheme.digest);
  EnumerationFinding finding;
  finding.of = index.count;
  finding.unreadable = index.unreadable;
  const ValueSpellings values(what, areas);
  const auto ways = ways_of(values, scheme);
  MetValues met(ways.size(), index.count - index.unreadable);
  std::atomic<std::uint64_t> tried = 0;
  std::atomic<std::uint64_t> digests = 0;
  progress.begin("trying all values", values.blocks());
  const auto try_block = [&](std::size_t block) {
    std::deque<Digester> digesters;
    for (const auto& way : ways) digesters.emplace_back(scheme.digest, way.around.key);
    std::uint64_t in_block = 0;
    std::uint64_t digests_in_block = 0;
    values.each(block, [&](const SpeltValue& value) {
      ++in_block;
      const int only = met.only();
      for (std::size_t w = 0; w < ways.size(); ++w) {
        if (only >= 0 && w != static_cast<std::size_t>(only)) continue;
        const std::string_view text = value.spelt(ways[w].spelling);
        if (text.empty()) continue;
        ++digests_in_block;
        const std::span<const std::uint8_t> digest =
            ways[w].around.before.empty() && ways[w].around.behind.empty()
                ? digesters[w].bytes_of(text)
                : digesters[w].bytes_of(ways[w].around.of({text}));
        if (!index.may_have(digest)) continue;
        const std::string hex = to_hex(digest);
        index.look_up(hex, [&](Code code) {
          met.add(w, code, std::string(value.canonical()), index.fewest_digits() >= kBeyondChance);
        });
      }
    });
    tried += in_block;
    digests += digests_in_block;
  };
  if (index.count > index.unreadable) {
    parallel_blocks(values.blocks(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t block = begin; block < end && !met.all(); ++block) try_block(block);
      progress.advance(end - begin);
    });
  }
  finding.values = tried;
  finding.tries = digests;
  std::size_t best = 0;
  for (std::size_t w = 0; w < ways.size(); ++w) {
    if (met.met()[w].size() > met.met()[best].size()) best = w;
  }
  if (!ways.empty() && !met.met()[best].empty()) {
    finding.made_as = ways[best].around.in_words({values.in_words(ways[best].spelling)});
    for (const auto& [code, value] : met.met()[best]) {
      ++finding.broken;
      finding.ambiguous += value.times > 1 ? 1 : 0;
      finding.matches.push_back({code, value.value});
    }
  }
  finding.by_chance = index.by_chance(static_cast<double>(finding.values));
  finding.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return finding;
}

std::vector<unsigned> parse_areas(const std::string& text) {
  std::vector<unsigned> areas;
  std::string_view rest = text;
  const auto number = [](std::string_view word) -> std::optional<unsigned> {
    unsigned value = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.size() != 3 || read.ec != std::errc() || read.ptr != word.data() + word.size())
      return std::nullopt;
    return value;
  };
  constexpr unsigned kLargestArea = 899;
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    const std::string_view range = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const auto dash = std::min(range.find('-'), range.size());
    const auto first = number(range.substr(0, dash));
    const auto last = dash == range.size() ? first : number(range.substr(dash + 1));
    if (!first || !last || *first == 0 || *first > *last || *last > kLargestArea) {
      throw Error::input("--areas names what is no area of Social Security numbers")
          .hint("Areas are the first three digits, from 001 to 899: 001-003,700.");
    }
    for (unsigned area = *first; area <= *last; ++area) areas.push_back(area);
  }
  std::sort(areas.begin(), areas.end());
  areas.erase(std::unique(areas.begin(), areas.end()), areas.end());
  return areas;
}

}  // namespace pratique::genomes
