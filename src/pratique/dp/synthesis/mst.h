// Select, measure, generate: a synthetic table by a maximum spanning tree of pairs of columns
// (McKenna, Miklau and Sheldon 2021, MST), with what later work found better.
//
//   1. Every column alone is measured with discrete Gaussian noise.
//   2. Cells with too few rows for pairs are grouped (grouping.h), by 1 alone.
//   3. Pairs are chosen, one after the other, each joining columns that were not joined: the score
//   of
//      a pair is how far its counts are from those that 1 gives for independent columns (the sum of
//      absolute differences), less what noise would put there; the noisy maximum wins.
//   4. The chosen pairs, and marginals that were named, are measured with discrete Gaussian noise.
//   5. As many pairs again are chosen and measured in the same way, by how far their counts are
//   from
//      what a model of 1 and 4 says of them (as AIM does; McKenna et al. 2022), as long as the
//      model stays small.
//   6. The model (graphical_model.h) is fitted to all that was measured.
// In 3 and 5, "no pair" is a candidate too, with the score 0: what noise would spoil is not
// measured.
//
// Theorem. All of it is rho-zCDP, for neighbours that differ by a person with at most N rows.
// - A marginal counts rows, so a person moves it by at most N in Euclidean distance (all rows in
// one
//   cell): noise of parameter s^2 costs N^2 / (2 s^2) (mechanism/discrete_gaussian.h).
// - Scores compare true counts with whole numbers that follow from noisy ones: a person moves each
//   by at most N. The noisy maximum is epsilon-differentially private, which costs epsilon^2 / 2
//   (mechanism/selection.h, accounting/zcdp.h). (The exponential mechanism would cost a quarter of
//   that, but takes a time that depends on the scores; either is a small part of the whole.)
// - Each step's part of rho is fixed beforehand, and a filter adds up what is spent; everything
// else
//   follows from noisy figures.
//
// A marginal of c cells gets a part of its step's rho in proportion to c^(2/3), which minimises the
// sum of absolute errors over all (Zhang et al. 2021, PrivSyn).
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/dp/mechanism/noise.h"
#include "pratique/dp/synthesis/graphical_model.h"
#include "pratique/dp/synthesis/grouping.h"

namespace pratique::dp {

struct SynthesisColumn {
  std::size_t cells = 0;
  bool ordered = false;  // numbers, dates; the last cell is the stray one, always
};

struct SynthesisSettings {
  double rho = 0;
  std::uint64_t max_rows = 1;        // of a person
  std::vector<ColumnSet> marginals;  // measured whatever the data is like
  double memory = 1e9;               // bytes, for the model
  std::size_t fit_steps = 1000;      // at most; changes no cost
};

struct SyntheticModel {
  std::vector<Grouping> groupings;  // by column
  GraphicalModel model;             // over groups
  std::vector<ColumnSet> measured;  // pairs and named marginals
  double spent = 0;                 // of rho

  [[nodiscard]] double rows() const { return model.total(); }  // noisy
};

// Throws Error::input where a pair of columns, or the marginals that were named, do not fit into
// memory, or noise would be larger than numbers can be. Depends on what was declared alone: it is
// asked before anything is charged.
void require_model_fits(const std::vector<SynthesisColumn>& columns,
                        const SynthesisSettings& settings, const std::vector<std::string>& names);

[[nodiscard]] SyntheticModel fit_mst(const EncodedRows& rows,
                                     const std::vector<SynthesisColumn>& columns,
                                     const SynthesisSettings& settings, Noise& noise,
                                     Progress& progress = Progress::silent());

}  // namespace pratique::dp
