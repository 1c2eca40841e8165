#include "pratique/notes/attack/register_attack.h"

#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/notes/find/finder.h"
#include "pratique/notes/find/note_facts.h"
#include "pratique/notes/link/person_view.h"
#include "pratique/notes/replace/note_date.h"
#include "pratique/verify/text_identifiers.h"
#include "pratique/words/words.h"

namespace pratique::notes {
namespace {

bool called(const std::string& header, std::initializer_list<std::string_view> words) {
  const std::string small = lower(header);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return small.find(word) != std::string::npos; });
}

int whole_number(std::string_view text) {
  int value = 0;
  std::size_t digits = 0;
  for (const char c : text) {
    if (!is_digit(c)) break;
    value = value * 10 + (c - '0');
    if (++digits > 4) return -1;
  }
  return digits == 0 ? -1 : value;
}

struct ToldRange {
  int from = 0, to = 9999;

  void narrow(int low, int high) {
    from = std::max(from, low);
    to = std::min(to, high);
  }
  [[nodiscard]] bool is_told() const { return from > 0 && from <= to; }
};

struct ToldPerson {
  PersonRow row;
  ToldRange age, year;             // as generalised values tell them: 60..79, 1980..1999
  std::set<std::string> words;     // of all texts, folded
  std::vector<std::string> texts;  // folded, for terms of several words
  std::uint64_t leaks = 0;
  bool name_leaked = false;
};

std::set<std::string> folded_words(std::string_view text) {
  std::set<std::string> result;
  for (auto& word : telling_words(text)) result.insert(std::move(word));
  return result;
}

// A range of years is one of two numbers of four digits, a range of ages one of shorter ones.
void add_ranges(std::string_view text, ToldPerson& told) {
  static const re2::RE2 range(R"(\b(\d{1,4})\.\.(\d{1,4})\b)");
  re2::StringPiece rest(text.data(), text.size());
  int low = 0;
  int high = 0;
  while (re2::RE2::FindAndConsume(&rest, range, &low, &high)) {
    constexpr int kFirstYear = 1800;
    constexpr int kOldest = 130;
    if (low >= kFirstYear && high >= low) {
      told.year.narrow(low, high);
    } else if (high <= kOldest && high >= low) {
      told.age.narrow(low, high);
    }
  }
}

// Whether the ranges leave the person; nothing where they say nothing.
std::optional<bool> fits_ranges(const ToldPerson& told, const Register::Person& person, int year) {
  if (!told.age.is_told()) return std::nullopt;
  if (person.age >= 0) return person.age >= told.age.from && person.age <= told.age.to;
  if (person.birth_year <= 0) return std::nullopt;
  const int first = told.year.is_told() ? told.year.from : year;
  const int last = told.year.is_told() ? told.year.to : year;
  if (first <= 0) return std::nullopt;
  // Who has had no birthday yet in that year is a year younger.
  return last - person.birth_year >= told.age.from && first - person.birth_year - 1 <= told.age.to;
}

bool says(const ToldPerson& told, const std::string& term) {
  return std::any_of(told.texts.begin(), told.texts.end(),
                     [&](const std::string& text) { return text.find(term) != std::string::npos; });
}

// How many attributes were compared; negative where one contradicts.
int compatible(const ToldPerson& told, const Register::Person& person,
               const std::vector<std::set<std::string>>& terms_told, int year) {
  int compared = 0;
  if (told.row.age && (person.age >= 0 || person.birth_year > 0)) {
    const int age = *told.row.age;
    const bool fits = person.age >= 0 ? person.age == age
                                      : year > 0 && (year - person.birth_year == age ||
                                                     year - person.birth_year == age + 1);
    if (person.age < 0 && year == 0) {
      // Nobody knows when the note was written.
    } else if (!fits) {
      return -1;
    } else {
      ++compared;
    }
  }
  if (const auto fits = fits_ranges(told, person, year); fits && !told.row.age) {
    if (!*fits) return -1;
    ++compared;
  }
  if (!told.row.sex.empty() && !person.sex.empty()) {
    if (told.row.sex != person.sex) return -1;
    ++compared;
  }
  if (!told.row.zip.empty() && !person.zip.empty()) {
    const auto length = std::min(told.row.zip.size(), person.zip.size());
    if (told.row.zip.substr(0, length) != person.zip.substr(0, length)) return -1;
    ++compared;
  }
  // A date of the register that the text tells as a day, month or year.
  if (!told.row.dates.empty() && !person.dates.empty()) {
    const bool fits = std::any_of(told.row.dates.begin(), told.row.dates.end(), [&](const auto& t) {
      return std::any_of(person.dates.begin(), person.dates.end(),
                         [&](const auto& p) { return p.starts_with(t); });
    });
    if (!fits) return -1;
    ++compared;
  }
  for (std::size_t c = 0; c < terms_told.size(); ++c) {
    if (terms_told[c].empty() || person.terms[c].empty()) continue;
    if (!terms_told[c].contains(person.terms[c])) return -1;
    ++compared;
  }
  return compared;
}

}  // namespace

Register Register::read(const std::string& path, const Run& run) {
  const Source source = run.open(path);
  const Table table = run.engine.load(source, {}, run.progress);
  Register result;
  result.people.resize(table.rows());
  std::size_t others = 0;
  for (const auto& column : table.columns) {
    const bool name = called(column.name, {"name", "first", "last", "given", "family"});
    const bool birth = !name && called(column.name, {"birth", "dob", "born"});
    const bool age = !name && !birth && lower(column.name) == "age";
    const bool sex = !name && called(column.name, {"sex", "gender"});
    const bool zip = !name && called(column.name, {"zip", "postal", "postcode"});
    const bool date =
        !name && !birth && called(column.name, {"date", "admi", "discharge", "visit"});
    const bool id =
        !name && (called(column.name, {"mrn", "ssn", "phone"}) || lower(column.name) == "id" ||
                  lower(column.name) == "patient" || lower(column.name) == "person");
    const bool other = !name && !birth && !age && !sex && !zip && !date && !id;
    result.comparable = result.comparable || birth || age || sex || zip || date || other || name;
    if (other) {
      ++others;
      auto& values = result.vocabulary.emplace_back();
      for (const auto value : column.dictionary.values()) {
        std::string small = words::folded(value);
        if (small.size() >= 4) values.push_back(std::move(small));
      }
    }
    for (std::size_t row = 0; row < table.rows(); ++row) {
      Person& person = result.people[row];
      const std::string value(column.text(row));
      if (other) person.terms.push_back(words::folded(value));
      if (value.empty()) continue;
      if (name) {
        for (auto& word : telling_words(value)) person.names.push_back(std::move(word));
      } else if (birth) {
        person.birth_year = year_in(value).value_or(0);
      } else if (age) {
        person.age = whole_number(value);
      } else if (sex) {
        const char first = static_cast<char>(lower(value)[0]);
        person.sex = first == 'f' || first == 'w' ? "F" : first == 'm' ? "M" : "";
      } else if (zip) {
        person.zip = value.substr(0, 5);
      } else if (date) {
        if (auto day = day_of(value)) person.dates.push_back(std::move(*day));
      }
    }
  }
  for (auto& person : result.people) person.terms.resize(others);
  return result;
}

NotesExposure attack_notes_with(const OpenedNotes& notes, const Register& known, bool surrogates,
                                const Run& run) {
  NotesExposure exposure;
  // A name that is no other word tells somebody of the register wherever it stands alone, too.
  std::unordered_set<std::string> rare;
  for (const auto& person : known.people) {
    for (const auto& word : person.names) {
      const auto kinds = words::kinds_of(word);
      const bool other = (kinds & (words::kEnglish | words::kMedical | words::kTown |
                                   words::kRegion | words::kEponym)) != 0;
      // What surrogates may be drawn from tells nobody.
      if (word.size() >= 4 && !other && !(surrogates && (kinds & words::kName) != 0))
        rare.insert(word);
    }
  }
  std::unordered_map<std::string, ToldPerson> people;
  notes.read(
      [&](NoteFile&& file) {
        struct Read {
          NoteFacts facts;
          std::uint64_t leaks = 0, told = 0;
          std::set<std::string> words;
        };
        std::vector<Read> read(file.notes.size());
        parallel_blocks(file.notes.size(), 16, [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) {
            const Note& note = file.notes[i];
            const auto spans = find_identifiers(note.text);
            read[i].facts = facts_of(note.text, spans);
            for (const auto& left : verify::identifiers_in_note(note.text, surrogates))
              read[i].leaks +=
                  left.type != "clinician" && left.type != "exact-age" &&
                          !(surrogates && left.type == "name")  // which nobody can tell
                      ? 1
                      : 0;
            read[i].words = folded_words(note.text);
            std::set<std::string> named;
            for (const auto& word : read[i].words) {
              if (rare.contains(word)) named.insert(word);
            }
            // Clinicians stay unless they were asked for.
            for (const Span& span : spans) {
              if (span.detail != "clinician") continue;
              for (const auto& word :
                   folded_words(note.text.substr(span.start, span.end - span.start)))
                named.erase(word);
            }
            read[i].leaks += named.size();
            for (const Span& span : spans) {
              if (!surrogates || span.type != "name" || span.certainty < 0.8) continue;
              for (const auto& word :
                   telling_words(note.text.substr(span.start, span.end - span.start)))
                read[i].told += (words::kinds_of(word) & words::kName) == 0 ? 1 : 0;
            }
          }
        });
        for (std::size_t i = 0; i < file.notes.size(); ++i) {
          const Note& note = file.notes[i];
          ++exposure.notes;
          ToldPerson& person =
              people[note.patient.empty() ? "note " + note.id : "patient " + note.patient];
          add_facts_to(person.row, read[i].facts);
          add_ranges(note.text, person);
          person.words.insert(read[i].words.begin(), read[i].words.end());
          person.texts.push_back(words::folded(note.text));
          person.leaks += read[i].leaks;
          exposure.leaks += read[i].leaks;
          exposure.notes_with_leaks += read[i].leaks > 0 ? 1 : 0;
          exposure.told += read[i].told;
        }
      },
      run.progress);
  exposure.patients = people.size();
  for (const auto& entry : people) {
    const ToldPerson& told = entry.second;
    // Names: all words of one row's name, and of no other's, stand in the texts.
    std::uint64_t named = 0;
    for (const auto& person : known.people) {
      const bool all = person.names.size() > 1 &&
                       std::all_of(person.names.begin(), person.names.end(),
                                   [&](const auto& word) { return told.words.contains(word); });
      named += all ? 1 : 0;
    }
    if (named > 0) exposure.leaks += named;
    std::vector<std::set<std::string>> terms(known.vocabulary.size());
    for (std::size_t c = 0; c < terms.size(); ++c) {
      for (const auto& term : known.vocabulary[c]) {
        if (says(told, term)) terms[c].insert(term);
      }
    }
    int year = 0;
    if (!told.row.dates.empty()) year = whole_number(told.row.dates.back().substr(0, 4));
    std::uint64_t candidates = 0;
    bool compared = false;
    for (const auto& person : known.people) {
      const int attributes = compatible(told, person, terms, std::max(year, 0));
      if (attributes >= 2) {
        compared = true;
        ++candidates;
      } else if (attributes >= 0) {
        candidates += 2;  // hardly compared, so that nobody is certain
      }
    }
    exposure.compared += compared ? 1 : 0;
    exposure.reidentified += named == 1 || (compared && candidates == 1) ? 1 : 0;
  }
  return exposure;
}

}  // namespace pratique::notes
