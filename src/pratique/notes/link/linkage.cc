#include "pratique/notes/link/linkage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "pratique/core/jaro_winkler.h"
#include "pratique/crypto/random.h"

namespace pratique::notes {
namespace {

constexpr std::size_t kFields = 6;
constexpr std::array<const char*, kFields> kFieldNames = {"given", "family", "birth",
                                                          "sex",   "zip",    "mrn"};
constexpr double kAlike = 0.92;
constexpr std::size_t kLargestBlock = 400;
constexpr std::size_t kRandomPairs = 20'000;
constexpr int kRounds = 50;
constexpr double kLeast = 0.001;

enum class Agreement : std::uint8_t { missing, agree, disagree };
using Comparison = std::array<Agreement, kFields>;

Agreement same_or_alike(const std::string& a, const std::string& b, bool alike) {
  if (a.empty() || b.empty()) return Agreement::missing;
  return a == b || (alike && jaro_winkler(a, b) > kAlike) ? Agreement::agree : Agreement::disagree;
}

Comparison compare(const LinkRecord& a, const LinkRecord& b) {
  return {same_or_alike(a.given, b.given, true),  same_or_alike(a.family, b.family, true),
          same_or_alike(a.birth, b.birth, false), same_or_alike(a.sex, b.sex, false),
          same_or_alike(a.zip, b.zip, false),     same_or_alike(a.mrn, b.mrn, false)};
}

std::uint32_t root_of(std::vector<std::uint32_t>& parents, std::uint32_t at) {
  while (parents[at] != at) at = parents[at] = parents[parents[at]];
  return at;
}

std::set<std::pair<std::uint32_t, std::uint32_t>> blocked_pairs(
    const std::vector<LinkRecord>& records) {
  std::map<std::string, std::vector<std::uint32_t>> blocks;
  for (std::uint32_t i = 0; i < records.size(); ++i) {
    const LinkRecord& record = records[i];
    if (!record.mrn.empty()) blocks["m" + record.mrn].push_back(i);
    if (!record.birth.empty()) blocks["b" + record.birth].push_back(i);
    if (!record.family.empty()) {
      blocks["f" + record.family.substr(0, 4) + record.given.substr(0, 1)].push_back(i);
    }
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const auto& [key, members] : blocks) {
    if (members.size() > kLargestBlock) continue;
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (std::size_t j = i + 1; j < members.size(); ++j) pairs.emplace(members[i], members[j]);
    }
  }
  return pairs;
}

double odds(const std::vector<LinkField>& fields, const Comparison& comparison) {
  double bits = 0;
  for (std::size_t f = 0; f < kFields; ++f) {
    if (comparison[f] == Agreement::agree) bits += fields[f].agrees();
    if (comparison[f] == Agreement::disagree) bits += fields[f].disagrees();
  }
  return std::exp2(bits);
}

}  // namespace

double LinkField::agrees() const { return std::log2(m / u); }
double LinkField::disagrees() const { return std::log2((1 - m) / (1 - u)); }

Linkage link_records(const std::vector<LinkRecord>& records) {
  Linkage result;
  std::vector<std::uint32_t> parents(records.size());
  std::iota(parents.begin(), parents.end(), 0U);
  std::map<std::string, std::uint32_t> by_key;
  for (std::uint32_t i = 0; i < records.size(); ++i) {
    if (records[i].patient.empty()) continue;
    const auto [first, is_new] = by_key.emplace(records[i].patient, i);
    if (!is_new) {
      parents[root_of(parents, i)] = root_of(parents, first->second);
      ++result.links;
    }
  }
  for (const char* name : kFieldNames) result.fields.push_back({name, 0.9, 0.1});
  // u, from pairs at random; they are hardly ever one person's.
  SeededRandom random(1);
  std::array<double, kFields> agreed{};
  std::array<double, kFields> told{};
  for (std::size_t i = 0; records.size() > 2 && i < kRandomPairs; ++i) {
    const auto a = random.below(records.size());
    const auto b = random.below(records.size());
    if (a == b) continue;
    const Comparison comparison = compare(records[a], records[b]);
    for (std::size_t f = 0; f < kFields; ++f) {
      told[f] += comparison[f] != Agreement::missing ? 1 : 0;
      agreed[f] += comparison[f] == Agreement::agree ? 1 : 0;
    }
  }
  for (std::size_t f = 0; f < kFields; ++f) {
    // Of few records, what the field is like in general weighs more.
    const double expected = f == 3 ? 0.5 : 0.02;
    result.fields[f].u =
        std::clamp((agreed[f] + 20 * expected) / (told[f] + 20), kLeast, 1 - kLeast);
  }

  const auto pairs = blocked_pairs(records);
  result.compared = pairs.size();
  std::map<Comparison, double> patterns;
  for (const auto& [a, b] : pairs) {
    const bool keyed = !records[a].patient.empty() && !records[b].patient.empty();
    if (!keyed) ++patterns[compare(records[a], records[b])];
  }
  double prior = 0.3;
  for (int round = 0; round < kRounds && !patterns.empty(); ++round) {
    std::array<double, kFields> m_agreed{};
    std::array<double, kFields> m_told{};
    double matched = 0;
    double all = 0;
    for (const auto& [pattern, count] : patterns) {
      const double weight = prior / (1 - prior) * odds(result.fields, pattern);
      const double probability = weight / (1 + weight);
      matched += probability * count;
      all += count;
      for (std::size_t f = 0; f < kFields; ++f) {
        if (pattern[f] == Agreement::missing) continue;
        m_told[f] += probability * count;
        if (pattern[f] == Agreement::agree) m_agreed[f] += probability * count;
      }
    }
    prior = std::clamp(matched / all, 0.01, 0.9);
    for (std::size_t f = 0; f < kFields; ++f)
      result.fields[f].m =
          std::clamp((m_agreed[f] + 9) / (m_told[f] + 10), result.fields[f].u, 1 - kLeast);
  }
  for (const auto& [a, b] : pairs) {
    const std::uint32_t first = root_of(parents, a);
    const std::uint32_t second = root_of(parents, b);
    if (first == second || (!records[a].patient.empty() && !records[b].patient.empty())) continue;
    const double weight =
        prior / (1 - prior) * odds(result.fields, compare(records[a], records[b]));
    if (weight / (1 + weight) < kLinkedFrom) continue;
    parents[second] = first;
    ++result.links;
  }
  std::map<std::uint32_t, std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < records.size(); ++i) {
    const auto number = static_cast<std::uint32_t>(numbers.size());
    result.person.push_back(numbers.emplace(root_of(parents, i), number).first->second);
  }
  result.persons = static_cast<std::uint32_t>(numbers.size());
  return result;
}

}  // namespace pratique::notes
