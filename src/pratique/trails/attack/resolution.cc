#include "pratique/trails/attack/resolution.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "pratique/core/error.h"
#include "pratique/core/jaro_winkler.h"
#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/trails/attack/internal/blocking.h"
#include "pratique/trails/attack/internal/match_model.h"

namespace pratique::trails {
namespace {

constexpr double kNear = 0.92;
constexpr double kSome = 0.80;
constexpr std::size_t kRandomPairs = 200'000;
constexpr std::size_t kPairsPerBlock = 16'384;

// Lower case, one space between words, none around.
std::string cleaned(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (!result.empty() && result.back() != ' ') result += ' ';
    } else {
      result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

// Records without their repetitions.
struct DistinctRecords {
  std::vector<std::vector<std::string>> values;  // cleaned, per field and code
  Records records;
  std::vector<double> times;
  std::vector<std::uint32_t> number_of;  // per original record

  explicit DistinctRecords(const Table& table) : values(table.columns.size()) {
    const std::size_t fields = table.columns.size();
    for (std::size_t f = 0; f < fields; ++f) {
      for (const auto value : table.columns[f].dictionary.values()) {
        values[f].push_back(cleaned(value));
      }
    }
    std::map<std::vector<std::string_view>, std::uint32_t> numbers;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      std::vector<std::string_view> record;
      for (std::size_t f = 0; f < fields; ++f) {
        record.emplace_back(values[f][table.columns[f].codes[row]]);
      }
      const auto [entry, is_new] =
          numbers.try_emplace(record, static_cast<std::uint32_t>(records.size()));
      if (is_new) {
        records.push_back(std::move(record));
        times.push_back(0);
      }
      ++times[entry->second];
      number_of.push_back(entry->second);
    }
  }
};

Pattern compare(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  Pattern pattern;
  for (std::size_t f = 0; f < a.size(); ++f) {
    Agreement agreement = Agreement::none;
    if (a[f].empty() || b[f].empty()) {
      agreement = Agreement::missing;
    } else if (a[f] == b[f]) {
      agreement = Agreement::exact;
    } else {
      const double alike = jaro_winkler(a[f], b[f]);
      if (alike >= kNear) {
        agreement = Agreement::near;
      } else if (alike >= kSome) {
        agreement = Agreement::some;
      }
    }
    pattern.set(f, agreement);
  }
  return pattern;
}

using Tally = std::map<Pattern, double>;

std::vector<CountedPattern> listed(const Tally& tally) {
  std::vector<CountedPattern> list;
  for (const auto& [pattern, pairs] : tally) list.push_back({pattern, pairs});
  return list;
}

Tally random_pairs(const DistinctRecords& distinct, std::uint64_t seed) {
  Tally tally;
  SeededRandom random(seed);
  const std::size_t rows = distinct.number_of.size();
  for (std::size_t i = 0; i < kRandomPairs; ++i) {
    const std::size_t a = random.below(rows);
    const std::size_t b = random.below(rows);
    if (a == b) continue;
    tally[compare(distinct.records[distinct.number_of[a]],
                  distinct.records[distinct.number_of[b]])] += 1;
  }
  return tally;
}

class UnionFind {
 public:
  explicit UnionFind(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  std::uint32_t find(std::uint32_t item) {
    while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
    return item;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::uint32_t> parent_;
};

double pairs_of(double count) { return count * (count - 1) / 2; }

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

Resolution resolve(const Table& table, const ResolutionOptions& options, Progress& progress) {
  Resolution result;
  for (const Column& column : table.columns) result.fields.push_back({column.name, {}, {}});
  if (table.rows() == 0) return result;
  if (table.columns.empty() || table.columns.size() > Pattern::kMostFields) {
    throw Error::input(fmt::format("{} fields were named", table.columns.size()))
        .hint(fmt::format("Compare from 1 to {} fields.", Pattern::kMostFields));
  }
  const DistinctRecords distinct(table);
  const auto pairs = pairs_in_blocks(distinct.records, options.largest_block, progress);
  result.compared = pairs.size();

  progress.begin("comparing records", pairs.size());
  std::vector<Pattern> patterns(pairs.size());
  parallel_blocks(pairs.size(), kPairsPerBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      patterns[p] = compare(distinct.records[pairs[p].first], distinct.records[pairs[p].second]);
    }
    progress.advance(end - begin);
  });
  Tally blocked;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    blocked[patterns[p]] += distinct.times[pairs[p].first] * distinct.times[pairs[p].second];
  }
  for (std::size_t r = 0; r < distinct.records.size(); ++r) {
    if (distinct.times[r] < 2) continue;
    blocked[compare(distinct.records[r], distinct.records[r])] += pairs_of(distinct.times[r]);
  }
  const double all_pairs = std::max(1.0, pairs_of(static_cast<double>(table.rows())));
  const MatchModel model = estimate(std::move(result.fields), listed(blocked),
                                    table.rows() < 2 ? std::vector<CountedPattern>{}
                                                     : listed(random_pairs(distinct, options.seed)),
                                    all_pairs);
  result.fields = model.fields;

  UnionFind joined(distinct.records.size());
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (model.posterior(patterns[p]) >= options.threshold) {
      joined.join(pairs[p].first, pairs[p].second);
    }
  }
  // Equal records that say too little, such as a common name alone, stay apart.
  std::vector<bool> alone(distinct.records.size());
  for (std::size_t r = 0; r < distinct.records.size(); ++r) {
    alone[r] =
        distinct.times[r] > 1 &&
        model.posterior(compare(distinct.records[r], distinct.records[r])) < options.threshold;
  }
  std::unordered_map<std::uint32_t, std::uint32_t> number;
  std::vector<bool> met(distinct.records.size());
  for (const std::uint32_t record : distinct.number_of) {
    if (alone[record] && met[record]) {
      result.person.push_back(result.persons++);
      continue;
    }
    met[record] = true;
    const auto [entry, is_new] = number.try_emplace(joined.find(record), result.persons);
    if (is_new) ++result.persons;
    result.person.push_back(entry->second);
  }
  return result;
}

double PairScore::precision() const { return ratio(correct, joined); }
double PairScore::recall() const { return ratio(correct, true_pairs); }
double PairScore::f1() const {
  const double sum = precision() + recall();
  return sum == 0 ? 0 : 2 * precision() * recall() / sum;
}

PairScore score_pairs(const std::vector<std::uint32_t>& person,
                      const std::vector<std::uint32_t>& truth) {
  std::map<std::uint32_t, std::uint64_t> joined;
  std::map<std::uint32_t, std::uint64_t> real;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> both;
  for (std::size_t r = 0; r < person.size(); ++r) {
    ++joined[person[r]];
    ++real[truth[r]];
    ++both[{person[r], truth[r]}];
  }
  const auto sum = [](const auto& counts) {
    std::uint64_t pairs = 0;
    for (const auto& [key, count] : counts) pairs += count * (count - 1) / 2;
    return pairs;
  };
  return {.true_pairs = sum(real), .joined = sum(joined), .correct = sum(both)};
}

}  // namespace pratique::trails
