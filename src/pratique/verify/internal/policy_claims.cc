// Policies over released sets of codes, from their definition.
//
// An item of a record is a code, or the codes in (493.00|493.01). Of a privacy constraint, the
// codes that no record of the file covers tell nothing; the others must be covered together by at
// least k patients, or by none. A code is in one item, the same in all records: else records of one
// wide set would cover every constraint, and hide nobody whose codes stand beside them. A released
// set must have all or none of its codes in each utility constraint.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "pratique/core/file.h"
#include "pratique/core/guarded_file.h"
#include "pratique/crypto/hash.h"
#include "pratique/data/code_constraints.h"
#include "pratique/engine/code_sets_reader.h"
#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"

namespace pratique::verify {
namespace {

using Texts = std::vector<std::string>;

// The codes of an item: those that the claim lists for it, or those in its brackets.
Texts codes_of(std::string_view item, const Json& claim) {
  if (claim.contains("labels") && claim["labels"].contains(std::string(item)))
    return texts_of(claim["labels"][std::string(item)], "labels");
  if (item.size() < 2 || item.front() != '(' || item.back() != ')') return {std::string(item)};
  item = item.substr(1, item.size() - 2);
  Texts codes;
  for (std::size_t at = 0; at <= item.size();) {
    const auto bar = std::min(item.find('|', at), item.size());
    codes.emplace_back(item.substr(at, bar - at));
    at = bar + 1;
  }
  return codes;
}

std::vector<Texts> lists_in(const Json& claim, const char* key) {
  if (!claim.contains(key) || !claim[key].is_array()) throw malformed(fmt::format("no '{}'", key));
  std::vector<Texts> lists;
  for (const auto& list : claim[key]) {
    lists.push_back(texts_of(list, key));
    if (lists.back().empty()) throw malformed(fmt::format("an empty constraint of '{}'", key));
  }
  return lists;
}

// By item of the file.
std::vector<Texts> items_in(const CodeSets& release, const Json& claim) {
  std::vector<Texts> items;
  for (const auto item : release.codes.values()) {
    items.push_back(codes_of(item, claim));
    if (items.back().empty()) throw malformed("a label without codes");
  }
  return items;
}

// Of what an adversary may know: in a file of its own, since it may be what patients have.
// Manifests of before have it in the claim. Nothing where the file is another than the claim's.
std::optional<std::vector<Texts>> privacy_in(const Json& claim) {
  if (!claim.contains("privacy") || !claim["privacy"].is_object())
    return lists_in(claim, "privacy");
  const std::string path = text_in(claim["privacy"], "path");
  refuse_recorded_device(path);
  const std::string text = read_file(path);
  if (sha256_hex(text) != text_in(claim["privacy"], "sha256")) return std::nullopt;
  std::vector<Texts> lists;
  for (const auto& constraint : parse_code_constraints(text, path)) {
    lists.emplace_back();
    for (const auto& member : constraint.codes) lists.back().push_back(member.code);
  }
  return lists;
}

// A bit for each distinct record of the file, by code.
class CoverBits {
 public:
  CoverBits(const CodeSets& release, const std::vector<Texts>& codes)
      : release_(release), words_(release.size() / 64 + 1) {
    for (std::size_t s = 0; s < release.size(); ++s) {
      for (const Code item : release.set(s)) {
        for (const auto& code : codes[item]) {
          auto& bits = bits_[code];
          bits.resize(words_);
          bits[s / 64] |= std::uint64_t{1} << (s % 64);
        }
      }
    }
  }

  // The codes of the constraint that are covered at all.
  [[nodiscard]] Texts visible(const Texts& constraint) const {
    Texts codes;
    for (const auto& code : constraint) {
      if (bits_.contains(code)) codes.push_back(code);
    }
    return codes;
  }
  [[nodiscard]] std::uint64_t patients(const Texts& codes) const {
    if (codes.empty()) return 0;
    std::vector<std::uint64_t> common(words_, ~std::uint64_t{0});
    for (const auto& code : codes) {
      const auto& bits = bits_.at(code);
      for (std::size_t w = 0; w < words_; ++w) common[w] &= bits[w];
    }
    std::uint64_t patients = 0;
    for (std::size_t s = 0; s < release_.size(); ++s) {
      if (((common[s / 64] >> (s % 64)) & 1U) != 0) patients += release_.counts[s];
    }
    return patients;
  }

 private:
  const CodeSets& release_;
  std::size_t words_;
  std::map<std::string, std::vector<std::uint64_t>> bits_;
};

// A code that several items of the file cover; empty when there is none.
std::string in_two_items(const std::vector<Texts>& items) {
  std::set<std::string> covered;
  for (const auto& codes : items) {
    for (const auto& code : codes) {
      if (!covered.insert(code).second) return code;
    }
  }
  return {};
}

// The first released set with codes inside and outside a constraint; empty when there is none.
std::string crossing(const CodeSets& release, const std::vector<Texts>& items,
                     const std::vector<Texts>& utility) {
  std::map<std::string, std::set<std::size_t>> named_by;
  for (std::size_t u = 0; u < utility.size(); ++u) {
    for (const auto& code : utility[u]) named_by[code].insert(u);
  }
  for (Code item = 0; item < items.size(); ++item) {
    const auto& codes = items[item];
    const bool fine = std::all_of(codes.begin(), codes.end(), [&](const auto& code) {
      return named_by[code] == named_by[codes.front()];
    });
    if (!fine) return std::string(release.codes.value(item));
  }
  return {};
}

}  // namespace

ClaimResult check_policy(const ClaimContext& context) {
  const Json& claim = context.claim;
  const auto k = static_cast<std::uint64_t>(whole_in(claim, "k"));
  const auto utility = lists_in(claim, "utility");
  const auto policy = privacy_in(claim);
  ClaimResult result;
  result.required = static_cast<double>(k);
  if (!policy) {
    result.explanation = "the privacy policy at its recorded path is not the one that was claimed";
    return result;
  }
  const auto& privacy = *policy;
  if (privacy.empty()) throw malformed("a policy without a privacy constraint");
  const bool sets_form = context.release.format == FileFormat::sets;
  const CodeSets release =
      read_code_sets(context.engine, context.release, sets_form ? "" : text_in(claim, "patient"),
                     sets_form ? "" : text_in(claim, "code"), context.progress);

  const std::vector<Texts> items = items_in(release, claim);
  if (const auto code = in_two_items(items); !code.empty()) {
    result.explanation = fmt::format("the code {} is in several items", code);
    return result;
  }
  result.achieved = std::numeric_limits<double>::infinity();
  const CoverBits cover(release, items);
  Texts worst;
  context.progress.begin("counting constraints", privacy.size());
  for (const auto& constraint : privacy) {
    context.progress.advance(1);
    const auto codes = cover.visible(constraint);
    const auto patients = static_cast<double>(cover.patients(codes));
    if (patients == 0 || patients >= result.achieved) continue;
    result.achieved = patients;
    worst = codes;
  }
  const std::string across = crossing(release, items, utility);
  result.holds = result.achieved >= result.required && across.empty();
  if (result.achieved < result.required) {
    result.explanation =
        fmt::format("the codes {{{}}} of a constraint match {} patient{}, fewer than {}",
                    fmt::join(worst, ", "), result.achieved, result.achieved == 1 ? "" : "s", k);
  } else if (!across.empty()) {
    result.explanation = fmt::format("the set {} crosses a utility constraint", across);
  } else {
    result.explanation = fmt::format(
        "each of {} privacy constraints matches at least {} patients, or none{}", privacy.size(), k,
        utility.empty()
            ? ""
            : fmt::format("; no set crosses one of {} utility constraints", utility.size()));
  }
  return result;
}

}  // namespace pratique::verify
