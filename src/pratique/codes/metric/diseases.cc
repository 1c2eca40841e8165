#include "pratique/codes/metric/diseases.h"

#include <fmt/format.h>

#include <algorithm>

#include "pratique/core/error.h"
#include "pratique/data/icd9.h"

namespace pratique::codes {
namespace {

constexpr std::string_view kGwas = R"(Asthma: 493
Attention deficit with hyperactivity: 314.01
Bipolar I disorder: 296.0 296.4 296.5 296.6 296.7
Bladder cancer: 188
Breast cancer: 174 175
Coronary disease: 410 411 412 413 414
Dental caries: 521.0
Diabetes mellitus type 1: 250.?1 250.?3
Diabetes mellitus type 2: 250.?0 250.?2
Lung cancer: 162.2 162.3 162.4 162.5 162.8 162.9
Pancreatic cancer: 157
Platelet phenotypes: 238.71 287.1 287.3 287.4 287.5
Pre-term birth: 644.2 765.0 765.1
Prostate cancer: 185
Psoriasis: 696.0 696.1
Renal cancer: 189.0 189.1
Schizophrenia: 295
Sickle-cell disease: 282.41 282.42 282.6
)";

bool begins_with(std::string_view code, std::string_view pattern) {
  if (code.size() < pattern.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != code[i] && (pattern[i] != '?' || code[i] == '.')) return false;
  }
  return true;
}

bool is_pattern(std::string_view text) {
  std::string digits(text);
  std::replace(digits.begin(), digits.end(), '?', '0');
  const auto code = icd9::parse(digits);
  return code && code->text(2) == digits;
}

}  // namespace

bool Disease::has(std::string_view code) const {
  const auto parsed = icd9::parse(code);
  if (!parsed) return false;
  const std::string text = parsed->text(2);
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const auto& pattern) { return begins_with(text, pattern); });
}

std::vector<Disease> parse_diseases(std::string_view text, const std::string& place) {
  std::vector<Disease> diseases;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto start = line.find_first_not_of(" \t\r");
    if (start == std::string_view::npos || line[start] == '#') continue;
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || colon == start) {
      throw Error::input("a disease has no name before a colon")
          .at(fmt::format("{}:{}:{}", place, number, start + 1))
          .hint("Write, for instance: Asthma: 493");
    }
    Disease disease{std::string(line.substr(start, colon - start)), {}};
    for (std::size_t at = colon + 1;;) {
      at = line.find_first_not_of(" \t\r", at);
      if (at == std::string_view::npos) break;
      const auto stop = std::min(line.find_first_of(" \t\r", at), line.size());
      disease.patterns.emplace_back(line.substr(at, stop - at));
      if (!is_pattern(disease.patterns.back())) {
        throw Error::input("this is not the beginning of an ICD-9 code")
            .at(fmt::format("{}:{}:{}", place, number, at + 1))
            .hint("Write three digits, a point and more of them, ? for any: 493, 250.?1.");
      }
      at = stop;
    }
    if (disease.patterns.empty()) {
      throw Error::input("a disease has no codes")
          .at(fmt::format("{}:{}:{}", place, number, colon + 1))
          .hint("Write, for instance: Asthma: 493");
    }
    diseases.push_back(std::move(disease));
  }
  if (diseases.empty()) throw Error::input("the file names no disease").at(place);
  return diseases;
}

const std::vector<Disease>& gwas_diseases() {
  static const std::vector<Disease> kDiseases = parse_diseases(kGwas, "gwas");
  return kDiseases;
}

std::vector<std::vector<Code>> utility_from_diseases(std::span<const Disease> diseases,
                                                     const Dictionary& codes) {
  std::vector<std::vector<Code>> constraints;
  for (const auto& disease : diseases) {
    std::vector<Code> named;
    for (Code code = 0; code < codes.size(); ++code) {
      if (disease.has(codes.value(code))) named.push_back(code);
    }
    if (!named.empty()) constraints.push_back(std::move(named));
  }
  return constraints;
}

CaseCount count_cases(const Disease& disease, const ShownRecords& records) {
  enum class Place { outside, inside, across };
  std::vector<Place> place_of;
  std::vector<bool> used(records.codes_of.size(), false);
  for (const auto item : records.items) used[item] = true;
  CaseCount count;
  for (std::size_t item = 0; item < used.size(); ++item) {
    const auto& codes = records.codes_of[item];
    const auto inside =
        std::count_if(codes.begin(), codes.end(), [&](const auto& c) { return disease.has(c); });
    place_of.push_back(inside == 0                                           ? Place::outside
                       : inside == static_cast<std::ptrdiff_t>(codes.size()) ? Place::inside
                                                                             : Place::across);
    if (used[item] && place_of.back() == Place::across) ++count.across;
  }
  if (std::find(place_of.begin(), place_of.end(), Place::inside) == place_of.end()) return count;
  for (std::size_t s = 0; s < records.patients.size(); ++s) {
    const auto items =
        records.items.subspan(records.first[s], records.first[s + 1] - records.first[s]);
    const bool is_case = std::any_of(items.begin(), items.end(),
                                     [&](auto item) { return place_of[item] == Place::inside; });
    if (is_case) count.cases += records.patients[s];
  }
  return count;
}

ShownRecords shown_in(const CodeSets& sets) {
  ShownRecords records{sets.first, sets.items, sets.counts, {}};
  for (const auto code : sets.codes.values()) records.codes_of.push_back({std::string(code)});
  return records;
}

ShownRecords shown_in(const CodeSets& sets, const Recoding& recoding) {
  ShownRecords records{recoding.first, recoding.items, sets.counts, {}};
  for (const auto& label : recoding.labels) {
    records.codes_of.push_back(label.exact() ? std::vector{label.text} : label.leaves);
  }
  return records;
}

bool usable(const CaseCount& released, const std::optional<CaseCount>& original) {
  return released.across == 0 && released.cases > 0 &&
         (!original || original->cases == released.cases);
}

std::uint64_t gwas_supported(const CodeSets& sets, const Recoding& recoding) {
  const auto before = shown_in(sets);
  const auto after = shown_in(sets, recoding);
  return static_cast<std::uint64_t>(
      std::count_if(gwas_diseases().begin(), gwas_diseases().end(), [&](const auto& disease) {
        return usable(count_cases(disease, after), count_cases(disease, before));
      }));
}

std::uint64_t gwas_supported(const CodeSets& sets, const DisassociatedSets& release) {
  const auto before = shown_in(sets);
  const auto countable = [&](const Disease& disease) {
    std::vector<bool> named;
    for (const auto code : release.codes.values()) named.push_back(disease.has(code));
    const auto has_any = [&](const std::vector<Code>& codes) {
      return std::any_of(codes.begin(), codes.end(), [&](Code code) { return named[code]; });
    };
    CaseCount count;
    const auto look_at = [&](const std::vector<CodeChunk>& chunks) {
      for (const auto& chunk : chunks) {
        count.cases += static_cast<std::uint64_t>(
            std::count_if(chunk.parts.begin(), chunk.parts.end(), has_any));
      }
    };
    for (const auto& joint : release.joints) {
      look_at(joint.shared);
      for (const auto& cluster : joint.clusters) {
        look_at(cluster.chunks);
        if (has_any(cluster.items)) ++count.across;
      }
    }
    return usable(count, count_cases(disease, before));
  };
  return static_cast<std::uint64_t>(
      std::count_if(gwas_diseases().begin(), gwas_diseases().end(), countable));
}

}  // namespace pratique::codes
