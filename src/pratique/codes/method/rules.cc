#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/codes/method/internal/rule_groups.h"
#include "pratique/codes/method/rule_methods.h"

namespace pratique::codes {
namespace {

// Two halves, so that the utility loss of both, about 2^size times the patients, grows the least:
// the two most frequent codes part, and the others follow one by one.
std::pair<std::vector<Code>, std::vector<Code>> halves(const RuleGroups& groups,
                                                       std::vector<Code> codes) {
  std::sort(codes.begin(), codes.end(), [&](Code a, Code b) {
    return groups.support(a) != groups.support(b) ? groups.support(a) > groups.support(b) : a < b;
  });
  std::pair<std::vector<Code>, std::vector<Code>> parts;
  double first = 0;
  double second = 0;
  const auto log_loss = [](std::size_t size, double patients) {
    return static_cast<double>(size) + std::log2(patients + 1);
  };
  for (const Code code : codes) {
    const auto patients = static_cast<double>(groups.support(code));
    if (log_loss(parts.first.size(), first + patients) <=
        log_loss(parts.second.size(), second + patients)) {
      parts.first.push_back(code);
      first += patients;
    } else {
      parts.second.push_back(code);
      second += patients;
    }
  }
  return parts;
}

Code rarest(const RuleGroups& groups, const std::vector<Code>& codes) {
  return *std::min_element(codes.begin(), codes.end(), [&](Code a, Code b) {
    return groups.support(a) != groups.support(b) ? groups.support(a) < groups.support(b) : a < b;
  });
}

// Codes leave the set one by one, the frequent ones first, where the rules stand no worse.
void free_codes(RuleGroups& groups, std::vector<Code> codes) {
  std::sort(codes.begin(), codes.end(), [&](Code a, Code b) {
    return groups.support(a) != groups.support(b) ? groups.support(a) > groups.support(b) : a < b;
  });
  for (const Code code : codes) {
    const auto together = groups.members(groups.group_of(code));
    if (together.size() < 2) return;
    const double before = groups.deficit();
    groups.join({code});
    if (groups.deficit() > before) groups.join(together);
  }
}

}  // namespace

Recoding protect_rules_top_down(const Task& task, Progress& progress) {
  RuleGroups groups(task);
  if (!groups.public_codes().empty()) groups.join(groups.public_codes());
  std::vector<std::vector<Code>> open = {groups.public_codes()};
  progress.begin("splitting sets of codes", groups.public_codes().size());
  while (!open.empty()) {
    const auto codes = std::move(open.back());
    open.pop_back();
    if (codes.size() < 2) {
      progress.advance(codes.size());
      continue;
    }
    const double before = groups.deficit();
    auto [first, second] = halves(groups, codes);
    groups.join(first);
    if (groups.deficit() <= before) {
      open.push_back(std::move(first));
      open.push_back(std::move(second));
      continue;
    }
    groups.join(codes);
    free_codes(groups, codes);
    progress.advance(codes.size());
  }
  for (auto left = groups.left_of_broken_rule(); !left.empty();
       left = groups.left_of_broken_rule()) {
    groups.suppress(rarest(groups, left));
  }
  return groups.recoding();
}

Recoding protect_rules_bottom_up(const Task& task, Progress& progress) {
  RuleGroups groups(task);
  progress.begin("merging codes", task.parameters.rules.size());
  while (true) {
    const auto left = groups.left_of_broken_rule();
    if (left.empty()) break;
    const double before = groups.deficit();
    double best = 0;
    std::vector<Code> merged;
    const auto all = groups.groups();
    for (const auto& group : all) {
      if (std::none_of(left.begin(), left.end(), [&](Code code) {
            return std::binary_search(group.begin(), group.end(), code);
          })) {
        continue;
      }
      for (const auto& other : all) {
        if (other == group) continue;
        auto both = group;
        both.insert(both.end(), other.begin(), other.end());
        groups.join(both);
        const double gain = before - groups.deficit();
        groups.join(other);
        groups.join(group);
        const double score =
            gain / (1e-9 + groups.loss(both) - groups.loss(group) - groups.loss(other));
        if (score > best) {
          best = score;
          merged = std::move(both);
        }
      }
    }
    if (merged.empty()) {
      groups.suppress(rarest(groups, left));
    } else {
      groups.join(merged);
    }
    progress.advance(1);
  }
  return groups.recoding();
}

}  // namespace pratique::codes
