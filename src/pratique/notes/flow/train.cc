#include "pratique/notes/flow/train.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/notes/model/training.h"

namespace pratique::notes::flow {
namespace {

std::vector<Note> all_notes(const OpenedNotes& opened, std::vector<RejectedNote>& rejected,
                            const Run& run) {
  std::vector<Note> notes;
  rejected = opened.rejected;
  opened.read(
      [&](NoteFile&& file) {
        std::move(file.notes.begin(), file.notes.end(), std::back_inserter(notes));
        rejected.insert(rejected.end(), file.rejected.begin(), file.rejected.end());
      },
      run.progress);
  return notes;
}

std::vector<std::string> worth_marking(const std::vector<Note>& pool, const Tagger& model,
                                       std::uint64_t count) {
  std::vector<std::pair<double, std::size_t>> ranked(pool.size());
  parallel_blocks(pool.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) ranked[i] = {model.least_certainty(pool[i].text), i};
  });
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < ranked.size() && i < count; ++i)
    ids.push_back(pool[ranked[i].second].id);
  return ids;
}

}  // namespace

Outcome train(const TrainRequest& request, const Run& run) {
  std::vector<RejectedNote> rejected;
  std::vector<Note> notes = all_notes(open_notes(request.annotated, run), rejected, run);
  std::vector<Note> unmarked;
  if (request.suggest > 0 && request.pool.empty()) {
    const auto first = std::stable_partition(notes.begin(), notes.end(),
                                             [](const Note& note) { return !note.spans.empty(); });
    std::move(first, notes.end(), std::back_inserter(unmarked));
    notes.erase(first, notes.end());
  }
  std::uint64_t spans = 0;
  for (const Note& note : notes) spans += note.spans.size();
  if (notes.size() < 2 * request.folds || spans == 0) {
    throw Error::input("too few marked notes to train on")
        .at(request.annotated.path)
        .hint("Mark at least two notes for each fold; generate notes makes some.");
  }
  const std::uint64_t seed = request.seed ? *request.seed : draw_seed();
  SeededRandom random(seed, 1);
  random.shuffle(notes);
  std::vector<double> fold_f1;
  double sum = 0;
  for (std::uint64_t fold = 0; fold < request.folds; ++fold) {
    std::vector<Note> used;
    std::vector<const Note*> apart;
    for (std::size_t i = 0; i < notes.size(); ++i) {
      if (i % request.folds == fold) {
        apart.push_back(&notes[i]);
      } else {
        used.push_back(notes[i]);
      }
    }
    TaggerReport report;
    const Tagger model =
        train_tagger(used, seed + fold, static_cast<int>(request.epochs), report, run.progress);
    std::vector<SpanScore> scores(apart.size());
    parallel_blocks(apart.size(), 8, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        scores[i].add(apart[i]->spans, model.tag(apart[i]->text));
    });
    SpanScore all;
    for (const auto& score : scores) {
      all.gold += score.gold;
      all.predicted += score.predicted;
      all.right += score.right;
    }
    fold_f1.push_back(all.f1());
    sum += all.f1();
  }
  TaggerReport report;
  const Tagger model =
      train_tagger(notes, seed, static_cast<int>(request.epochs), report, run.progress);
  model.write(request.out);
  Json result = {{"notes", notes.size()},
                 {"spans", spans},
                 {"f1", sum / static_cast<double>(request.folds)},
                 {"folds", request.folds},
                 {"fold_f1", fold_f1},
                 {"epochs", report.iterations},
                 {"seed", seed},
                 {"rejected", to_json(rejected)},
                 {"out", request.out}};
  if (request.suggest > 0) {
    std::vector<RejectedNote> ignored;
    if (!request.pool.empty())
      unmarked = all_notes(open_notes({.path = request.pool}, run), ignored, run);
    result["suggested"] = worth_marking(unmarked, model, request.suggest);
  }
  return {result};
}

}  // namespace pratique::notes::flow
