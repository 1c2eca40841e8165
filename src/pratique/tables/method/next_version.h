// The next version of a table that was released before, such that nobody learns from the difference
// (fusion/differencing.h). After m-invariance (Xiao and Tao 2007), with records that wait in the
// place of counterfeits.
//
// All versions are generalised to the same levels, so that a class of one is the same class of
// another, or shares nobody with it. A class grows by people or stays as it was: let a be its
// values in an earlier version and r those in this one, both with repetitions. Then
//
//   lost    a - r       is nobody's, or the class does not leave at all
//   gained  r - a       is nobody's, or of at least k people with at least l distinct values: the
//                       same as is asked of a class, and two values where no model asks for any
//
// It is asked of every sensitive column by itself and, for k, of all of them together, with how
// many rows a person has where several may be theirs: who came again is another than before. So
// what versions show of a class is a chain, each of its steps safe by itself, and whatever is added
// and subtracted over all of them is made of such steps. Were classes to shrink as well, three
// versions could tell of one person what no two of them do: of a and b, then a, b and c, then a and
// c, the first and the third less the second are a.
//
// Records that would break this wait, like suppressed ones: they do not leave. Of a class with the
// values c now, the first of these leaves that satisfies this against all earlier versions, and the
// models: c; for each earlier version, the latest first, what c has of it; nothing.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pratique/tables/model/model.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

using Cells = std::vector<std::string>;
// How many people have each combination of sensitive values, as they are written: a record that is
// spelt otherwise in the next version is another's. Where people have several rows, their number
// stands behind the values.
using ValuesOfClass = std::map<Cells, std::uint64_t>;
// By the cells of the quasi-identifiers.
using EarlierVersion = std::map<Cells, ValuesOfClass>;

struct EarlierVersions {
  std::vector<EarlierVersion> versions = {};  // the latest last
  std::vector<int> levels = {};               // of all of them, beside the attributes
  std::vector<const Column*> sensitive = {};  // by group of the input
  const Column* rows = nullptr;               // by group: of a person; null where each has one
  std::uint64_t k = 2;
  std::vector<std::uint64_t> l = {};  // beside `sensitive`
};

// Whether a class may have these values now, after it had those before.
[[nodiscard]] bool may_follow(const ValuesOfClass& before, const ValuesOfClass& now,
                              const EarlierVersions& earlier);

struct NextVersion {
  Recoding recoding;
  std::uint64_t waiting = 0;  // of the suppressed, those that satisfy the models
};
[[nodiscard]] NextVersion next_version(const ProtectionInput& input, const Models& models,
                                       const EarlierVersions& earlier);

}  // namespace pratique::tables
