// How well identifiers were found, against spans that somebody marked.
//
//   precision        share of predicted spans that touch a gold span
//   recall_any       share of gold spans that some predicted span touches
//   recall_full      share of gold spans every code point of which is covered by predicted spans
//   clean_touched    share of notes without gold spans in which something was marked
//   over_redaction   share of predicted code points that are in no gold span
//   token_precision  of tokens (words between blanks) that a predicted span touches: the share that
//   a token_recall     gold span touches; and the other way round. Only of notes whose text is at
//   hand
//
// Types are not compared: what is found under another name does not leak. A note that has gold but
// no prediction counts with nothing predicted. Shares of nothing are 0.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/notes/note.h"

namespace pratique::notes {

class Evaluation {
 public:
  // Spans in code points; `text` empty where it is not at hand. Returns gold spans that are not
  // wholly covered.
  std::vector<Span> add(const std::vector<Span>& gold, std::vector<Span> predicted,
                        std::string_view text = {});
  [[nodiscard]] Json to_json() const;

 private:
  void add_tokens(std::string_view text, const std::vector<Span>& gold,
                  const std::vector<Span>& predicted);
  struct Found {
    std::uint64_t spans = 0, touched = 0, covered = 0;
  };
  std::uint64_t notes_ = 0, clean_ = 0, clean_touched_ = 0, predicted_ = 0, right_ = 0;
  std::uint64_t points_ = 0, points_over_ = 0;
  std::uint64_t tokens_gold_ = 0, tokens_predicted_ = 0, tokens_both_ = 0;
  std::map<std::string, Found> by_type_;
};

}  // namespace pratique::notes
