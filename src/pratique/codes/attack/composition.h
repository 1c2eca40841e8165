// What releases of the same patients' codes reveal together to whoever knows a few codes of a
// patient: the composition attack (Ganta et al. 2008) for sets.
//
// A released item stands for a non-empty subset of the codes it covers; a code that a release shows
// in no record was suppressed there, and its absence says nothing. Patients have no name and no
// number that two releases share. T is the patient's set, unknown but for the known codes K.
//
//   1. C_j: the records of release j that cover all of K (attack.h).
//   2. A record r allows the codes that it covers and those that its release does not show. Records
//      of two releases agree when every item of each covers a code that the other allows: then,
//      and only then, some set of codes can have become both.
//   3. A record of C_j that agrees with no record of some C_i leaves C_j, and again, until nothing
//      leaves. What is left are the candidates after all releases were seen.
//   4. If r is the patient's, T lies within A(r): what r allows and, for each other release, what
//      some candidate allows that agrees with r. A code x that is not in K is certain when, in some
//      release, every candidate r has an item that covers x and nothing else of A(r).
//
// None of it rules out the truth, as long as the patient is in all releases with the same codes.
// Records are compared two by two and each patient by itself, so an adversary who solves the whole
// puzzle may rule out more.
//
// K are the m rarest codes of each patient, as in expose().
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/codes/released_labels.h"
#include "pratique/core/progress.h"
#include "pratique/data/code_sets.h"

namespace pratique::codes {

struct ComposedRelease {
  CodeSets records;
  ReleasedLabels labels = {};
};

struct CompositionQuestion {
  std::size_t known = ~std::size_t{0};      // m; all codes unless said
  std::uint64_t k = 2;                      // promised
  std::vector<std::string> sensitive = {};  // that may be certain; empty: any code
};

struct CodeComposition {
  std::uint64_t people = 0;
  // Shares of the people.
  double located = 0;              // with candidates in every release
  std::vector<double> located_in;  // by release
  double together = 0;             // with candidates in more than one release
  double contradicted = 0;         // nobody is left: not in all releases, or with other codes
  double disclosed_alone = 0;      // a code is certain by the first release
  double disclosed = 0;            // by all, or by the first alone
  double vulnerable = 0;           // fewer codes can be theirs than by any one release
  double under_k = 0;              // in some release 1 to k - 1 candidates are left
  // Codes beside K that candidates of every release allow: mean over those with candidates left.
  double codes_left = 0;
  std::uint64_t k_alone = 0;   // the fewest candidates in the first release
  std::uint64_t k_across = 0;  // the fewest that are left, in any release
};

// The codes that an item stands for; none where it stands for any.
[[nodiscard]] std::vector<std::string> meaning_of(std::string_view item,
                                                  const ComposedRelease& release);

// Who is in some of the releases is looked for in these; somebody contradicted counts by the first
// release alone. The first is the one whose own figures are given.
[[nodiscard]] CodeComposition compose(const std::vector<ComposedRelease>& releases,
                                      const CodeSets& people, const CompositionQuestion& question,
                                      Progress& progress);

}  // namespace pratique::codes
