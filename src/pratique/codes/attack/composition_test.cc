#include "pratique/codes/attack/composition.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "pratique/codes/attack/attack.h"

namespace pratique::codes::composition_test {
namespace {

using Set = std::set<std::string>;

CodeSets sets_of(const std::vector<Set>& patients) {
  std::string text;
  for (const auto& patient : patients) {
    for (const auto& code : patient) text += code + " ";
    text += "\n";
  }
  return parse_code_sets(text, "test");
}

// A release as a person would read it: records of items, and what items mean.
struct Release {
  std::vector<Set> records;
  std::map<std::string, Set> meaning = {};  // of labels

  [[nodiscard]] Set covered(const std::string& item) const {
    const auto label = meaning.find(item);
    return label == meaning.end() ? Set{item} : label->second;
  }
  [[nodiscard]] Set covered(const Set& record) const {
    Set all;
    for (const auto& item : record) all.merge(covered(item));
    return all;
  }
  [[nodiscard]] Set shown() const {
    Set all;
    for (const auto& record : records) all.merge(covered(record));
    return all;
  }
  // Whether the release may have made the record of this set: every code that it shows at all is
  // covered, and every item has a code.
  [[nodiscard]] bool made_of(const Set& record, const Set& codes) const {
    const Set all = covered(record);
    const Set visible = shown();
    for (const auto& code : codes) {
      if (visible.contains(code) && !all.contains(code)) return false;
    }
    return std::all_of(record.begin(), record.end(), [&](const auto& item) {
      const Set under = covered(item);
      return std::any_of(under.begin(), under.end(),
                         [&](const auto& code) { return codes.contains(code); });
    });
  }
  [[nodiscard]] ComposedRelease composed() const {
    ComposedRelease release{sets_of(records), {}};
    for (const auto& [label, codes] : meaning) release.labels[label] = {codes.begin(), codes.end()};
    return release;
  }
};

const std::vector<std::string> kCodes = {"a", "b", "c", "d"};

std::vector<Set> all_sets() {
  std::vector<Set> sets;
  for (unsigned bits = 0; bits < 16; ++bits) {
    Set set;
    for (unsigned c = 0; c < 4; ++c) {
      if ((bits >> c & 1U) != 0) set.insert(kCodes[c]);
    }
    sets.push_back(set);
  }
  return sets;
}

// The definition, by trying every set of codes: two records agree when one set can have become
// both.
struct Truth {
  std::uint64_t fewest = 0;
  bool disclosed = false;
  bool located = true;
};

Truth brute_force(const std::vector<Release>& releases, const Set& known) {
  std::vector<std::vector<Set>> candidates;
  for (const auto& release : releases) {
    const Set visible = release.shown();
    auto& matches = candidates.emplace_back();
    for (const auto& record : release.records) {
      const Set covered = release.covered(record);
      if (std::all_of(known.begin(), known.end(), [&](const auto& code) {
            return !visible.contains(code) || covered.contains(code);
          }))
        matches.push_back(record);
    }
  }
  const auto agree = [&](std::size_t j, const Set& r, std::size_t i, const Set& s) {
    const auto sets = all_sets();
    return std::any_of(sets.begin(), sets.end(), [&](const Set& codes) {
      return releases[j].made_of(r, codes) && releases[i].made_of(s, codes);
    });
  };
  Truth truth;
  for (const auto& records : candidates) truth.located = truth.located && !records.empty();
  if (!truth.located) return truth;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t j = 0; j < releases.size(); ++j) {
      changed = std::erase_if(
                    candidates[j],
                    [&](const Set& r) {
                      for (std::size_t i = 0; i < releases.size(); ++i) {
                        if (i != j && std::none_of(candidates[i].begin(), candidates[i].end(),
                                                   [&](const Set& s) { return agree(j, r, i, s); }))
                          return true;
                      }
                      return false;
                    }) > 0 ||
                changed;
    }
  }
  truth.fewest = candidates[0].size();
  for (const auto& records : candidates)
    truth.fewest = std::min<std::uint64_t>(truth.fewest, records.size());
  for (std::size_t j = 0; j < releases.size(); ++j) {
    for (const auto& code : kCodes) {
      if (known.contains(code) || candidates[j].empty()) continue;
      const bool always =
          std::all_of(candidates[j].begin(), candidates[j].end(), [&](const Set& r) {
            Set left;
            for (const auto& other : kCodes) {
              const auto allows = [&](std::size_t i, const Set& s) {
                return releases[i].covered(s).contains(other) ||
                       !releases[i].shown().contains(other);
              };
              bool everywhere = allows(j, r);
              for (std::size_t i = 0; i < releases.size(); ++i) {
                if (i == j) continue;
                everywhere = everywhere && std::any_of(candidates[i].begin(), candidates[i].end(),
                                                       [&](const Set& s) {
                                                         return agree(j, r, i, s) && allows(i, s);
                                                       });
              }
              if (everywhere) left.insert(other);
            }
            return std::any_of(r.begin(), r.end(), [&](const auto& item) {
              Set under = releases[j].covered(item);
              std::erase_if(under, [&](const auto& other) { return !left.contains(other); });
              return under == Set{code};
            });
          });
      truth.disclosed = truth.disclosed || always;
    }
  }
  return truth;
}

CodeComposition found_in(const std::vector<Release>& releases, const std::vector<Set>& people,
                         const CompositionQuestion& question) {
  std::vector<ComposedRelease> composed;
  for (const auto& release : releases) composed.push_back(release.composed());
  return compose(composed, sets_of(people), question, Progress::silent());
}

// A release by a partition of the codes, some of them suppressed.
Release release_of(const std::vector<Set>& patients, const std::vector<int>& part_of) {
  Release release;
  const char* names[] = {"P", "Q", "R"};
  const auto item_of = [&](const std::string& code) -> std::string {
    const int part = part_of[static_cast<std::size_t>(code[0] - 'a')];
    return part == 3 ? code : part == 4 ? "" : names[part];
  };
  for (const auto& code : kCodes) {
    const std::string item = item_of(code);
    if (!item.empty() && item != code) release.meaning[item].insert(code);
  }
  for (const auto& patient : patients) {
    Set record;
    for (const auto& code : patient) record.insert(item_of(code));
    record.erase("");
    if (!record.empty()) release.records.push_back(record);
  }
  return release;
}

RC_GTEST_PROP(CodeComposition, IsWhatTryingEverySetSays, ()) {
  const auto sets = all_sets();
  const auto count = *rc::gen::inRange<std::size_t>(1, 7);
  std::vector<Set> patients;
  for (std::size_t p = 0; p < count; ++p) patients.push_back(sets[*rc::gen::inRange(1, 16)]);
  std::vector<Release> releases;
  const auto how_many = *rc::gen::inRange<std::size_t>(1, 4);
  for (std::size_t j = 0; j < how_many; ++j) {
    std::vector<int> part_of;
    for (int c = 0; c < 4; ++c) part_of.push_back(*rc::gen::inRange(0, 5));
    releases.push_back(release_of(patients, part_of));
    RC_PRE(!releases.back().records.empty());
  }
  const std::uint64_t k = *rc::gen::inRange<std::uint64_t>(1, 4);
  std::uint64_t under = 0;
  std::uint64_t disclosed = 0;
  std::uint64_t fewest = count;
  for (const auto& patient : patients) {
    const Truth truth = brute_force(releases, patient);
    const Truth alone = brute_force({releases[0]}, patient);
    if (!truth.located || truth.fewest == 0) RC_DISCARD("a patient who left no record");
    under += truth.fewest < k ? 1 : 0;
    disclosed += truth.disclosed || alone.disclosed ? 1 : 0;
    fewest = std::min(fewest, truth.fewest);
  }
  const auto composition = found_in(releases, patients, {.k = k});
  const auto people = static_cast<double>(count);
  RC_ASSERT(composition.people == count);
  RC_ASSERT(composition.located == 1);
  RC_ASSERT(composition.contradicted == 0);
  RC_ASSERT(composition.k_across == fewest);
  RC_ASSERT(composition.under_k == static_cast<double>(under) / people);
  RC_ASSERT(composition.disclosed == static_cast<double>(disclosed) / people);
  RC_ASSERT(composition.disclosed >= composition.disclosed_alone);
  RC_ASSERT(composition.k_across <= composition.k_alone);
}

// Of two releases, one shows a and b as one item, the other a and e. Whoever knows a finds four
// candidates in either: the patients with b and d are among them in the first, those with c and e
// in the second. The second shows d elsewhere, and so no candidate of it has d: the patients with b
// and d are ruled out, and all who are left have c.
TEST(CodeComposition, TwoReleasesTellWhatNeitherDoes) {
  const Release first = {{{"Q", "c"}, {"Q", "c"}, {"Q", "d"}, {"Q", "d"}, {"c", "e"}, {"c", "e"}},
                         {{"Q", {"a", "b"}}}};
  const Release second = {{{"R", "c"}, {"R", "c"}, {"b", "d"}, {"b", "d"}, {"R", "c"}, {"R", "c"}},
                          {{"R", {"a", "e"}}}};
  const auto alone = found_in({first}, {{"a"}}, {.k = 4});
  EXPECT_EQ(alone.k_across, 4U);
  EXPECT_EQ(alone.under_k, 0);
  EXPECT_EQ(found_in({second}, {{"a"}}, {.k = 4}).k_across, 4U);
  const auto both = found_in({first, second}, {{"a"}}, {.k = 4});
  EXPECT_EQ(both.k_alone, 4U);
  EXPECT_EQ(both.k_across, 2U);
  EXPECT_EQ(both.under_k, 1);
  EXPECT_EQ(both.disclosed_alone, 0);
  EXPECT_EQ(both.disclosed, 1);
}

// The item P = {b, c} of the first release and Q = {b, d} of the second leave b alone.
TEST(CodeComposition, ItemsThatShareOneCodeDiscloseIt) {
  const Release first = {{{"a", "P"}, {"a", "P"}}, {{"P", {"b", "c"}}}};
  const Release second = {{{"a", "Q"}, {"a", "Q"}}, {{"Q", {"b", "d"}}}};
  const std::vector<Set> people = {{"a"}, {"a"}};
  EXPECT_EQ(found_in({first}, people, {}).disclosed, 0);
  // The second release does not show c, which may have been suppressed.
  EXPECT_EQ(found_in({first, second}, people, {}).disclosed, 0);
  Release shows_c = second;
  shows_c.records.push_back({"c"});
  const auto certain = found_in({first, shows_c}, people, {});
  EXPECT_EQ(certain.disclosed_alone, 0);
  EXPECT_EQ(certain.disclosed, 1);
  EXPECT_EQ(found_in({first, shows_c}, people, {.sensitive = {"c"}}).disclosed, 0);
}

TEST(CodeComposition, WhoIsInNoReleaseOfSomeIsLookedForInTheOthers) {
  const Release first = {{{"a", "b"}, {"c"}}};
  const Release second = {{{"a", "c"}, {"b", "d"}}};
  // a and b: one record of the first, none of the second.
  const auto composition = found_in({first, second}, {{"a", "b"}}, {.k = 2});
  EXPECT_EQ(composition.located, 0);
  EXPECT_EQ(composition.located_in, (std::vector<double>{1, 0}));
  EXPECT_EQ(composition.under_k, 1);
  // a alone: {a, b} and {a, c} contradict each other; the first release counts.
  const auto contradicted = found_in({first, second}, {{"a"}}, {.k = 2});
  EXPECT_EQ(contradicted.contradicted, 1);
  EXPECT_EQ(contradicted.k_across, 1U);
  EXPECT_EQ(contradicted.disclosed, 1);
}

// Every code is two patients', so that a and b are known, whatever order people stand in: c, which
// the release does not show, would tell nothing.
TEST(CodeComposition, OfEquallyRareCodesTheFirstByNameIsKnown) {
  for (const char* text : {"a b\nb c\nc a\n", "b c\nc a\na b\n", "c a\nb c\na b\n"}) {
    const CodeSets people = parse_code_sets(text, "people");
    std::vector<ComposedRelease> releases(1);
    releases[0].records = parse_code_sets("a b\nb\na\n", "release");
    EXPECT_EQ(compose(releases, people, {.known = 1, .k = 3}, Progress::silent()).under_k, 1)
        << text;
    std::vector<bool> kept(people.codes.size(), true);
    kept[*people.codes.find("c")] = false;
    const SearchableRelease release(people, recode_by_suppression(people, nullptr, kept));
    EXPECT_EQ(expose(release, people, 3, 1, Progress::silent()).matched_under_k, 3U) << text;
  }
}

}  // namespace
}  // namespace pratique::codes::composition_test
