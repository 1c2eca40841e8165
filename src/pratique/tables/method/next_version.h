// The next version of a table that was released before, such that nobody learns from the difference
// (fusion/differencing.h). After m-invariance (Xiao and Tao 2007), with records that wait in the
// place of counterfeits.
//
// All versions are generalised to the same levels, so that a class of one is the same class of
// another, or shares nobody with it. Let a be the values of a class in an earlier version and r
// those in this one, both with repetitions. Whoever knows who joined and who left knows
//
//   kept    min(a, r)   values of people who are in both
//   gained  r - a       values of those who joined
//   lost    a - r       values of those who left
//
// Each of the three must be of nobody, or of at least k people with at least l distinct values: the
// same as is asked of a class, and two values of those who joined or left where no model asks for
// any. It is asked of every sensitive column by itself and, for k, of all of them together.
//
// Records that would break this wait, like suppressed ones: they do not leave. Of a class with the
// values c now, the first of these leaves that satisfies this against all earlier versions, and the
// models: c; for each earlier version, the latest first, min(a, c); the same without some more, so
// that those who left are not too few; what c has in common with all; nothing. Nothing always
// satisfies it: then a class of the earlier version is lost that was safe as a class.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pratique/tables/model/model.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

using Cells = std::vector<std::string>;
// How many people have each combination of sensitive values.
using ValuesOfClass = std::map<Cells, std::uint64_t>;
// By the cells of the quasi-identifiers.
using EarlierVersion = std::map<Cells, ValuesOfClass>;

struct EarlierVersions {
  std::vector<EarlierVersion> versions = {};  // the latest last
  std::vector<int> levels = {};               // of all of them, beside the attributes
  std::vector<const Column*> sensitive = {};  // by group of the input
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
