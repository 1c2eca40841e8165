#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/codes/method/internal/admission.h"
#include "pratique/codes/method/sensitive_methods.h"

namespace pratique::codes {
namespace {

// Counts within ever smaller lists of records.
class Moles {
 public:
  Moles(const Admission& admission, const Task& task)
      : admission_(admission), records_(admission.records()), parameters_(task.parameters) {
    const auto sensitive = sensitive_codes(task);
    first_.push_back(0);
    for (std::size_t s = 0; s < task.sets.size(); ++s) {
      for (const Code code : task.sets.set(s)) {
        if (sensitive[code]) sensitive_.push_back(code);
      }
      first_.push_back(sensitive_.size());
    }
    counts_.resize(sensitive.size(), 0);
  }

  // A set of public labels with `label` that too few patients have or that tells too much.
  std::vector<Node> with(Node label) {
    if (admission_.sensitive(label)) return {};
    path_ = {label};
    if (descend(records_.with(label), parameters_.p - 1, label, false)) return path_;
    return {};
  }

 private:
  bool tells_too_much(std::span<const std::uint32_t> records, double support) {
    bool too_much = false;
    for (const std::uint32_t r : records) {
      for (std::size_t i = first_[r]; i < first_[r + 1]; ++i) {
        auto& count = counts_[sensitive_[i]];
        count += records_.weight(r);
        too_much = too_much || static_cast<double>(count) * parameters_.h > support;
      }
    }
    for (const std::uint32_t r : records) {
      for (std::size_t i = first_[r]; i < first_[r + 1]; ++i) counts_[sensitive_[i]] = 0;
    }
    return too_much;
  }

  // `below`: only labels before `last` are added, so that every set comes once.
  bool descend(std::span<const std::uint32_t> records, int more, Node last, bool below) {
    std::uint64_t support = 0;
    for (const std::uint32_t r : records) support += records_.weight(r);
    if (support == 0) return false;
    if (support < parameters_.k || tells_too_much(records, static_cast<double>(support))) {
      return true;
    }
    if (more == 0) return false;
    std::vector<std::pair<Node, std::uint32_t>> next;
    for (const std::uint32_t r : records) {
      for (const Node node : records_.record(r)) {
        if (node != path_.front() && (!below || node < last) && admission_.admitted(node) &&
            !admission_.sensitive(node)) {
          next.emplace_back(node, r);
        }
      }
    }
    std::sort(next.begin(), next.end());
    std::vector<std::uint32_t> inside;
    for (std::size_t i = 0; i < next.size();) {
      const Node node = next[i].first;
      inside.clear();
      for (; i < next.size() && next[i].first == node; ++i) inside.push_back(next[i].second);
      path_.push_back(node);
      if (descend(inside, more - 1, node, true)) return true;
      path_.pop_back();
    }
    return false;
  }

  const Admission& admission_;
  const LabelledRecords& records_;
  const Parameters& parameters_;
  std::vector<std::size_t> first_;
  std::vector<Code> sensitive_;  // codes of each record
  std::vector<std::uint64_t> counts_;
  std::vector<Node> path_;
};

Recoding make(const Task& task, bool use_tree, Progress& progress) {
  Admission admission(task, use_tree);
  Moles moles(admission, task);
  admission.run([&](Node label) { return moles.with(label); }, progress);
  return admission.recoding();
}

}  // namespace

Recoding make_coherent(const Task& task, Progress& progress) { return make(task, true, progress); }

Recoding make_coherent_by_suppression(const Task& task, Progress& progress) {
  return make(task, false, progress);
}

}  // namespace pratique::codes
