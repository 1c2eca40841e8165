#include "pratique/tables/method/internal/class_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "pratique/crypto/random.h"

namespace pratique::tables::internal {
namespace {

// What was united so far, in its order.
struct United {
  std::vector<std::size_t> members;
  std::vector<LossSpace::Word> box;
  double records = 0;
  double loss = 0;
};

// In rounds, each unites with the one that adds least to the loss of all.
std::vector<United> united_once(std::vector<United> all, const LossSpace& space) {
  std::vector<United> next;
  std::vector<bool> taken(all.size(), false);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (taken[i]) continue;
    std::size_t nearest = i;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (taken[j]) continue;
      const double records = all[i].records + all[j].records;
      const double before = all[i].loss + all[j].loss;
      const double added = records * space.united_cost(all[i].box.data(), all[j].box.data(),
                                                       (least + before) / records) -
                           before;
      if (added >= least) continue;
      least = added;
      nearest = j;
    }
    if (nearest != i) {
      taken[nearest] = true;
      const United& other = all[nearest];
      all[i].members.insert(all[i].members.end(), other.members.begin(), other.members.end());
      space.unite(all[i].box.data(), other.box.data());
      all[i].records += other.records;
      all[i].loss = all[i].records * space.cost(all[i].box.data());
    }
    next.push_back(std::move(all[i]));
  }
  return next;
}

// How many members runs have.
std::vector<bool> lengths_of_runs(std::size_t members) {
  constexpr std::size_t kEach = 12;
  std::vector<bool> lengths(members + 1, false);
  for (std::size_t length = 1; length < members; length += length < kEach ? 1 : 1 + length / 5)
    lengths[length] = true;
  lengths[members] = true;
  return lengths;
}

}  // namespace

ClassOrder::ClassOrder(const ProtectionInput& input, std::vector<const Column*> secrets,
                       const LossSpace& space, std::vector<Items> members, std::uint64_t variant)
    : input_(input), secrets_(std::move(secrets)) {
  if (variant > 0) SeededRandom(variant).shuffle(members);
  std::vector<United> all;
  for (std::size_t m = 0; m < members.size(); ++m) {
    United& alone = all.emplace_back();
    alone.members = {m};
    const LossSpace::Word* first = space.point(members[m].front().group);
    alone.box.assign(first, first + space.size());
    for (const Item& item : members[m]) space.unite(alone.box.data(), space.point(item.group));
    alone.records = static_cast<double>(records_in(members[m]));
    alone.loss = alone.records * space.cost(alone.box.data());
  }
  while (all.size() > 1) all = united_once(std::move(all), space);
  for (const auto& whole : all) {
    for (const std::size_t m : whole.members) members_.push_back(std::move(members[m]));
  }
}

class ClassOrder::Reader {
 public:
  Reader(const ClassOrder& order, const Models& models, std::uint64_t allowed, ClassCost& cost)
      : order_(order),
        check_(order.input_, models),
        allowed_(allowed),
        cost_(cost),
        cells_(static_cast<double>(order.input_.attributes.size())) {}

  std::optional<RunsOfClasses> best() {
    const auto& members = order_.members_;
    const auto lengths = lengths_of_runs(members.size());
    choices_.resize(members.size() + 1);
    choices_[0].push_back({});
    std::uint64_t records = 0;
    for (std::size_t first = 0; first < members.size(); ++first) {
      keep_best(choices_[first]);
      records += records_in(members[first]);
      if (choices_[first].empty()) continue;
      leave_out(first);
      run_.clear();
      in_run_ = 0;
      cost_.clear();
      check_.counter().clear();
      for (std::size_t end = first + 1; end <= members.size(); ++end) {
        for (const Item& item : members[end - 1]) {
          run_.push_back(item);
          in_run_ += item.count;
          cost_.add(item.group);
          check_.counter().add(item.group, item.count);
        }
        if (lengths[end - first]) add_runs(first, end);
      }
    }
    Choices& of_all = choices_.back();
    keep_best(of_all);
    // The last one loses least.
    while (!of_all.empty() && of_all.back().out == records) of_all.pop_back();
    if (of_all.empty()) return std::nullopt;
    return collected(of_all.back());
  }

 private:
  // Of the members before some place: so many records stay out, and that is what they lose, at
  // least, when a run from `first` on is the last.
  struct Choice {
    std::uint64_t out = 0;
    double loss = 0;
    std::size_t first = 0;
    std::size_t before = 0;               // which choice of the members before the run
    std::optional<std::size_t> way = {};  // to leave records of the run out; none: all of them
    std::uint64_t out_of_run = 0;
  };
  using Choices = std::vector<Choice>;

  // By `out`, each losing less than those before. Of those that lose the same the last run is
  // short: then no class could have been cut (attack/minimality.h).
  static void keep_best(Choices& choices) {
    const auto key = [](const Choice& choice) {
      constexpr double kRounding = 1e9;
      return std::tuple(choice.out, std::llround(choice.loss * kRounding), ~choice.first);
    };
    std::stable_sort(choices.begin(), choices.end(),
                     [&](const Choice& a, const Choice& b) { return key(a) < key(b); });
    Choices kept;
    for (const Choice& choice : choices) {
      if (kept.empty() || choice.loss < kept.back().loss) kept.push_back(choice);
    }
    choices = std::move(kept);
  }

  void add(std::size_t first, std::size_t end, std::optional<std::size_t> way, std::uint64_t out,
           double loss) {
    for (std::size_t before = 0; before < choices_[first].size(); ++before) {
      const Choice& so_far = choices_[first][before];
      if (so_far.out + out > allowed_) break;
      choices_[end].push_back({so_far.out + out, so_far.loss + loss, first, before, way, out});
    }
  }

  void leave_out(std::size_t member) {
    const std::uint64_t records = records_in(order_.members_[member]);
    add(member, member + 1, std::nullopt, records, cells_ * static_cast<double>(records));
  }

  void add_runs(std::size_t first, std::size_t end) {
    const std::size_t ways = allowed_ == 0 ? 1 : 1 + order_.secrets_.size();
    for (std::size_t way = 0; way < ways; ++way) {
      const Items whole = run_;
      go(first, end, way, [&](std::uint64_t out) {
        if (out > allowed_) return false;
        if ((out > 0 || way == 0) && check_.holds()) {
          add(first, end, way, out,
              static_cast<double>(in_run_ - out) * cost_.cost() +
                  cells_ * static_cast<double>(out));
        }
        return allowed_ > 0;
      });
      for (std::size_t i = 0; i < whole.size(); ++i) {
        if (run_[i].count == whole[i].count) continue;
        if (run_[i].count == 0) cost_.add(run_[i].group);
        check_.counter().add(whole[i].group, whole[i].count - run_[i].count);
      }
      run_ = whole;
    }
  }

  // Leaves out records of run_ in this way, until `visit`, told how many are out, says no. It may
  // not depend on models or on what is allowed how far that goes.
  template <typename Visit>
  void go(std::size_t first, std::size_t end, std::size_t way, const Visit& visit) {
    if (!visit(0)) return;
    if (way == 0) {
      leave_out_costly(visit);
    } else {
      constexpr std::size_t kShort = 12;
      constexpr std::uint64_t kFew = 16;
      const bool all = first == 0 && (end - first > kShort || end == order_.members_.size());
      leave_out_frequent(*order_.secrets_[way - 1], all ? in_run_ : kFew, visit);
    }
  }

  void take(std::size_t i, std::uint64_t records) {
    check_.counter().remove(run_[i].group, records);
    run_[i].count -= records;
    if (run_[i].count == 0) cost_.remove(run_[i].group);
  }

  template <typename Visit>
  void leave_out_costly(const Visit& visit) {
    constexpr int kSteps = 8;
    constexpr std::size_t kLargest = 64;
    if (run_.size() > kLargest) return;
    std::uint64_t out = 0;
    for (int step = 0; step < kSteps; ++step) {
      const double of_record = cost_.cost();
      std::optional<std::size_t> best;
      double most = 1e-9;
      for (std::size_t i = 0; i < run_.size(); ++i) {
        const std::uint64_t leaving = run_[i].count;
        if (leaving == 0 || out + leaving >= in_run_) continue;
        const double saved = static_cast<double>(in_run_ - out - leaving) *
                             (of_record - cost_.cost_without(run_[i].group));
        const double gain = saved / static_cast<double>(leaving) - (cells_ - of_record);
        if (gain <= most) continue;
        most = gain;
        best = i;
      }
      if (!best) return;
      out += run_[*best].count;
      take(*best, run_[*best].count);
      if (!visit(out)) return;
    }
  }

  template <typename Visit>
  void leave_out_frequent(const Column& secret, std::uint64_t most_out, const Visit& visit) {
    std::map<Code, std::uint64_t> having;
    std::map<Code, std::vector<std::size_t>> where;
    for (std::size_t i = 0; i < run_.size(); ++i) {
      const Code value = secret.codes[run_[i].group];
      having[value] += run_[i].count;
      where[value].push_back(i);
    }
    for (std::uint64_t out = 1; out < in_run_ && out <= most_out; ++out) {
      const auto most =
          std::max_element(having.begin(), having.end(),
                           [](const auto& a, const auto& b) { return a.second < b.second; });
      if (most->second <= 1) return;
      auto& items = where[most->first];
      --most->second;
      take(items.back(), 1);
      if (run_[items.back()].count == 0) items.pop_back();
      if (!visit(out)) return;
    }
  }

  RunsOfClasses collected(const Choice& last) {
    RunsOfClasses read;
    read.suppressed = last.out;
    read.loss = last.loss;
    Choice choice = last;
    for (std::size_t end = order_.members_.size(); end > 0;) {
      const auto begin = order_.members_.begin();
      const std::vector<Items> members(begin + static_cast<std::ptrdiff_t>(choice.first),
                                       begin + static_cast<std::ptrdiff_t>(end));
      if (choice.way) {
        read.classes.push_back(without(choice, end, members));
        read.members.push_back(members);
      }
      end = choice.first;
      if (end > 0) choice = choices_[end][choice.before];
    }
    return read;
  }

  Items without(const Choice& choice, std::size_t end, const std::vector<Items>& members) {
    run_.clear();
    in_run_ = 0;
    cost_.clear();
    check_.counter().clear();
    for (const Items& items : members) {
      for (const Item& item : items) {
        run_.push_back(item);
        in_run_ += item.count;
        cost_.add(item.group);
        check_.counter().add(item.group, item.count);
      }
    }
    go(choice.first, end, *choice.way, [&](std::uint64_t out) { return out < choice.out_of_run; });
    Items left = run_;
    std::erase_if(left, [](const Item& item) { return item.count == 0; });
    return left;
  }

  const ClassOrder& order_;
  ModelCheck check_;
  std::uint64_t allowed_;
  ClassCost& cost_;
  double cells_;                  // of a record
  Items run_;                     // the run at hand; 0 where all of an item are out
  std::uint64_t in_run_ = 0;      // records, with those that are out
  std::vector<Choices> choices_;  // by how many members
};

std::optional<RunsOfClasses> ClassOrder::best(const Models& models, std::uint64_t allowed,
                                              ClassCost& cost) const {
  if (members_.empty()) return RunsOfClasses{};
  return Reader(*this, models, allowed, cost).best();
}

}  // namespace pratique::tables::internal
