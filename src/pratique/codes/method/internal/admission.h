// Builds a release label by label, for models in which some codes are sensitive and the others
// public.
//
// A label is admitted when no set of admitted labels breaks the model together with it; so at all
// times what is admitted keeps the model. A breach is mended by the cheapest of: raising one of its
// public labels to the parent in the tree, or suppressing one of its labels in all records. Then
// raised nodes are lowered again where that, with the suppression of what then breaks the model,
// loses less. Sensitive codes are never generalised, and no label covers one.
#pragma once

#include <functional>
#include <vector>

#include "pratique/codes/method/internal/rare_sets.h"
#include "pratique/codes/method/protection.h"

namespace pratique::codes {

class Admission {
 public:
  // Without `use_tree` nothing is raised.
  Admission(const Task& task, bool use_tree);

  [[nodiscard]] const LabelledRecords& records() const { return records_; }
  [[nodiscard]] bool admitted(Node label) const { return state_[label] == State::admitted; }
  [[nodiscard]] bool sensitive(Node label) const {
    return label < sensitive_.size() && sensitive_[label];
  }

  // Admitted labels that break the model together with `label`, itself maybe among them; empty when
  // none do. Any of them may be raised or suppressed.
  using Check = std::function<std::vector<Node>(Node label)>;
  // Sensitive codes first, then public ones, frequent ones before rare ones.
  void run(const Check& check, Progress& progress);
  void suppress(Node label);
  [[nodiscard]] Recoding recoding() const;

 private:
  enum class State : std::uint8_t { absent, waiting, admitted, suppressed };

  [[nodiscard]] std::vector<Node> public_labels_under(Node node) const;
  [[nodiscard]] double loss(Node label) const;
  [[nodiscard]] double loss_when_suppressed(Node label) const {
    return occurrences_[label] * (sensitive(label) ? sensitive_weight_ : 1);
  }
  void settle(const Check& check);
  void mend(const std::vector<Node>& breach);
  void raise(Node node);
  std::vector<Node> lower(Node node);
  bool try_lower(Node node, const Check& check);

  const Task& task_;
  const CodeTree* tree_;
  std::vector<bool> sensitive_;  // by code
  LabelledRecords records_;
  std::vector<double> occurrences_;  // of public codes under a node, or of the sensitive code
  // All sensitive codes together are worth as much as all public ones: else the few occurrences of
  // sensitive codes would always be the cheapest to give up.
  double sensitive_weight_ = 1;
  std::vector<State> state_;
  std::vector<Node> label_of_;  // by code
  std::vector<Node> waiting_;
};

// By code.
[[nodiscard]] std::vector<bool> sensitive_codes(const Task& task);

}  // namespace pratique::codes
