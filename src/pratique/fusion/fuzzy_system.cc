#include "pratique/fusion/fuzzy_system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace pratique::fusion {
namespace {

constexpr double kGaussianReach = 3;

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

double on_line(const MembershipPoint& a, const MembershipPoint& b, double x) {
  if (x == b.x) return b.degree;
  return a.degree + (b.degree - a.degree) * ((x - a.x) / (b.x - a.x));
}

double degree_of(const LinearSet& set, double x) {
  const auto& points = set.points;
  const auto after =
      std::upper_bound(points.begin(), points.end(), x,
                       [](double value, const MembershipPoint& point) { return value < point.x; });
  if (after == points.begin()) return points.front().degree;
  auto at = after - 1;
  if (at->x == x) {
    double most = at->degree;
    for (; at->x == x; --at) {
      most = std::max(most, at->degree);
      if (at == points.begin()) break;
    }
    return most;
  }
  return after == points.end() ? points.back().degree : on_line(*at, *after, x);
}

double degree_of(const GaussianSet& set, double x) {
  const double off = (x - set.mean) / set.deviation;
  return std::exp(-off * off / 2);
}

// Of the straight lines, from the first point to x.
double area_until(const LinearSet& set, double x) {
  const auto& points = set.points;
  double area = (std::min(x, points.front().x) - points.front().x) * points.front().degree;
  for (std::size_t i = 1; i < points.size() && points[i - 1].x < x; ++i) {
    const auto& a = points[i - 1];
    const auto& b = points[i];
    if (a.x == b.x) continue;
    const double end = std::min(x, b.x);
    area += (end - a.x) * (a.degree + on_line(a, b, end)) / 2;
  }
  return area + std::max(0.0, x - points.back().x) * points.back().degree;
}

}  // namespace

double membership(const FuzzySet& set, double x) {
  return std::visit(Overloaded{[&](const LinearSet& s) { return degree_of(s, x); },
                               [&](const GaussianSet& s) { return degree_of(s, x); },
                               [&](const Singleton& s) { return s.at == x ? 1.0 : 0.0; }},
                    set);
}

Truth membership_over(const FuzzySet& set, const Interval& interval) {
  const double low = interval.low;
  const double high = interval.high;
  if (low == high) {
    const double degree = membership(set, low);
    return {degree, degree};
  }
  const auto linear = [&](const LinearSet& s) {
    const double first = degree_of(s, low);
    const double last = degree_of(s, high);
    Truth truth{std::min(first, last), std::max(first, last)};
    for (const auto& point : s.points) {
      if (point.x < low || point.x > high) continue;
      truth.least = std::min(truth.least, point.degree);
      truth.most = std::max(truth.most, point.degree);
    }
    return truth;
  };
  const auto gaussian = [&](const GaussianSet& s) {
    const double first = degree_of(s, low);
    const double last = degree_of(s, high);
    const bool around = low <= s.mean && s.mean <= high;
    return Truth{std::min(first, last), around ? 1.0 : std::max(first, last)};
  };
  return std::visit(Overloaded{linear, gaussian,
                               [&](const Singleton& s) {
                                 return Truth{0, low <= s.at && s.at <= high ? 1.0 : 0.0};
                               }},
                    set);
}

double mean_membership(const FuzzySet& set, const Interval& interval) {
  const double low = interval.low;
  const double high = interval.high;
  if (low == high) return membership(set, low);
  const auto gaussian = [&](const GaussianSet& s) {
    const auto part = [&](double x) {
      return std::erf((x - s.mean) / (s.deviation * std::numbers::sqrt2));
    };
    const double area = s.deviation * std::sqrt(std::numbers::pi / 2) * (part(high) - part(low));
    return area / (high - low);
  };
  const double mean = std::visit(
      Overloaded{[&](const LinearSet& s) {
                   return (area_until(s, high) - area_until(s, low)) / (high - low);
                 },
                 gaussian,
                 [&](const Singleton& s) { return low <= s.at && s.at <= high ? 1.0 : 0.0; }},
      set);
  return std::clamp(mean, 0.0, 1.0);
}

Interval core_of(const FuzzySet& set) {
  const auto linear = [](const LinearSet& s) {
    double most = 0;
    for (const auto& point : s.points) most = std::max(most, point.degree);
    Interval core{std::numeric_limits<double>::infinity(), 0};
    for (const auto& point : s.points) {
      if (point.degree < most) continue;
      core.low = std::min(core.low, point.x);
      core.high = point.x;
    }
    return core;
  };
  return std::visit(Overloaded{linear,
                               [](const GaussianSet& s) {
                                 return Interval{s.mean, s.mean};
                               },
                               [](const Singleton& s) {
                                 return Interval{s.at, s.at};
                               }},
                    set);
}

Interval span_of(const FuzzySet& set) {
  return std::visit(Overloaded{[](const LinearSet& s) {
                                 return Interval{s.points.front().x, s.points.back().x};
                               },
                               [](const GaussianSet& s) {
                                 return Interval{s.mean - kGaussianReach * s.deviation,
                                                 s.mean + kGaussianReach * s.deviation};
                               },
                               [](const Singleton& s) {
                                 return Interval{s.at, s.at};
                               }},
                    set);
}

Interval Variable::domain() const {
  if (range) return *range;
  Interval all{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const auto& term : terms) {
    const Interval span = span_of(term.set);
    all.low = std::min(all.low, span.low);
    all.high = std::max(all.high, span.high);
  }
  return all.low <= all.high ? all : Interval{};
}

namespace {

template <class Named>
std::optional<std::size_t> find_named(const std::vector<Named>& all, std::string_view name) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name) return i;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::size_t> Variable::find_term(std::string_view term) const {
  return find_named(terms, term);
}
std::optional<std::size_t> FuzzySystem::find_input(std::string_view input) const {
  return find_named(inputs, input);
}
std::optional<std::size_t> FuzzySystem::find_output(std::string_view output) const {
  return find_named(outputs, output);
}

}  // namespace pratique::fusion
