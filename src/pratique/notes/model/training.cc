#include "pratique/notes/model/training.h"

#include <algorithm>
#include <cmath>
#include <crfsuite.hpp>
#include <cstdio>
#include <memory>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/notes/find/finder.h"
#include "pratique/notes/model/detect.h"
#include "pratique/notes/model/internal/decoding.h"
#include "pratique/notes/model/internal/features.h"

namespace pratique::notes {
namespace {

using LabelsOfLine = std::vector<std::uint8_t>;

LabelsOfLine gold_labels(const ModelLine& line, const std::vector<Span>& spans) {
  LabelsOfLine labels(line.size(), 0);
  for (const Span& span : spans) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i].start < span.end && line[i].end > span.start)
        labels[i] = static_cast<std::uint8_t>(model_label(span.type));
    }
  }
  return labels;
}

// Rows and labels go to CRFsuite by their numbers as text, and so they come back.
class NumberedTrainer : public CRFSuite::Trainer {
 public:
  explicit NumberedTrainer(Progress& progress) : progress_(progress) {
    if (!select("lbfgs", "crf1d"))
      throw Error::machine("CRFsuite has no L-BFGS").hint("Build the program again.");
  }
  void add(const ModelLine& line, const LabelsOfLine& gold) {
    CRFSuite::ItemSequence items(line.size());
    CRFSuite::StringList labels(line.size());
    for (std::size_t i = 0; i < line.size(); ++i) {
      for (const auto row : line[i].rows) items[i].emplace_back(std::to_string(row));
      labels[i] = std::to_string(gold[i]);
    }
    append(items, labels, 0);
  }
  void message(const std::string& text) override {
    if (text.find("Iteration #") != std::string::npos) {
      ++iterations;
      progress_.advance(1);
    }
  }
  int iterations = 0;

 private:
  Progress& progress_;
};

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }  // NOLINT(cert-err33-c): read
};

}  // namespace

class TaggerTraining {
 public:
  TaggerTraining(std::span<const Note> notes, Progress& progress)
      : progress_(progress), notes_(notes), lines_(notes.size()), labels_(notes.size()) {
    parallel_blocks(notes.size(), 8, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end; ++n) {
        lines_[n] = featured_lines(notes[n].text, find_candidates(notes[n].text));
        for (const ModelLine& line : lines_[n])
          labels_[n].push_back(gold_labels(line, notes[n].spans));
      }
    });
  }

  Tagger train(std::uint64_t seed, int most_iterations, TaggerReport& report) {
    SeededRandom random(seed);
    std::vector<std::size_t> order(notes_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(order);
    const auto held = static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, order.size() / 10));
    const std::vector<std::size_t> apart(order.begin(), order.begin() + held);
    progress_.begin("training", static_cast<std::uint64_t>(most_iterations));
    NumberedTrainer trainer(progress_);
    for (auto at = order.begin() + held; at != order.end(); ++at) {
      for (std::size_t l = 0; l < lines_[*at].size(); ++l)
        trainer.add(lines_[*at][l], labels_[*at][l]);
      progress_.check();
    }
    trainer.set("max_iterations", std::to_string(most_iterations));
    trainer.set("c2", "0.5");
    trainer.set("period", "5");
    trainer.set("delta", "0.005");
    const PrivateFolder folder;
    const std::string file = folder.path() + "/model";
    if (const int failed = trainer.train(file, -1); failed != 0) {
      throw Error::machine("CRFsuite could not train: error " + std::to_string(failed))
          .hint("Is the disk of TMPDIR full?");
    }
    report.iterations = trainer.iterations;
    Tagger model = converted(file, folder.path() + "/dump");
    model.temperature_ = fit_temperature(model, apart);
    SpanScore score;
    for (const std::size_t n : apart) score.add(notes_[n].spans, model.tag(notes_[n].text));
    report.f1 = score.f1();
    model.recalls_ = recalls_at(model, apart);
    return model;
  }

 private:
  // CRFsuite tells its weights as text: "  (0) 5123 --> 1: 0.25" for a row and a label, and the
  // same with two labels under TRANSITIONS.
  static Tagger converted(const std::string& file, const std::string& dump) {
    crfsuite_model_t* trained = nullptr;
    if (crfsuite_create_instance_from_file(file.c_str(), reinterpret_cast<void**>(&trained)) != 0)
      throw Error::machine("what CRFsuite trained cannot be read");
    {
      const std::unique_ptr<std::FILE, CloseFile> out(std::fopen(dump.c_str(), "w"));
      if (out) trained->dump(trained, out.get());
      trained->release(trained);
    }
    Tagger model;
    const std::unique_ptr<std::FILE, CloseFile> in(std::fopen(dump.c_str(), "r"));
    if (!in) throw Error::machine("what CRFsuite trained cannot be read");
    bool transitions = false;
    std::array<char, 256> line{};
    while (std::fgets(line.data(), line.size(), in.get()) != nullptr) {
      const std::string_view text(line.data());
      if (text.starts_with("TRANSITIONS")) transitions = true;
      if (text.starts_with("STATE_FEATURES")) transitions = false;
      int type = 0;
      std::size_t from = 0;
      std::size_t label = 0;
      double weight = 0;
      // NOLINTNEXTLINE(cert-err34-c): what CRFsuite wrote, and its count is looked at
      if (std::sscanf(line.data(), " (%d) %zu --> %zu: %lf", &type, &from, &label, &weight) != 4)
        continue;
      if (label >= kModelLabels || from >= (transitions ? kModelLabels : kFeatureRows)) continue;
      (transitions ? model.transitions_ : model.weights_)[from * kModelLabels + label] =
          static_cast<float>(weight);
    }
    return model;
  }

  // The one under which the labels of the notes held back are most likely.
  [[nodiscard]] float fit_temperature(const Tagger& model,
                                      const std::vector<std::size_t>& apart) const {
    float best = 1;
    double least = 1e300;
    for (const float temperature : {0.5F, 0.75F, 1.F, 1.5F, 2.F, 3.F, 5.F}) {
      double loss = 0;
      for (const std::size_t n : apart) {
        for (std::size_t l = 0; l < lines_[n].size(); ++l) {
          const auto decoded =
              decode(lines_[n][l], {model.weights_, model.transitions_, temperature}, true);
          for (std::size_t i = 0; i < decoded.labels.size(); ++i) {
            const double certain = std::clamp(decoded.certainties[i], 1e-9, 1 - 1e-9);
            loss -= std::log(labels_[n][l][i] == 0 ? 1 - certain : certain);
          }
        }
      }
      if (loss < least) {
        least = loss;
        best = temperature;
      }
    }
    return best;
  }

  [[nodiscard]] std::vector<RecallAt> recalls_at(const Tagger& model,
                                                 const std::vector<std::size_t>& apart) const {
    constexpr int kSteps = 40;
    std::vector<RecallAt> result;
    Detectors detectors;
    detectors.model = std::make_shared<const Tagger>(model);
    for (int step = 8; step <= kSteps / 2; ++step) {
      detectors.certainty = static_cast<double>(step) / kSteps;
      std::vector<std::uint64_t> covered(apart.size());
      parallel_blocks(apart.size(), 4, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const Note& note = notes_[apart[i]];
          const auto spans = detectors.find(note.text);
          for (const Span& gold : note.spans) {
            std::size_t reached = gold.start;
            for (const Span& span : spans) {
              if (span.start <= reached) reached = std::max(reached, span.end);
            }
            covered[i] += reached >= gold.end ? 1 : 0;
          }
        }
      });
      std::uint64_t spans = 0;
      for (const std::size_t n : apart) spans += notes_[n].spans.size();
      const auto all = std::accumulate(covered.begin(), covered.end(), std::uint64_t{0});
      if (spans == 0) return {};
      result.push_back({static_cast<float>(detectors.certainty),
                        static_cast<float>(static_cast<double>(all) / static_cast<double>(spans))});
    }
    // More is found where less certainty is asked for; what a table of few notes says otherwise is
    // chance.
    for (std::size_t i = result.size(); i-- > 1;)
      result[i - 1].recall = std::max(result[i - 1].recall, result[i].recall);
    return result;
  }

  Progress& progress_;
  std::span<const Note> notes_;
  std::vector<std::vector<ModelLine>> lines_;
  std::vector<std::vector<LabelsOfLine>> labels_;
};

Tagger train_tagger(std::span<const Note> notes, std::uint64_t seed, int most_iterations,
                    TaggerReport& report, Progress& progress) {
  return TaggerTraining(notes, progress).train(seed, most_iterations, report);
}

// Right is a span with both ends of a marked one.
void SpanScore::add(const std::vector<Span>& gold_spans, const std::vector<Span>& tagged) {
  gold += gold_spans.size();
  predicted += tagged.size();
  for (const Span& span : tagged) {
    right += std::any_of(gold_spans.begin(), gold_spans.end(), [&](const Span& other) {
      return other.start == span.start && other.end == span.end;
    });
  }
}

double SpanScore::f1() const {
  return gold + predicted == 0
             ? 0
             : 2 * static_cast<double>(right) / static_cast<double>(gold + predicted);
}

}  // namespace pratique::notes
