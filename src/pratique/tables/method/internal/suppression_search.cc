#include "pratique/tables/method/internal/suppression_search.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <set>

namespace pratique::tables {
namespace {

using Mask = SuppressionClasses::Mask;
using Point = SuppressionClasses::Point;
using Id = SuppressionClasses::Id;
using Portions = SuppressionClasses::Portions;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
// What all levels may cost, in look-ups of a point under a mask: a few seconds.
constexpr double kBudget = 2e8;
constexpr double kPriceOfSet = 100;
constexpr double kPriceOfHomeless = 20;
// Classes that are asked to help out homeless records of one bucket.
constexpr std::size_t kMostHelpers = 32;
// The same where models look into classes, which costs far more than counting.
constexpr std::size_t kMostHelpersLookedInto = 4;
// Beyond so many buckets, those that are dearer than showing nothing are not kept.
constexpr std::size_t kManyBuckets = 2'000'000;
constexpr int kMostRounds = 4;
constexpr std::size_t kMostMasksTried = 512;

std::uint64_t stars(Mask mask) { return static_cast<std::uint64_t>(std::popcount(mask)); }

// Points that agree outside of a mask, at least one of them homeless. Helpers are points whose
// classes may spare records.
struct Bucket {
  Mask mask = 0;
  Point representative = 0;
  std::vector<Point> members;  // homeless when the bucket was made
  std::vector<Point> helpers;
};

struct Help {
  Id from;
  std::uint64_t records;  // all of the class where it has no more
};

// How a bucket's homeless become a class now.
struct Step {
  double price = kInfinite;
  std::uint64_t records = 0;  // of the homeless
  std::vector<Point> joining;
  std::vector<Help> help;
};

class SuppressionSearch {
 public:
  explicit SuppressionSearch(SuppressionClasses& state) : state_(state) {}

  bool run() {
    const auto d = static_cast<int>(state_.attributes());
    for (int level = 1; level <= d && state_.homeless() > 0; ++level) {
      open_level(level);
      take_steps(level == d ? kInfinite : level + 1);
    }
    if (state_.homeless() > 0 && !merge_into_top()) return false;
    tighten();
    for (int round = 0; round < kMostRounds && send_home(); ++round) tighten();
    return true;
  }

 private:
  struct Waiting {
    double price;
    std::uint64_t records;
    std::uint32_t bucket;
  };
  struct Later {
    bool operator()(const Waiting& a, const Waiting& b) const {
      if (a.price != b.price) return a.price > b.price;
      if (a.records != b.records) return a.records < b.records;
      return a.bucket > b.bucket;
    }
  };

  std::vector<Point> homeless() const {
    std::vector<Point> points;
    for (Point point = 0; point < state_.points(); ++point) {
      if (state_.home(point) == SuppressionClasses::kNone) points.push_back(point);
    }
    return points;
  }

  // ---- Levels.

  // All sets of `level` attributes; the one with the most values among the homeless where all are
  // too many.
  void open_level(int level) {
    const auto d = static_cast<int>(state_.attributes());
    const auto without_home = homeless();
    double sets = 1;
    for (int i = 0; i < level; ++i) sets = sets * (d - i) / (i + 1);
    const auto n = static_cast<double>(state_.points());
    const double base =
        sets * (kPriceOfSet + kPriceOfHomeless * static_cast<double>(without_home.size()));
    const bool all_points = base + sets * n <= budget_;
    if (!all_points && base > budget_) {
      open_buckets(widest_attributes(level, without_home), without_home, true);
      return;
    }
    budget_ -= base + (all_points ? sets * n : 0);
    // Gosper's walk over the words with `level` bits.
    const Mask end = d == 64 ? 0 : Mask{1} << d;
    for (Mask mask = level == 64 ? ~Mask{0} : (Mask{1} << level) - 1;;) {
      open_buckets(mask, without_home, all_points);
      if (level == d) break;
      const Mask low = mask & (0 - mask);
      const Mask up = mask + low;
      if (up == 0) break;
      mask = up | (((mask ^ up) >> 2) / low);
      if (end != 0 && mask >= end) break;
    }
  }

  Mask widest_attributes(int level, const std::vector<Point>& points) const {
    std::vector<std::pair<std::size_t, std::size_t>> width;
    for (std::size_t a = 0; a < state_.attributes(); ++a) {
      std::set<Code> seen;
      for (const Point point : points) seen.insert(state_.cell(point, a));
      width.emplace_back(seen.size(), a);
    }
    std::sort(width.rbegin(), width.rend());
    Mask mask = 0;
    for (int i = 0; i < level; ++i) mask |= Mask{1} << width[static_cast<std::size_t>(i)].second;
    return mask;
  }

  void open_buckets(Mask mask, const std::vector<Point>& without_home, bool all_points) {
    const auto first = static_cast<std::uint32_t>(buckets_.size());
    std::unordered_map<std::uint64_t, std::uint32_t> of_key;
    for (const Point point : without_home) {
      const auto [place, added] =
          of_key.emplace(state_.key(point, mask), static_cast<std::uint32_t>(buckets_.size()));
      if (added) {
        buckets_.emplace_back();
        buckets_.back().mask = mask;
        buckets_.back().representative = point;
      }
      Bucket& bucket = buckets_[place->second];
      if (state_.agree(bucket.representative, point, mask)) bucket.members.push_back(point);
    }
    if (all_points) {
      for (Point point = 0; point < state_.points(); ++point) {
        if (state_.home(point) == SuppressionClasses::kNone) continue;
        const auto place = of_key.find(state_.key(point, mask));
        if (place == of_key.end()) continue;
        Bucket& bucket = buckets_[place->second];
        if (bucket.helpers.size() < kMostHelpers &&
            state_.agree(bucket.representative, point, mask)) {
          bucket.helpers.push_back(point);
        }
      }
    }
    std::uint32_t kept = first;
    for (std::uint32_t b = first; b < buckets_.size(); ++b) {
      const Step step = price(buckets_[b]);
      if (step.price == kInfinite) continue;
      if (kept > kManyBuckets && step.price >= static_cast<double>(state_.attributes())) continue;
      if (kept != b) buckets_[kept] = std::move(buckets_[b]);
      waiting_.push({step.price, step.records, kept++});
    }
    buckets_.resize(kept);
  }

  // ---- Steps.

  Step price(const Bucket& bucket) {
    Step step;
    for (const Point point : bucket.members) {
      if (state_.home(point) != SuppressionClasses::kNone) continue;
      step.joining.push_back(point);
      step.records += state_.records(point);
    }
    if (step.records == 0) return step;
    const double own = static_cast<double>(stars(bucket.mask));
    const Id shown = state_.find(bucket.mask, bucket.representative);
    put_together(step, shown);
    if (state_.holds()) {
      step.price = own;
    } else if (const double extra = ask_for_help(bucket, step, shown); extra < kInfinite) {
      step.price = own + extra / static_cast<double>(step.records);
    }
    return step;
  }

  void put_together(const Step& step, Id shown) {
    state_.begin();
    for (const Point point : step.joining) state_.add_point(point);
    if (shown != SuppressionClasses::kNone) state_.add_class(shown);
  }

  // The classes in the bucket that would lose nothing but cells, those that lose fewest first.
  std::vector<Id> helpers(const Bucket& bucket, Id shown) const {
    std::vector<Id> ids;
    const auto consider = [&](Point point) {
      const Id id = state_.home(point);
      if (id == SuppressionClasses::kNone || id == shown) return;
      if ((state_.classes()[id].mask & ~bucket.mask) == 0) ids.push_back(id);
    };
    for (const Point point : bucket.helpers) consider(point);
    for (const Point point : bucket.members) consider(point);
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    std::stable_sort(ids.begin(), ids.end(), [&](Id a, Id b) {
      return stars(state_.classes()[a].mask) > stars(state_.classes()[b].mask);
    });
    const std::size_t most = state_.size_only() ? kMostHelpers : kMostHelpersLookedInto;
    if (ids.size() > most) ids.resize(most);
    return ids;
  }

  // The cells that those who come along lose, and who they are; infinite where nobody can help.
  double ask_for_help(const Bucket& bucket, Step& step, Id shown) {
    const auto ids = helpers(bucket, shown);
    double best = kInfinite;
    const auto cells = [&](Id id, std::uint64_t records) {
      return static_cast<double>(records) *
             static_cast<double>(stars(bucket.mask) - stars(state_.classes()[id].mask));
    };
    const auto offer = [&](double price, std::vector<Help> help) {
      if (price >= best) return;
      best = price;
      step.help = std::move(help);
    };
    if (state_.size_only()) {
      const std::uint64_t there =
          step.records + (shown == SuppressionClasses::kNone ? 0 : state_.classes()[shown].records);
      std::uint64_t most = 0;
      for (const Id id : ids) most += state_.classes()[id].records;
      const auto missing = state_.missing(there, most);
      if (!missing) return kInfinite;
      std::uint64_t left = *missing;
      double price = 0;
      std::vector<Help> help;
      for (const Id id : ids) {
        const std::uint64_t some = std::min(left, state_.spare(id));
        if (some == 0) continue;
        help.push_back({id, some});
        price += cells(id, some);
        left -= some;
      }
      if (left == 0) offer(price, std::move(help));
      for (const Id id : ids) {
        const std::uint64_t all = state_.classes()[id].records;
        if (all >= *missing) offer(cells(id, all), {{id, all}});
      }
      return best;
    }
    for (const Id id : ids) {
      const std::uint64_t all = state_.classes()[id].records;
      for (std::uint64_t some = 1; some < all; some *= 2) {
        if (cells(id, some) >= best) break;
        const Portions portions = state_.sample(id, some);
        put_together(step, shown);
        state_.add(portions);
        if (!state_.holds()) continue;
        if (state_.holds_without(id, portions)) offer(cells(id, some), {{id, some}});
        break;
      }
      if (cells(id, all) >= best) continue;
      put_together(step, shown);
      state_.add_class(id);
      if (state_.holds()) offer(cells(id, all), {{id, all}});
    }
    return best;
  }

  void take_steps(double limit) {
    while (!waiting_.empty() && waiting_.top().price < limit && state_.homeless() > 0) {
      const Waiting next = waiting_.top();
      waiting_.pop();
      const Bucket& bucket = buckets_[next.bucket];
      const Step step = price(bucket);
      if (step.price == kInfinite) {
        buckets_[next.bucket] = {};
      } else if (step.price > next.price || step.records < next.records) {
        waiting_.push({step.price, step.records, next.bucket});
      } else {
        apply(bucket, step);
      }
    }
  }

  void apply(const Bucket& bucket, const Step& step) {
    const Id id = state_.open(bucket.mask, bucket.representative);
    for (const Point point : step.joining) state_.settle(point, id);
    for (const Help& help : step.help) {
      if (help.records == state_.classes()[help.from].records) {
        state_.dissolve(help.from, id);
      } else {
        state_.take(help.from, state_.sample(help.from, help.records), id);
      }
    }
  }

  // Who is left shows nothing, and classes give up all they show until that one class is good.
  bool merge_into_top() {
    const auto d = state_.attributes();
    const Mask top = d == 64 ? ~Mask{0} : (Mask{1} << d) - 1;
    const auto left = homeless();
    const Id id = state_.open(top, left.front());
    for (const Point point : left) state_.settle(point, id);
    std::vector<Id> others;
    for (Id other = 0; other < state_.classes().size(); ++other) {
      if (other != id && state_.classes()[other].alive) others.push_back(other);
    }
    const auto cells = [&](Id other) {
      return state_.classes()[other].records * (d - stars(state_.classes()[other].mask));
    };
    std::stable_sort(others.begin(), others.end(), [&](Id a, Id b) { return cells(a) < cells(b); });
    std::size_t next = 0;
    for (std::size_t batch = 1;; batch *= 2) {
      state_.begin();
      state_.add_class(id);
      if (state_.holds()) return true;
      if (next == others.size()) return false;
      for (std::size_t i = 0; i < batch && next < others.size(); ++i) {
        state_.dissolve(others[next++], id);
      }
    }
  }

  // ---- Afterwards.

  // An attribute in which all records of a class agree need not be suppressed.
  void tighten() {
    for (Id id = 0; id < state_.classes().size(); ++id) {
      const auto& eq_class = state_.classes()[id];
      if (!eq_class.alive || eq_class.mask == 0) continue;
      Mask differ = 0;
      const Point first = state_.point_of(eq_class.portions.front().group);
      for (const auto& portion : eq_class.portions) {
        const Point point = state_.point_of(portion.group);
        for (std::size_t a = 0; a < state_.attributes(); ++a) {
          if (state_.cell(point, a) != state_.cell(first, a)) differ |= Mask{1} << a;
        }
      }
      if (differ == eq_class.mask) continue;
      const Id same = state_.find(differ, first);
      if (same != SuppressionClasses::kNone) {
        state_.begin();
        state_.add_class(id);
        state_.add_class(same);
        if (!state_.holds()) continue;
      }
      state_.tighten(id, differ, first);
    }
  }

  // Records move to classes that show more of them, where both classes stay good. True when some
  // did.
  bool send_home() {
    std::set<std::pair<std::uint64_t, Mask>> masks;
    std::vector<Id> order;
    for (Id id = 0; id < state_.classes().size(); ++id) {
      const auto& eq_class = state_.classes()[id];
      if (!eq_class.alive) continue;
      masks.emplace(stars(eq_class.mask), eq_class.mask);
      if (eq_class.mask != 0) order.push_back(id);
    }
    std::stable_sort(order.begin(), order.end(), [&](Id a, Id b) {
      return stars(state_.classes()[a].mask) > stars(state_.classes()[b].mask);
    });
    bool moved = false;
    for (const Id id : order) {
      const Portions portions = state_.classes()[id].portions;
      for (const auto& portion : portions) {
        if (!state_.classes()[id].alive) break;
        if (portion.records == 0) continue;
        std::size_t tried = 0;
        for (const auto& [shown, mask] : masks) {
          if (shown >= stars(state_.classes()[id].mask) || ++tried > kMostMasksTried) break;
          const Id better = state_.find(mask, state_.point_of(portion.group));
          if (better == SuppressionClasses::kNone) continue;
          if (move(id, portion, better)) {
            moved = true;
            break;
          }
        }
      }
    }
    return moved;
  }

  bool move(Id from, SuppressionClasses::Portion portion, Id to) {
    const std::uint64_t all = state_.classes()[from].records;
    if (state_.size_only()) {
      if (portion.records < all) portion.records = std::min(portion.records, state_.spare(from));
      if (portion.records == 0) return false;
      state_.take(from, {portion}, to);
      return true;
    }
    state_.begin();
    state_.add_class(to);
    state_.add(Portions{portion});
    if (!state_.holds()) return false;
    if (portion.records < all && !state_.holds_without(from, {portion})) return false;
    state_.take(from, {portion}, to);
    return true;
  }

  SuppressionClasses& state_;
  double budget_ = kBudget;
  std::vector<Bucket> buckets_;
  std::priority_queue<Waiting, std::vector<Waiting>, Later> waiting_;
};

}  // namespace

bool find_classes(SuppressionClasses& state) { return SuppressionSearch(state).run(); }

}  // namespace pratique::tables
