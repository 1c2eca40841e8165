#include "pratique/genomes/method/perfect_matching.h"

#include <algorithm>
#include <deque>
#include <limits>

#include "pratique/core/error.h"

namespace pratique::genomes {
namespace {

using Node = std::int32_t;  // a vertex, or a blossom from `vertices` on
constexpr Node kNobody = -1;
constexpr std::int64_t kCostScale = 4;

struct Link {
  Node from = kNobody;  // a vertex of the first node
  Node to = kNobody;    // a vertex of the second
};

enum class Mark : std::uint8_t { unseen, outer, inner };

class Forest {
 public:
  Forest(const DistanceMatrix& distances, Progress& progress)
      : distances_(distances),
        progress_(progress),
        vertices_(static_cast<Node>(distances.size())),
        nodes_(vertices_ + vertices_ / 2 + 1),
        dual_(nodes_, 0),
        top_(nodes_, kNobody),
        partner_(nodes_, kNobody),
        parent_(nodes_, kNobody),
        nearest_(nodes_, kNobody),
        mark_(nodes_, Mark::unseen),
        visited_(nodes_, 0),
        ring_(nodes_),
        child_with_(nodes_),
        links_(nodes_) {
    for (Node v = 0; v < vertices_; ++v) top_[v] = v;
  }

  std::vector<std::uint32_t> match() {
    begin_with_tight_pairs();
    std::uint64_t free = 0;
    for (Node v = 0; v < vertices_; ++v) free += partner_[v] == kNobody ? 1 : 0;
    progress_.begin("pairing", free / 2);
    for (std::uint64_t phase = 0; phase < free / 2; ++phase) {
      grow_until_augmented();
      progress_.advance(1);
    }
    std::vector<std::uint32_t> partners;
    for (Node v = 0; v < vertices_; ++v)
      partners.push_back(static_cast<std::uint32_t>(partner_[v]));
    return partners;
  }

 private:
  [[nodiscard]] bool is_vertex(Node node) const { return node < vertices_; }

  [[nodiscard]] std::int64_t slack(Node u, Node v) const {
    return kCostScale * distances_.at(static_cast<std::size_t>(u), static_cast<std::size_t>(v)) -
           dual_[u] - dual_[v];
  }
  [[nodiscard]] std::int64_t slack(const Link& link) const { return slack(link.from, link.to); }

  // The best edge from a to b.
  [[nodiscard]] Link link(Node a, Node b) const {
    if (!is_vertex(a)) return links_[a][b];
    if (is_vertex(b)) return {a, b};
    const Link back = links_[b][a];
    return {back.to, back.from};
  }

  // Half of the least cost of each vertex is feasible; then each in turn is raised as far as it
  // goes, and takes a partner that is still free.
  void begin_with_tight_pairs() {
    for (Node v = 0; v < vertices_; ++v) {
      std::int64_t least = std::numeric_limits<std::int64_t>::max();
      for (Node u = 0; u < vertices_; ++u) {
        if (u == v) continue;
        least = std::min<std::int64_t>(
            least, distances_.at(static_cast<std::size_t>(v), static_cast<std::size_t>(u)));
      }
      dual_[v] = least * (kCostScale / 2);
    }
    for (Node v = 0; v < vertices_; ++v) {
      if (partner_[v] != kNobody) continue;
      std::int64_t least = std::numeric_limits<std::int64_t>::max();
      for (Node u = 0; u < vertices_; ++u) {
        if (u != v) least = std::min(least, slack(v, u));
      }
      dual_[v] += least;
      for (Node u = 0; u < vertices_; ++u) {
        if (u == v || partner_[u] != kNobody || slack(v, u) != 0) continue;
        partner_[v] = u;
        partner_[u] = v;
        break;
      }
    }
  }

  [[nodiscard]] bool is_top(Node node) const { return top_[node] == node; }

  void consider_nearest(Node outer_vertex, Node node) {
    if (nearest_[node] == kNobody ||
        slack(link(outer_vertex, node)) < slack(link(nearest_[node], node)))
      nearest_[node] = outer_vertex;
  }
  void find_nearest(Node node) {
    nearest_[node] = kNobody;
    for (Node v = 0; v < vertices_; ++v) {
      if (top_[v] != node && mark_[top_[v]] == Mark::outer) consider_nearest(v, node);
    }
  }

  void enqueue(Node node) {
    if (is_vertex(node)) {
      queue_.push_back(node);
      return;
    }
    for (const Node child : ring_[node]) enqueue(child);
  }
  void put_under(Node node, Node top) {
    top_[node] = top;
    if (is_vertex(node)) return;
    for (const Node child : ring_[node]) put_under(child, top);
  }

  // The place of a child in its ring, which is turned so that the way there from the base has an
  // even number of edges.
  std::size_t even_place(Node blossom, Node child) {
    auto& ring = ring_[blossom];
    auto place =
        static_cast<std::size_t>(std::find(ring.begin(), ring.end(), child) - ring.begin());
    if (place % 2 == 1) {
      std::reverse(ring.begin() + 1, ring.end());
      place = ring.size() - place;
    }
    return place;
  }

  // Matches node a with b by their best edge, and a's inside accordingly.
  void join(Node a, Node b) {
    const Link by = link(a, b);
    partner_[a] = by.to;
    if (is_vertex(a)) return;
    const Node child = child_with_[a][by.from];
    const std::size_t place = even_place(a, child);
    auto& ring = ring_[a];
    for (std::size_t i = 0; i < place; ++i) join(ring[i], ring[i ^ 1U]);
    join(child, b);
    std::rotate(ring.begin(), ring.begin() + static_cast<std::ptrdiff_t>(place), ring.end());
  }

  void flip_path(Node a, Node b) {
    while (true) {
      const Node before = partner_[a] == kNobody ? kNobody : top_[partner_[a]];
      join(a, b);
      if (before == kNobody) return;
      const Node above = top_[parent_[before]];
      join(before, above);
      a = above;
      b = before;
    }
  }

  [[nodiscard]] Node next_outer_above(Node node) const {
    if (partner_[node] == kNobody) return kNobody;
    return top_[parent_[top_[partner_[node]]]];
  }

  Node common_ancestor(Node a, Node b) {
    ++visit_;
    while (a != kNobody || b != kNobody) {
      if (a != kNobody) {
        if (visited_[a] == visit_) return a;
        visited_[a] = visit_;
        a = next_outer_above(a);
      }
      std::swap(a, b);
    }
    return kNobody;
  }

  Node unused_blossom() {
    Node blossom = vertices_;
    while (blossom < nodes_ && top_[blossom] != kNobody) ++blossom;
    return blossom;
  }

  void make_blossom(Node a, Node ancestor, Node b) {
    const Node blossom = unused_blossom();
    dual_[blossom] = 0;
    mark_[blossom] = Mark::outer;
    partner_[blossom] = partner_[ancestor];
    parent_[blossom] = parent_[ancestor];
    auto& ring = ring_[blossom];
    ring.assign(1, ancestor);
    const auto add_path = [&](Node node) {
      while (node != ancestor) {
        ring.push_back(node);
        const Node inner = top_[partner_[node]];
        ring.push_back(inner);
        enqueue(inner);
        node = top_[parent_[inner]];
      }
    };
    add_path(a);
    std::reverse(ring.begin() + 1, ring.end());
    add_path(b);
    put_under(blossom, blossom);

    auto& best = links_[blossom];
    best.assign(static_cast<std::size_t>(nodes_), {});
    auto& inside = child_with_[blossom];
    inside.assign(static_cast<std::size_t>(vertices_), kNobody);
    for (const Node child : ring) {
      for (Node node = 0; node < nodes_; ++node) {
        if (top_[node] == kNobody || top_[node] == blossom) continue;
        const Link by = link(child, node);
        if (best[node].from == kNobody || slack(by) < slack(best[node])) best[node] = by;
      }
      if (is_vertex(child)) {
        inside[child] = child;
      } else {
        for (Node v = 0; v < vertices_; ++v) {
          if (child_with_[child][v] != kNobody) inside[v] = child;
        }
      }
    }
    for (Node node = vertices_; node < nodes_; ++node) {
      if (top_[node] != kNobody && top_[node] != blossom)
        links_[node][blossom] = {best[node].to, best[node].from};
    }
    find_nearest(blossom);
  }

  // An inner blossom whose dual is used up: the even way through its ring stays in the tree.
  void open_blossom(Node blossom) {
    for (const Node child : ring_[blossom]) put_under(child, child);
    const Node entry = child_with_[blossom][link(blossom, top_[parent_[blossom]]).from];
    const std::size_t place = even_place(blossom, entry);
    const auto ring = ring_[blossom];
    for (std::size_t i = 0; i < place; i += 2) {
      const Node inner = ring[i];
      const Node outer = ring[i + 1];
      parent_[inner] = link(outer, inner).from;
      mark_[inner] = Mark::inner;
      mark_[outer] = Mark::outer;
      nearest_[inner] = kNobody;
    }
    mark_[entry] = Mark::inner;
    parent_[entry] = parent_[blossom];
    nearest_[entry] = kNobody;
    for (std::size_t i = place + 1; i < ring.size(); ++i) mark_[ring[i]] = Mark::unseen;
    top_[blossom] = kNobody;
    for (std::size_t i = 0; i < place; i += 2) {
      find_nearest(ring[i + 1]);
      enqueue(ring[i + 1]);
    }
    for (std::size_t i = place + 1; i < ring.size(); ++i) find_nearest(ring[i]);
  }

  // An edge of slack 0 from an outer node. True: the matching was augmented.
  bool follow(const Link& edge) {
    const Node a = top_[edge.from];
    const Node b = top_[edge.to];
    if (mark_[b] == Mark::unseen) {
      parent_[b] = edge.from;
      mark_[b] = Mark::inner;
      nearest_[b] = kNobody;
      const Node outer = top_[partner_[b]];
      mark_[outer] = Mark::outer;
      nearest_[outer] = kNobody;
      enqueue(outer);
    } else if (mark_[b] == Mark::outer) {
      const Node ancestor = common_ancestor(a, b);
      if (ancestor == kNobody) {
        flip_path(a, b);
        flip_path(b, a);
        return true;
      }
      make_blossom(a, ancestor, b);
    }
    return false;
  }

  bool scan_queue() {
    while (!queue_.empty()) {
      const Node u = queue_.front();
      queue_.pop_front();
      if (mark_[top_[u]] == Mark::inner) continue;
      for (Node v = 0; v < vertices_; ++v) {
        if (top_[v] == top_[u]) continue;
        if (slack(u, v) == 0) {
          if (follow({u, v})) return true;
        } else {
          consider_nearest(u, top_[v]);
        }
      }
    }
    return false;
  }

  // How far the duals may move until an edge has slack 0 or a blossom opens.
  [[nodiscard]] std::int64_t step() const {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (Node node = 0; node < nodes_; ++node) {
      if (!is_top(node)) continue;
      if (!is_vertex(node) && mark_[node] == Mark::inner) least = std::min(least, dual_[node] / 2);
      if (nearest_[node] == kNobody || mark_[node] == Mark::inner) continue;
      const std::int64_t gap = slack(link(nearest_[node], node));
      least = std::min(least, mark_[node] == Mark::outer ? gap / 2 : gap);
    }
    return least;
  }

  void move_duals(std::int64_t by) {
    for (Node v = 0; v < vertices_; ++v) {
      if (mark_[top_[v]] == Mark::outer) dual_[v] += by;
      if (mark_[top_[v]] == Mark::inner) dual_[v] -= by;
    }
    for (Node blossom = vertices_; blossom < nodes_; ++blossom) {
      if (!is_top(blossom)) continue;
      if (mark_[blossom] == Mark::outer) dual_[blossom] += 2 * by;
      if (mark_[blossom] == Mark::inner) dual_[blossom] -= 2 * by;
    }
  }

  bool follow_tight_edges() {
    for (Node node = 0; node < nodes_; ++node) {
      if (!is_top(node) || nearest_[node] == kNobody || top_[nearest_[node]] == node) continue;
      const Link by = link(nearest_[node], node);
      if (slack(by) == 0 && follow(by)) return true;
    }
    return false;
  }

  void grow_until_augmented() {
    std::fill(mark_.begin(), mark_.end(), Mark::unseen);
    std::fill(nearest_.begin(), nearest_.end(), kNobody);
    queue_.clear();
    for (Node node = 0; node < nodes_; ++node) {
      if (!is_top(node) || partner_[node] != kNobody) continue;
      parent_[node] = kNobody;
      mark_[node] = Mark::outer;
      enqueue(node);
    }
    while (true) {
      progress_.check();
      if (scan_queue()) return;
      move_duals(step());
      if (follow_tight_edges()) return;
      for (Node blossom = vertices_; blossom < nodes_; ++blossom) {
        if (is_top(blossom) && mark_[blossom] == Mark::inner && dual_[blossom] == 0)
          open_blossom(blossom);
      }
    }
  }

  const DistanceMatrix& distances_;
  Progress& progress_;
  Node vertices_;
  Node nodes_;
  std::vector<std::int64_t> dual_;
  std::vector<Node> top_;      // the outermost blossom that holds it; nobody: not in use
  std::vector<Node> partner_;  // a vertex
  std::vector<Node> parent_;   // of an inner node, the outer vertex that it was reached from
  std::vector<Node> nearest_;  // the outer vertex with the least slack to it
  std::vector<Mark> mark_;
  std::vector<std::uint64_t> visited_;
  std::uint64_t visit_ = 0;
  std::vector<std::vector<Node>> ring_;        // of a blossom: its children, the base first
  std::vector<std::vector<Node>> child_with_;  // of a blossom: by vertex
  std::vector<std::vector<Link>> links_;       // of a blossom: by node, the best edge
  std::deque<Node> queue_;
};

}  // namespace

std::vector<std::uint32_t> minimum_perfect_matching(const DistanceMatrix& distances,
                                                    Progress& progress) {
  if (distances.size() % 2 == 1) throw Error::input("an odd number of sequences cannot be paired");
  if (distances.size() == 0) return {};
  return Forest(distances, progress).match();
}

}  // namespace pratique::genomes
