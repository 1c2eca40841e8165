// train_notes_model FOLDER: FOLDER/model, the default model of notes, trained on generated notes of
// the trained half of their templates. The other half is what it is measured on (bench/notes.py).
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "pratique/notes/format/json_lines.h"
#include "pratique/notes/model/training.h"
#include "pratique/synthetic/notes.h"

namespace {

constexpr std::uint64_t kNotes = 1'000;
constexpr std::uint64_t kSeed = 20;
constexpr int kMostIterations = 50;

void train_into(const std::string& folder) {
  using namespace pratique;
  std::filesystem::create_directories(folder);
  const std::string generated = folder + "/notes.jsonl";
  generate_notes({.notes = kNotes,
                  .seed = kSeed,
                  .half = NotesOptions::Half::trained,
                  .path = generated,
                  .register_path = {}},
                 Progress::silent());
  std::vector<notes::Note> marked;
  notes::read_note_lines(
      generated, true,
      [&](notes::NoteFile&& file) {
        std::move(file.notes.begin(), file.notes.end(), std::back_inserter(marked));
      },
      Progress::silent());
  notes::TaggerReport report;
  notes::train_tagger(marked, kSeed, kMostIterations, report, Progress::silent())
      .write(folder + "/model");
  std::filesystem::remove(generated);
  std::printf("default model of notes: %d iterations, F1 %.3f on generated notes held back\n",
              report.iterations, report.f1);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count != 2) return 2;
    train_into(arguments[1]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "train_notes_model: %s\n", error.what());
    return 3;
  }
}
