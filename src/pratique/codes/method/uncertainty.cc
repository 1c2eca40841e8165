#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/codes/method/internal/admission.h"
#include "pratique/codes/method/sensitive_methods.h"

namespace pratique::codes {
namespace {

// Records looked at for one label; a label that needs more is generalised, unseen.
constexpr std::int64_t kPatience = 20'000'000;

// Looks for known labels X and a sensitive code a such that at least a share rho of the records
// with X have a. The records with X and a are the hits, those with X alone the misses. Known labels
// more leave fewer hits, but always the misses that have all labels of some hit: where even those
// are enough, nothing further is to be found.
class Inferences {
 public:
  Inferences(const Admission& admission, const Task& task)
      : admission_(admission),
        records_(admission.records()),
        rho_(task.parameters.rho),
        floor_(records_.size(), 0),
        stamp_(records_.size(), 0),
        wanted_(records_.nodes(), 0) {
    for (std::uint32_t r = 0; r < records_.size(); ++r) all_.push_back(r);
  }

  std::vector<Node> with(Node label) {
    left_ = kPatience;
    path_.clear();
    if (admission_.sensitive(label) && leads_to(label, all_)) return breach(label);
    path_ = {label};
    const auto& with = records_.with(label);
    for (const Node code : shown_beside(label)) {
      if (leads_to(code, with)) return breach(code);
    }
    return {};
  }

 private:
  using Records = std::vector<std::uint32_t>;

  std::vector<Node> breach(Node inferred) const {
    auto labels = path_;
    labels.push_back(inferred);
    return labels;
  }

  std::vector<Node> shown_beside(Node label) const {
    std::vector<Node> codes;
    for (const std::uint32_t r : records_.with(label)) {
      for (const Node node : records_.record(r)) {
        if (node != label && counts(node) && admission_.sensitive(node)) codes.push_back(node);
      }
    }
    std::sort(codes.begin(), codes.end());
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    return codes;
  }

  bool counts(Node node) const { return admission_.admitted(node); }

  double weight(const Records& records) const {
    double sum = 0;
    for (const std::uint32_t r : records) sum += records_.weight(r);
    return sum;
  }

  bool leads_to(Node code, const Records& records) {
    Records hits;
    Records misses;
    for (const std::uint32_t r : records) {
      const auto labels = records_.record(r);
      (std::binary_search(labels.begin(), labels.end(), code) ? hits : misses).push_back(r);
    }
    ++round_;
    for (const std::uint32_t r : misses) stamp_[r] = round_;
    for (const std::uint32_t r : hits) floor_[r] = misses_like(r, code);
    return descend(hits, misses, code, 0);
  }

  // Patients among the misses whose records have all labels of record r but `code`.
  double misses_like(std::uint32_t r, Node code) {
    Node rarest = code;
    std::size_t size = 0;
    for (const Node node : records_.record(r)) {
      if (node == code || !counts(node)) continue;
      wanted_[node] = 1;
      ++size;
      if (rarest == code || records_.with(node).size() < records_.with(rarest).size()) {
        rarest = node;
      }
    }
    double patients = 0;
    const auto& among = rarest == code ? all_ : records_.with(rarest);
    for (const std::uint32_t other : among) {
      if (stamp_[other] != round_) continue;
      std::size_t shared = 0;
      for (const Node node : records_.record(other)) shared += wanted_[node];
      if (shared == size) patients += records_.weight(other);
    }
    left_ -= static_cast<std::int64_t>(among.size());
    for (const Node node : records_.record(r)) wanted_[node] = 0;
    return patients;
  }

  bool descend(const Records& hits, const Records& misses, Node code, Node from) {
    left_ -= static_cast<std::int64_t>(hits.size() + misses.size());
    const double hit = weight(hits);
    if (hit == 0) return false;
    if (left_ < 0 || hit >= rho_ * (hit + weight(misses))) return true;
    double least = floor_[hits.front()];
    for (const std::uint32_t r : hits) least = std::min(least, floor_[r]);
    if (hit < rho_ * (hit + least)) return false;
    std::vector<std::pair<Node, std::uint32_t>> next;
    for (const std::uint32_t r : hits) {
      for (const Node node : records_.record(r)) {
        if (node >= from && node != code && counts(node) &&
            (path_.empty() || node != path_.front())) {
          next.emplace_back(node, r);
        }
      }
    }
    std::sort(next.begin(), next.end());
    for (std::size_t i = 0; i < next.size();) {
      const Node node = next[i].first;
      Records more_hits;
      for (; i < next.size() && next[i].first == node; ++i) more_hits.push_back(next[i].second);
      Records more_misses;
      for (const std::uint32_t r : misses) {
        const auto labels = records_.record(r);
        if (std::binary_search(labels.begin(), labels.end(), node)) more_misses.push_back(r);
      }
      path_.push_back(node);
      if (descend(more_hits, more_misses, code, node + 1)) return true;
      path_.pop_back();
    }
    return false;
  }

  const Admission& admission_;
  const LabelledRecords& records_;
  double rho_;
  std::vector<double> floor_;         // by hit
  std::vector<std::uint32_t> stamp_;  // round in which the record was a miss
  std::vector<std::uint8_t> wanted_;
  std::uint32_t round_ = 0;
  Records all_;
  std::int64_t left_ = 0;
  std::vector<Node> path_;
};

// Patients with nothing left do not leave, so the others weigh more for who knows nothing.
void hide_what_is_common(Admission& admission, const Task& task) {
  const auto& records = admission.records();
  const auto sensitive = sensitive_codes(task);
  for (bool again = true; again;) {
    again = false;
    double patients = 0;
    std::vector<double> with(sensitive.size(), 0);
    for (std::uint32_t r = 0; r < records.size(); ++r) {
      bool stays = false;
      for (const Node node : records.record(r)) {
        if (!admission.admitted(node)) continue;
        stays = true;
        if (admission.sensitive(node)) with[node] += records.weight(r);
      }
      if (stays) patients += records.weight(r);
    }
    for (Code code = 0; code < with.size(); ++code) {
      if (with[code] > 0 && with[code] >= task.parameters.rho * patients) {
        admission.suppress(code);
        again = true;
        break;
      }
    }
  }
}

}  // namespace

Recoding make_uncertain(const Task& task, Progress& progress) {
  Admission admission(task, true);
  Inferences inferences(admission, task);
  admission.run([&](Node label) { return inferences.with(label); }, progress);
  hide_what_is_common(admission, task);
  return admission.recoding();
}

}  // namespace pratique::codes
