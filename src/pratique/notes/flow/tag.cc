#include "pratique/notes/flow/tag.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <unordered_map>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/parallel.h"
#include "pratique/notes/find/patient_record.h"
#include "pratique/notes/format/foreign_notes.h"
#include "pratique/notes/format/json_lines.h"
#include "pratique/notes/metric/evaluation.h"
#include "pratique/words/words.h"

namespace pratique::notes::flow {
namespace {

void add_rejected(std::vector<RejectedNote>& all, std::vector<RejectedNote>&& some) {
  all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
}

// Spans, a text with tags, or brat's annotations of it.
std::string written_line(const Note& note, const std::vector<Span>& spans,
                         const std::string& form) {
  if (form == "json") return spans_line(note, spans);
  Json line = {{"id", note.id}};
  if (form == "inline") {
    line["text"] = to_inline_tags(note.text, spans);
  } else {
    line["text"] = note.text;
    line["ann"] = to_brat(note, spans);
  }
  return line.dump() + "\n";
}

// Folded words of it.
bool has_word(std::string_view text, const std::set<std::string>& words) {
  bool found = false;
  for (std::size_t at = 0; at < text.size() && !found;) {
    const auto is_letter = [&](std::size_t i) {
      const auto c = static_cast<unsigned char>(text[i]);
      return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    const std::size_t start = at;
    while (at < text.size() && is_letter(at)) ++at;
    found = at > start && words.contains(words::folded(text.substr(start, at - start)));
    if (at == start) ++at;
  }
  return found;
}

// Finds in all notes that were read together. A name that is certain in one note of a patient is
// looked for in the others that have its words: only these are read twice.
std::vector<std::vector<Span>> find_in_all(const std::vector<Note>& notes,
                                           const Detectors& detectors,
                                           const PatientRecords& records) {
  std::vector<std::vector<Span>> spans_of(notes.size());
  std::vector<std::vector<std::string>> certain(notes.size());
  parallel_blocks(notes.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      spans_of[i] = detectors.find(notes[i].text, records.of(notes[i].patient));
      if (!notes[i].patient.empty()) certain[i] = certain_names(notes[i].text, spans_of[i]);
    }
  });
  std::unordered_map<std::string_view, std::vector<std::size_t>> of_patient;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    if (!notes[i].patient.empty()) of_patient[notes[i].patient].push_back(i);
  }
  std::vector<const std::vector<std::size_t>*> several;
  for (const auto& [patient, of] : of_patient) {
    if (of.size() > 1) several.push_back(&of);
  }
  parallel_blocks(several.size(), 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      const auto& of = *several[p];
      std::set<std::string> learned;
      for (const std::size_t i : of) learned.insert(certain[i].begin(), certain[i].end());
      for (const std::size_t i : of) {
        std::set<std::string> others = learned;
        for (const auto& word : certain[i]) others.erase(word);
        if (others.empty() || !has_word(notes[i].text, others)) continue;
        const auto* record = records.of(notes[i].patient);
        KnownIdentifiers known = record == nullptr ? KnownIdentifiers() : *record;
        known.words.insert(learned.begin(), learned.end());
        spans_of[i] = detectors.find(notes[i].text, &known);
      }
    }
  });
  return spans_of;
}

}  // namespace

Outcome tag(const TagRequest& request, const Run& run) {
  if (same_file(request.input.path, request.out)) {
    throw Error::input("the output is the same file as the input")
        .at(request.out)
        .hint("Choose another name with --out.");
  }
  const auto began = std::chrono::steady_clock::now();
  std::uint64_t notes = 0;
  std::uint64_t spans = 0;
  const OpenedNotes opened = open_notes(request.input, run);
  std::vector<RejectedNote> rejected = opened.rejected;
  std::vector<RejectedNote> repaired = opened.repaired;
  const auto detectors = Detectors::with(request.certainty, request.model, request.recall);
  PatientRecords records;
  if (!request.record.empty()) records = read_patient_records(request.record, run);
  AtomicFile out(request.out, 0600);  // where identifiers stand tells something of them
  opened.read(
      [&](NoteFile&& file) {
        std::vector<std::string> lines(file.notes.size());
        const auto spans_of = find_in_all(file.notes, detectors, records);
        parallel_blocks(file.notes.size(), 16, [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i)
            lines[i] = written_line(file.notes[i], spans_of[i], request.form);
        });
        for (std::size_t i = 0; i < lines.size(); ++i) {
          out.write(lines[i]);
          spans += spans_of[i].size();
        }
        notes += lines.size();
        add_rejected(repaired, std::move(file.repaired));
        add_rejected(rejected, std::move(file.rejected));
        run.progress.check();
      },
      run.progress);
  out.commit();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
  Json result = {{"notes", notes},
                 {"spans", spans},
                 {"rejected", to_json(rejected)},
                 {"notes_per_second", static_cast<double>(notes) / seconds.count()},
                 {"repaired", to_json(repaired)},
                 {"certainty", detectors.certainty}};
  if (detectors.recall_calibrated) result["recall_calibrated"] = *detectors.recall_calibrated;
  result["out"] = request.out;
  return {result, notes > 0};
}

Outcome evaluate(const EvaluateRequest& request, const Run& run) {
  std::unordered_map<std::string, std::vector<Span>> predicted;
  std::vector<RejectedNote> rejected;
  read_note_lines(
      request.spans, false,
      [&](NoteFile&& file) {
        for (Note& note : file.notes) {
          if (!predicted.emplace(note.id, std::move(note.spans)).second) {
            throw Error::input("an id stands there twice")
                .at(request.spans)
                .hint("Give every note an id of its own.");
          }
        }
        add_rejected(rejected, std::move(file.rejected));
      },
      run.progress);
  Evaluation evaluation;
  std::uint64_t notes = 0;
  std::uint64_t missing = 0;
  std::optional<AtomicFile> leaks;
  if (!request.leaks.empty()) leaks.emplace(request.leaks, 0600);
  const OpenedNotes gold = open_notes({.path = request.gold}, run);
  add_rejected(rejected, std::vector<RejectedNote>(gold.rejected));
  read_note_lines(
      gold.lines, false,
      [&](NoteFile&& file) {
        for (const Note& note : file.notes) {
          const auto prediction = predicted.find(note.id);
          missing += prediction == predicted.end() ? 1 : 0;
          const auto left = evaluation.add(
              note.spans, prediction == predicted.end() ? std::vector<Span>() : prediction->second,
              note.text);
          for (const Span& span : left) {
            if (!leaks) break;
            leaks->write(
                Json{{"leak", span.type}, {"id", note.id}, {"start", span.start}, {"end", span.end}}
                    .dump() +
                "\n");
          }
          ++notes;
        }
        add_rejected(rejected, std::move(file.rejected));
      },
      run.progress);
  if (leaks) leaks->commit();
  Json result = evaluation.to_json();
  result["missing"] = missing;
  result["rejected"] = to_json(rejected);
  // Nothing compared is not tried.
  return {result, notes > missing};
}

}  // namespace pratique::notes::flow
