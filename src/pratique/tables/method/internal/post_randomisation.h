// PRAM, post randomisation (Gouweleeuw, Kooiman, Willenborg and de Wolf 1998): each record's
// category is drawn anew from the row of a transition matrix, records independently.
//
// A matrix P is invariant for a distribution pi when pi P = pi: what is released has the marginals
// of the original in expectation, so that a reader of frequencies needs no correction. Two ways to
// one:
//
// 1. The simple form, P = (1 - keep) 1 pi' + keep I, or p_ij = (1 - keep) pi_j + keep delta_ij.
//    Invariant: sum_i pi_i p_ij = (1 - keep) pi_j sum_i pi_i + keep pi_j = pi_j. Drawing from it
//    needs no matrix: keep the value with probability `keep`, else take the value of a record drawn
//    at random (the same record included). Any number of categories.
// 2. The two steps. Any matrix R, then its Bayesian inverse Q: lambda = pi R, q_kj = pi_j r_jk /
//    lambda_k, P = R Q. Invariant: pi P = lambda Q, and (lambda Q)_j = sum_k lambda_k pi_j r_jk /
//    lambda_k = pi_j sum_k r_jk = pi_j. (A k with lambda_k = 0 is never reached: its row of Q is
//    the unit row, and pi_j r_jk = 0 there.)
//
// Within groups (the nodes of a hierarchy at one level) the simple form is applied to each group
// with the group's own distribution: a block-diagonal matrix, invariant because each block is.
#pragma once

#include <span>
#include <vector>

#include "pratique/data/hierarchy.h"
#include "pratique/data/table.h"
#include "pratique/tables/method/transition_matrix.h"

namespace pratique::tables {

// pi must be a distribution with one entry per row of the matrix.
[[nodiscard]] TransitionMatrix simple_invariant_matrix(std::span<const double> pi, double keep);
[[nodiscard]] TransitionMatrix two_step_invariant_matrix(const TransitionMatrix& transition,
                                                         std::span<const double> pi);

// The shares of the column's values among the records that are not missing, by code (0 for the
// missing value).
[[nodiscard]] std::vector<double> marginals(const Column& column);

// The simple form over the column's own marginals.
[[nodiscard]] Column post_randomise(const Column& column, double keep, NoiseSource& noise);
[[nodiscard]] Column post_randomise_within(const Column& column, double keep,
                                           const Hierarchy& hierarchy, int level,
                                           NoiseSource& noise);
// Any matrix, beside the column's dictionary; the row and the column of the missing value are not
// looked at. Throws Error when the sizes differ or a value may become the missing one.
[[nodiscard]] Column post_randomise(const Column& column, const TransitionMatrix& matrix,
                                    NoiseSource& noise);

}  // namespace pratique::tables
