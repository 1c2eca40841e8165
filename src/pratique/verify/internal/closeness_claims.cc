// t-closeness: the work of turning the reference distribution into a class's.
//
// All three ground distances are lengths of paths in a tree over the values, and on a tree the
// least work is the sum over its links of cost * |surplus on one side|. Equal: a star, each link
// 1/2. Ordered: a chain, each of the m - 1 links 1/(m - 1). Hierarchical: the hierarchy, each link
// 1/(2 H), so that two leaves that meet at level h are h/H apart.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "pratique/data/date.h"
#include "pratique/data/number.h"
#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"
#include "pratique/verify/internal/release_classes.h"

namespace pratique::verify {
namespace {

using Distribution = std::map<std::string, double, std::less<>>;

Distribution reference_in(const Json& claim, const ReleaseClasses& classes) {
  Distribution reference;
  if (!claim.contains("reference")) {
    double records = 0;
    for (const auto& group : classes.classes) {
      records += group.records;
      for (const auto& [value, count] : group.values[0]) {
        reference[std::string(classes.values(0).value(value))] += count;
      }
    }
    for (auto& [value, share] : reference) share /= records;
    return reference;
  }
  if (!claim["reference"].is_object()) throw malformed("'reference' does not give shares");
  double sum = 0;
  for (const auto& [value, share] : claim["reference"].items()) {
    if (!share.is_number()) throw malformed("'reference' holds something other than shares");
    const auto number = share.get<double>();
    if (!(number >= 0 && number <= 1))
      throw malformed("'reference' contains something that is not a share");
    reference[value] = number;
    sum += number;
  }
  if (std::abs(sum - 1) > kRounding) throw malformed("the shares of 'reference' do not sum to 1");
  return reference;
}

// Whether the released records can be among so many with this distribution: no value has more of
// them than the original has.
bool fits_in(const Json& claim, const Distribution& reference, const ReleaseClasses& classes) {
  if (!claim.contains("records")) return true;
  const double records = number_in(claim, "records");
  std::vector<double> released(classes.values(0).size(), 0);
  for (const auto& group : classes.classes) {
    for (const auto& [value, count] : group.values[0]) released[value] += count;
  }
  for (Code value = 0; value < released.size(); ++value) {
    const double original = reference.find(classes.values(0).value(value))->second * records;
    if (released[value] > original * (1 + kRounding) + kRounding) return false;
  }
  return true;
}

// The work for one class, given p - q by value.
using Work = std::function<double(const std::vector<double>&)>;

// 0 up to the last place, equal numbers (and equal days) in one place.
std::vector<std::uint32_t> places_of(const Json& claim, const std::vector<std::string>& values) {
  std::map<std::string, std::uint32_t> given;
  std::vector<std::uint32_t> places;
  if (claim.contains("order")) {
    for (const auto& value : texts_of(claim["order"], "order")) {
      if (!given.emplace(value, static_cast<std::uint32_t>(given.size())).second) {
        throw malformed("'order' has a value twice");
      }
    }
    for (const auto& value : values) {
      const auto place = given.find(value);
      if (place == given.end()) throw malformed("a value of 'reference' is missing from 'order'");
      places.push_back(place->second);
    }
    if (given.size() != values.size()) throw malformed("'order' has a value too many");
    return places;
  }
  const auto all = [&](const std::function<bool(const std::string&)>& holds) {
    return std::all_of(values.begin(), values.end(),
                       [&](const std::string& value) { return value.empty() || holds(value); });
  };
  std::function<int(const std::string&, const std::string&)> compare;
  if (all([](const std::string& value) { return is_number(value); })) {
    compare = [](const std::string& a, const std::string& b) { return compare_numbers(a, b); };
  } else if (all([](const std::string& value) {
               const auto date = parse_iso_date(value);
               return date && date->day != 0;
             })) {
    compare = [](const std::string& a, const std::string& b) {
      return parse_iso_date(a)->first_day() - parse_iso_date(b)->first_day();
    };
  } else {
    throw malformed("the values are neither numbers nor dates, and there is no 'order'");
  }
  // As many distinct values as come before it; missing comes last.
  std::vector<std::string> sorted = values;
  const auto before = [&](const std::string& a, const std::string& b) {
    if (a.empty() || b.empty()) return !a.empty() && b.empty();
    return compare(a, b) < 0;
  };
  std::sort(sorted.begin(), sorted.end(), before);
  sorted.erase(
      std::unique(sorted.begin(), sorted.end(),
                  [&](const auto& a, const auto& b) { return !before(a, b) && !before(b, a); }),
      sorted.end());
  for (const auto& value : values) {
    places.push_back(static_cast<std::uint32_t>(
        std::lower_bound(sorted.begin(), sorted.end(), value, before) - sorted.begin()));
  }
  return places;
}

Work equal_work() {
  return [](const std::vector<double>& difference) {
    double work = 0;
    for (const double surplus : difference) work += std::abs(surplus) / 2;
    return work;
  };
}

Work ordered_work(const std::vector<std::uint32_t>& places) {
  const std::size_t last = places.empty() ? 0 : *std::max_element(places.begin(), places.end());
  return [places, last](const std::vector<double>& difference) {
    std::vector<double> chain(last + 1, 0);
    for (std::size_t i = 0; i < places.size(); ++i) chain[places[i]] += difference[i];
    double surplus = 0;
    double work = 0;
    for (std::size_t place = 0; place < last; ++place) {
      surplus += chain[place];
      work += std::abs(surplus) / static_cast<double>(last);
    }
    return work;
  };
}

Work hierarchical_work(const Json& claim, const std::vector<std::string>& values) {
  if (!claim.contains("paths")) throw malformed("no paths of the values");
  const Hierarchy tree = tree_of(claim["paths"], "paths");
  std::map<Hierarchy::Node, std::vector<std::size_t>> under;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto leaf = tree.leaf(values[i]);
    if (!leaf) throw malformed("a value of 'reference' is missing from 'paths'");
    for (auto node = *leaf; node != tree.root(); node = tree.parent(node)) under[node].push_back(i);
  }
  const double cost = tree.height() < 2 ? 0 : 0.5 / (tree.height() - 1);
  return [under, cost](const std::vector<double>& difference) {
    double work = 0;
    for (const auto& [node, side] : under) {
      double surplus = 0;
      for (const auto value : side) surplus += difference[value];
      work += cost * std::abs(surplus);
    }
    return work;
  };
}

Work work_of(const Json& claim, const std::vector<std::string>& values) {
  const std::string distance = text_in(claim, "distance");
  if (distance == "equal") return equal_work();
  if (distance == "ordered") return ordered_work(places_of(claim, values));
  if (distance == "hierarchical") return hierarchical_work(claim, values);
  throw malformed("an unknown distance");
}

}  // namespace

ClaimResult check_closeness(const ClaimContext& context) {
  ClaimResult result;
  result.attribute = text_in(context.claim, "sensitive");
  result.required = number_in(context.claim, "t");
  const ReleaseClasses classes = count_classes(context, {result.attribute});
  const Distribution reference = reference_in(context.claim, classes);
  std::vector<std::string> values;
  std::vector<double> shares;
  for (const auto& [value, share] : reference) {
    values.push_back(value);
    shares.push_back(share);
  }
  const Work work = work_of(context.claim, values);

  const Dictionary& released = classes.values(0);
  std::vector<std::size_t> value_of_code;
  for (const auto text : released.values()) {
    const auto place = std::lower_bound(values.begin(), values.end(), text);
    if (place == values.end() || *place != text) {
      result.achieved = std::numeric_limits<double>::infinity();
      result.explanation = fmt::format(
          "'{}' has values that are missing from the reference distribution", result.attribute);
      return result;
    }
    value_of_code.push_back(static_cast<std::size_t>(place - values.begin()));
  }
  if (!fits_in(context.claim, reference, classes)) {
    result.achieved = std::numeric_limits<double>::infinity();
    result.explanation = fmt::format(
        "'{}' has more records of a value than the reference distribution", result.attribute);
    return result;
  }
  result.achieved = classes.largest(0, [&](const ReleaseClass& group) {
    std::vector<double> difference(shares.size());
    for (std::size_t i = 0; i < shares.size(); ++i) difference[i] = -shares[i];
    for (const auto& [value, count] : group.values[0]) {
      difference[value_of_code[value]] += count / group.records;
    }
    return work(difference);
  });
  result.holds = result.achieved <= result.required + kRounding;
  result.explanation = fmt::format(
      "the class farthest from the whole table in '{}' is at distance {:.4g}, {:.4g} is allowed",
      result.attribute, result.achieved, result.required);
  return result;
}

}  // namespace pratique::verify
