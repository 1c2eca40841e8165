// The attack on independent releases (Ganta 2009, chapter 3, algorithm 1; Ganta, Kasiviswanathan
// and Smith 2008): whoever is in several releases has a class in each, and only the sensitive
// values that all of these classes hold can be theirs.
//
//   1. R_1, ..., R_n are releases, of any tools, methods and columns; P are people who are in all
//      of them, known by their raw quasi-identifiers.
//   2. For each person i and release j: e_ij, the rows that may be i's (composition_location.h),
//   and
//      s_ij, the distinct sensitive values of these rows (composed_values.h).
//   3. S_i is the intersection of the s_ij.
//
// Figures, after section 3.3:
//   effective anonymity  prior |s_ij|, posterior |S_i| (definition 8)
//   drop                 min over j of |s_ij|, less |S_i|; vulnerable are those with a drop above 0
//   ideal drop           the same from the ideal anonymity of definition 7, which is k_j, the size
//                        of the smallest class of R_j: min over j of k_j, less |S_i|. Negative
//                        where a release offers more than it promised: classes larger than k may
//                        hold more than k values. (The thesis says that drops from presumed
//                        anonymity are always larger; by its own definitions they need not be.)
//   confidence           1 / |S_i| (definition 9); breach at C: the share of P with at least C
//   perfect breach       |S_i| = 1. What is left may be '*' or only what no cell names: that is
//   none. correct              of those with a perfect breach, the share whose value is the true
//   one.
// Shares are of all of P; means are over those who were located in every release and for whom some
// value is left. Nothing is left (contradicted) when somebody is not in all releases, was located
// wrongly, or has different values in them.
//
// A release whose sensitive column left through a published operator rules no value out
// (randomised_column.h); it counts by frequencies alone.
//
// Beyond the thesis: the posterior by frequencies, also when it is not known whether a target is in
// a release (composition_posterior.h).
//
// Cost: targets are grouped by what they look like in each release, classes are found through an
// index, and every combination of classes is intersected once.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/data/table.h"
#include "pratique/fusion/composed_values.h"
#include "pratique/fusion/composition_location.h"
#include "pratique/fusion/randomised_column.h"
#include "pratique/tables/attack/assess.h"

namespace pratique::fusion {

struct ComposedRelease {
  std::string name;
  CountedTable table;
  Locating locating = Locating::automatic;
  double presence = 1;                   // the probability that a target is in it
  tables::Hierarchies hierarchies = {};  // of its quasi-identifiers
  std::optional<RandomisedColumn> randomised =
      {};  // its sensitive column, where chance was at work
};

struct CompositionOptions {
  std::vector<std::string> quasi_identifiers;  // a release uses those that it has
  std::string sensitive;                       // a column of every release
  const Hierarchy* sensitive_hierarchy = nullptr;
  std::optional<std::string> truth;     // a column of the targets
  std::optional<double> strength = {};  // of the prior; fitted when not given
};

inline constexpr std::array<double, 4> kConfidences = {1, 0.5, 0.333, 0.25};

struct Composition {
  struct Release {
    std::string name;
    std::vector<std::string> columns;  // by which targets were located
    Locating by = Locating::containing;
    std::uint64_t rows = 0;
    std::uint64_t classes = 0;
    std::uint64_t k = 0;        // rows of its smallest class
    double located = 0;         // share of the targets
    double candidates = 0;      // rows that may be a target's: mean over those measured
    double prior = 0;           // effective anonymity: mean over the same
    double perfect_breach = 0;  // share of the targets, by this release alone
  };
  // By frequencies. Over all targets for whom something can be believed.
  struct Bayes {
    double strength = 0;
    double believed = 0;                   // share of the targets
    std::array<double, 4> breach_at = {};  // share of the targets with so large a probability
    double confidence = 0;                 // mean of the largest probability
    std::optional<double> correct;         // share of best guesses that are right
    struct Bin {
      double from = 0;
      std::uint64_t targets = 0;
      double confidence = 0;  // mean
      double correct = 0;     // share
    };
    std::vector<Bin> calibration;  // ten, by the largest probability; only with the truth
  };
  // What is found of one target. Targets that fall into the same classes share it.
  struct Finding {
    std::uint32_t left = 0;   // |S_i|; 0 when not located everywhere, or contradicted
    bool located = false;     // in every release
    Value only = kNoValue;    // of a perfect breach
    std::uint32_t prior = 0;  // min over j of |s_ij|; 0 when not located
    Value guess = kNoValue;   // the most probable
    double probability = 0;   // of the guess
  };

  std::vector<Release> releases;
  std::uint64_t targets = 0;
  double located = 0;
  double contradicted = 0;  // share of the targets
  double perfect_breach = 0;
  double vulnerable = 0;
  std::array<double, 4> breach_at = {};
  double posterior = 0;  // effective anonymity
  double mean_drop = 0;
  double ideal_drop = 0;
  double entropy_of_sensitive = 0;  // bits, over the rows of all releases
  std::optional<double> correct;    // none without truth or without a breach
  bool judged = false;              // whether there was a truth
  Bayes bayes;

  std::vector<Finding> findings;
  std::vector<std::uint32_t> finding_of;  // by target

  [[nodiscard]] const Finding& of(std::size_t target) const { return findings[finding_of[target]]; }
};

// `targets` holds the quasi-identifiers as they are in the original tables. Throws Error when a
// release lacks the sensitive column or all quasi-identifiers.
[[nodiscard]] Composition compose(std::span<const ComposedRelease> releases, const Table& targets,
                                  const CompositionOptions& options,
                                  Progress& progress = Progress::silent());

[[nodiscard]] std::string_view to_text(Locating how);
[[nodiscard]] Json to_json(const Composition& composition);

}  // namespace pratique::fusion
