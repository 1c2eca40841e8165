// A linear-chain conditional random field (Lafferty, McCallum and Pereira 2001) that labels every
// token of a note with a type of identifier or none. CRFsuite trains it (training.h); here it is
// decoded, line by line, by tables of our own: Viterbi's best labels, and by forward and backward
// sums the probability that a token is an identifier of any type, which is a span's certainty.
//
// Features (internal/features.h) are hashed into 2^17 rows: a model file holds weights and no word,
// and so carries no name of those it was trained on, though whoever guesses one can ask whether its
// row has weight.
//
// Scores are divided by a temperature that was fitted on notes held back from training, and the
// file has a table of what share of identifiers all detectors together find at each threshold,
// measured on these notes: `--recall` looks a threshold up there.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/notes/note.h"

namespace pratique::notes {

// 0: none. Types that differ by their number alone are one to the model.
inline constexpr std::size_t kModelLabels = 8;
[[nodiscard]] std::size_t model_label(std::string_view type);

// Recall of whole spans at a threshold.
struct RecallAt {
  float certainty = 0;
  float recall = 0;
};

// Which lines are looked at: open ones have a word or number that nobody found for sure and that
// is more than an English or medical word.
enum class Lines { all, open };

class Tagger {
 public:
  Tagger();
  // Throws where the file is no model, or of another version.
  static Tagger read(const std::string& path);
  static Tagger parse(std::string_view bytes, const std::string& path);
  void write(const std::string& path) const;

  // Spans of what it finds; in order and apart. `hits` is what other detectors found, with
  // certainties from kLeastHit on (find/finder.h).
  [[nodiscard]] std::vector<Span> tag(std::string_view text, const std::vector<Span>& hits) const;
  // Of lines with something that nobody found and is no plain word, where `which` says so.
  [[nodiscard]] std::vector<Span> tag(std::string_view text, const std::vector<Span>& hits,
                                      Lines which) const;
  [[nodiscard]] std::vector<Span> tag(std::string_view text) const;
  // How sure it is of its least certain token: what is worth marking next has the least.
  [[nodiscard]] double least_certainty(std::string_view text) const;

  // The highest threshold, `most` at most, at which so much was found of the notes held back; none
  // reaches it: the lowest. Of a model without such a table: `most`.
  [[nodiscard]] RecallAt threshold_for(double recall, double most) const;

  static constexpr std::size_t kLabels = kModelLabels;

 private:
  friend class TaggerTraining;
  std::vector<float> weights_;      // by row and label
  std::vector<float> transitions_;  // by label before and label
  float temperature_ = 1;
  std::vector<RecallAt> recalls_;  // by rising certainty
};

}  // namespace pratique::notes
