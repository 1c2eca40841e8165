// How well identifiers were found, against spans that somebody marked.
//
//   precision      share of predicted spans that touch a gold span
//   recall_any     share of gold spans that some predicted span touches
//   recall_full    share of gold spans every code point of which is covered by predicted spans
//   clean_touched  share of notes without gold spans in which something was marked
//
// Types are not compared: what is found under another name does not leak. A note that has gold but
// no prediction counts with nothing predicted. Shares of nothing are 0.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/notes/note.h"

namespace pratique::notes {

class Evaluation {
 public:
  void add(const std::vector<Span>& gold, std::vector<Span> predicted);
  [[nodiscard]] Json to_json() const;

 private:
  struct Found {
    std::uint64_t spans = 0, touched = 0, covered = 0;
  };
  std::uint64_t notes_ = 0, clean_ = 0, clean_touched_ = 0, predicted_ = 0, right_ = 0;
  std::map<std::string, Found> by_type_;
};

}  // namespace pratique::notes
