// A linear-chain model that labels every token of a note B-type, I-type or O, trained on marked
// notes by the averaged structured perceptron (Collins 2002) and decoded by Viterbi, line by line.
//
// Features are the word, its shape, affixes and neighbours, the lists that have it (words/words.h),
// the first word of the line, and what the other detectors found there (finder.h), so that it
// learns when to believe them. They are hashed into 2^17 rows: a model file holds weights and no
// word, and so carries no name of those it was trained on, though whoever guesses one can ask
// whether its row has weight.
//
// A token's certainty is a softmax of its scores given the best labels beside it, at a temperature
// that is fitted on notes held back from training.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/notes/note.h"

namespace pratique::notes {

class Tagger {
 public:
  Tagger();
  // Throws where the file is no model, or of another version.
  static Tagger read(const std::string& path);
  void write(const std::string& path) const;

  // Spans of what it finds; in order and apart.
  [[nodiscard]] std::vector<Span> tag(std::string_view text) const;
  // How sure it is of its least certain token: what is worth marking next has the least.
  [[nodiscard]] double least_certainty(std::string_view text) const;

  static constexpr std::size_t kRows = std::size_t{1} << 17U;

 private:
  friend class TaggerTraining;
  std::vector<float> weights_;      // by row and label
  std::vector<float> transitions_;  // by label before and label
  float temperature_ = 1;
};

struct TaggerReport {
  int epochs = 0;
  double f1 = 0;  // on the notes held back
};

// A tenth of the notes is held back to stop early and to fit the temperature.
[[nodiscard]] Tagger train_tagger(std::span<const Note> notes, std::uint64_t seed, int most_epochs,
                                  TaggerReport& report, Progress& progress);

struct SpanScore {
  std::uint64_t gold = 0, predicted = 0, right = 0;
  void add(const std::vector<Span>& gold_spans, const std::vector<Span>& found);
  [[nodiscard]] double f1() const;
};

}  // namespace pratique::notes
