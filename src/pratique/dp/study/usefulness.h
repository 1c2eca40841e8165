// (epsilon, delta)-usefulness, measured (Blum, Ligett and Roth 2008; Kalaria 2010, definition 9).
//
// Definition. A mechanism A is (e, d)-useful for a class C of questions if with a probability of at
// least 1 - d, |Q(A(D)) - Q(D)| <= e for every Q in C. (That e and d have nothing to do with those
// of privacy.)
//
// Measured: A is drawn m times on one D, and w_i is the largest error of all questions in draw i.
// Let e be the largest of the w_i. If P(w <= e) were below 1 - d, then all m draws would lie below
// the (1 - d)-quantile of w, which happens with probability at most (1 - d)^m. So with confidence c
// A is (e, d)-useful for d = 1 - (1 - c)^(1/m). Exact for every m and every distribution, and no
// smaller d can be shown with m draws.
//
// This is about one D: the definition wants it for all, which no measurement can show.
#pragma once

#include <vector>

namespace pratique::dp {

struct Usefulness {
  double epsilon = 0;
  double delta = 1;  // with 95 % confidence
};
// `largest_errors`: one per draw.
[[nodiscard]] Usefulness usefulness(const std::vector<double>& largest_errors);

}  // namespace pratique::dp
