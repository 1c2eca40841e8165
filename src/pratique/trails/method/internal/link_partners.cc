#include <algorithm>
#include <limits>

#include "pratique/core/error.h"
#include "pratique/trails/method/internal/link_graph.h"

namespace pratique::trails {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// Sends every sample to a person: a flow from sample classes to people classes (Dinic 1970).
class Flow {
 public:
  explicit Flow(const LinkGraph& graph) : graph_(graph), users_(graph.people.size()) {
    for (const auto& c : graph.samples) supply_.push_back(c.members.size());
    for (const auto& c : graph.people) spare_.push_back(c.members.size());
    for (std::size_t s = 0; s < graph.links.size(); ++s) {
      sent_.emplace_back(graph.links[s].size());
      for (std::size_t e = 0; e < graph.links[s].size(); ++e) {
        users_[graph.links[s][e]].push_back(
            {static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(e)});
      }
    }
    send_directly();
    while (layer()) {
      next_link_.assign(supply_.size(), 0);
      next_user_.assign(spare_.size(), 0);
      for (std::uint32_t s = 0; s < supply_.size(); ++s) {
        while (supply_[s] > 0) {
          const std::uint64_t moved = push(s, supply_[s]);
          if (moved == 0) break;
          supply_[s] -= moved;
        }
      }
    }
  }

  struct User {
    std::uint32_t sample_class;
    std::uint32_t link;
  };

  [[nodiscard]] bool complete() const {
    return std::all_of(supply_.begin(), supply_.end(), [](auto left) { return left == 0; });
  }
  [[nodiscard]] const std::vector<User>& users(std::size_t people) const { return users_[people]; }
  [[nodiscard]] std::uint64_t sent(const User& user) const {
    return sent_[user.sample_class][user.link];
  }
  [[nodiscard]] std::uint64_t spare(std::size_t people) const { return spare_[people]; }

 private:
  // Most of it without search, classes with the fewest links first.
  void send_directly() {
    std::vector<std::uint32_t> order(supply_.size());
    for (std::uint32_t s = 0; s < order.size(); ++s) order[s] = s;
    std::sort(order.begin(), order.end(), [&](auto a, auto b) {
      const std::size_t left = graph_.links[a].size();
      const std::size_t right = graph_.links[b].size();
      return left != right ? left < right : a < b;
    });
    for (const auto s : order) {
      for (std::size_t e = 0; e < graph_.links[s].size() && supply_[s] > 0; ++e) {
        auto& spare = spare_[graph_.links[s][e]];
        const std::uint64_t amount = std::min<std::uint64_t>(supply_[s], spare);
        spare -= amount;
        supply_[s] -= amount;
        sent_[s][e] += amount;
      }
    }
  }

  bool layer() {
    sample_layer_.assign(supply_.size(), kNone);
    people_layer_.assign(spare_.size(), kNone);
    std::vector<std::uint32_t> front;
    for (std::uint32_t s = 0; s < supply_.size(); ++s) {
      if (supply_[s] == 0) continue;
      sample_layer_[s] = 0;
      front.push_back(s);
    }
    bool reached = false;
    for (std::uint32_t depth = 0; !front.empty() && !reached; ++depth) {
      std::vector<std::uint32_t> next;
      for (const auto s : front) {
        for (const auto p : graph_.links[s]) {
          if (people_layer_[p] != kNone) continue;
          people_layer_[p] = depth;
          if (spare_[p] > 0) reached = true;
          for (const auto& user : users_[p]) {
            if (sent(user) == 0 || sample_layer_[user.sample_class] != kNone) continue;
            sample_layer_[user.sample_class] = depth + 1;
            next.push_back(user.sample_class);
          }
        }
      }
      front = std::move(next);
    }
    return reached;
  }

  // Depth is at most the number of layers, which is small where classes are few.
  std::uint64_t push(std::uint32_t s, std::uint64_t amount) {
    for (auto& e = next_link_[s]; e < graph_.links[s].size(); ++e) {
      const auto p = graph_.links[s][e];
      if (people_layer_[p] != sample_layer_[s]) continue;
      if (spare_[p] > 0) {
        const std::uint64_t moved = std::min(amount, spare_[p]);
        spare_[p] -= moved;
        sent_[s][e] += moved;
        return moved;
      }
      for (auto& u = next_user_[p]; u < users_[p].size(); ++u) {
        const User user = users_[p][u];
        if (sample_layer_[user.sample_class] != people_layer_[p] + 1 || sent(user) == 0) continue;
        const std::uint64_t moved = push(user.sample_class, std::min(amount, sent(user)));
        if (moved == 0) continue;
        sent_[user.sample_class][user.link] -= moved;
        sent_[s][e] += moved;
        return moved;
      }
    }
    return 0;
  }

  const LinkGraph& graph_;
  std::vector<std::vector<User>> users_;
  std::vector<std::vector<std::uint64_t>> sent_;
  std::vector<std::uint64_t> supply_;
  std::vector<std::uint64_t> spare_;
  std::vector<std::uint32_t> sample_layer_;
  std::vector<std::uint32_t> people_layer_;
  std::vector<std::size_t> next_link_;
  std::vector<std::size_t> next_user_;
};

// People who can be left out: those to spare, and those whose sample can go to such a person.
std::vector<bool> open_people(const LinkGraph& graph, const Flow& flow) {
  std::vector<bool> open(graph.people.size());
  std::vector<bool> sample_open(graph.samples.size());
  std::vector<std::vector<std::uint32_t>> sent_from(graph.samples.size());
  std::vector<std::uint32_t> stack;
  for (std::uint32_t p = 0; p < graph.people.size(); ++p) {
    for (const auto& user : flow.users(p)) {
      if (flow.sent(user) > 0) sent_from[user.sample_class].push_back(p);
    }
    if (flow.spare(p) == 0) continue;
    open[p] = true;
    stack.push_back(p);
  }
  while (!stack.empty()) {
    const auto p = stack.back();
    stack.pop_back();
    for (const auto& user : flow.users(p)) {
      const auto s = user.sample_class;
      if (sample_open[s]) continue;
      sample_open[s] = true;
      for (const auto other : sent_from[s]) {
        if (open[other]) continue;
        open[other] = true;
        stack.push_back(other);
      }
    }
  }
  return open;
}

// Strongly connected components (Tarjan 1972, without recursion) of the classes, where a sample
// class leads to all its people and people to the samples that they have now.
class GraphComponents {
 public:
  GraphComponents(const LinkGraph& graph, const Flow& flow)
      : graph_(graph), flow_(flow), samples_(static_cast<std::uint32_t>(graph.samples.size())) {
    const std::size_t nodes = graph.samples.size() + graph.people.size();
    index_.assign(nodes, kNone);
    low_.assign(nodes, 0);
    component.assign(nodes, kNone);
    for (std::uint32_t node = 0; node < nodes; ++node) {
      if (index_[node] == kNone) search(node);
    }
  }

  std::vector<std::uint32_t> component;  // samples, then people

 private:
  struct Frame {
    std::uint32_t node;
    std::size_t next;
  };

  // The next neighbour at or after `next`, which moves past it.
  std::uint32_t neighbour(std::uint32_t node, std::size_t& next) const {
    if (node < samples_) {
      const auto& links = graph_.links[node];
      return next < links.size() ? samples_ + links[next++] : kNone;
    }
    const auto& users = flow_.users(node - samples_);
    while (next < users.size()) {
      const auto& user = users[next++];
      if (flow_.sent(user) > 0) return user.sample_class;
    }
    return kNone;
  }

  void search(std::uint32_t root) {
    std::vector<Frame> path;
    const auto enter = [&](std::uint32_t node) {
      index_[node] = low_[node] = count_++;
      stack_.push_back(node);
      path.push_back({node, 0});
    };
    enter(root);
    while (!path.empty()) {
      const std::uint32_t node = path.back().node;
      const std::uint32_t other = neighbour(node, path.back().next);
      if (other != kNone) {
        if (index_[other] == kNone) {
          enter(other);
        } else if (component[other] == kNone) {
          low_[node] = std::min(low_[node], index_[other]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) {
        low_[path.back().node] = std::min(low_[path.back().node], low_[node]);
      }
      if (low_[node] == index_[node]) close(node);
    }
  }

  void close(std::uint32_t node) {
    while (true) {
      const std::uint32_t member = stack_.back();
      stack_.pop_back();
      component[member] = components_;
      if (member == node) break;
    }
    ++components_;
  }

  const LinkGraph& graph_;
  const Flow& flow_;
  std::uint32_t samples_;
  std::uint32_t count_ = 0;
  std::uint32_t components_ = 0;
  std::vector<std::uint32_t> index_;
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> stack_;
};

}  // namespace

LinkPartners link_partners(const LinkGraph& graph) {
  const Flow flow(graph);
  if (!flow.complete()) {
    throw Error::input("some samples can belong to nobody: not every location's data is truthful")
        .hint("Every sample at a location must belong to a person named there.");
  }
  LinkPartners result;
  result.people_open = open_people(graph, flow);
  const GraphComponents components(graph, flow);
  const auto people_begin =
      components.component.begin() + static_cast<std::ptrdiff_t>(graph.samples.size());
  result.component_of_samples.assign(components.component.begin(), people_begin);
  result.component_of_people.assign(people_begin, components.component.end());
  result.of_samples.resize(graph.samples.size());
  result.of_people.resize(graph.people.size());
  for (std::uint32_t s = 0; s < graph.samples.size(); ++s) {
    for (const auto p : graph.links[s]) {
      if (!result.admits(s, p)) continue;
      result.of_samples[s] += graph.people[p].members.size();
      result.of_people[p] += graph.samples[s].members.size();
    }
  }
  for (std::size_t p = 0; p < graph.people.size(); ++p) {
    if (result.of_people[p] > 0 && result.people_open[p]) {
      result.of_people[p] += graph.null_trails;
    }
  }
  return result;
}

std::uint64_t unlinkability(const LinkPartners& partners) {
  std::uint64_t k = std::numeric_limits<std::uint64_t>::max();
  for (const auto count : partners.of_samples) k = std::min(k, count);
  for (const auto count : partners.of_people) {
    if (count > 0) k = std::min(k, count);
  }
  return k;
}

}  // namespace pratique::trails
