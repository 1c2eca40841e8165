#include "pratique/synthetic/notes.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "pratique/core/csv_field.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/json.h"
#include "pratique/crypto/random.h"
#include "pratique/data/date.h"
#include "pratique/data/utf8.h"
#include "pratique/synthetic/internal/note_templates.h"
#include "pratique/words/words.h"

namespace pratique {
namespace {

using words::List;

constexpr std::array<std::string_view, 24> kDiseases = {"type 2 diabetes mellitus",
                                                        "hypertension",
                                                        "asthma",
                                                        "gout",
                                                        "acute appendicitis",
                                                        "pneumonia",
                                                        "chest pain",
                                                        "atrial fibrillation",
                                                        "Parkinson's disease",
                                                        "Crohn's disease",
                                                        "hyperlipidemia",
                                                        "migraine",
                                                        "deep venous thrombosis",
                                                        "adenocarcinoma",
                                                        "osteoarthritis",
                                                        "hypothyroidism",
                                                        "Hodgkin lymphoma",
                                                        "Graves' disease",
                                                        "tubular adenoma",
                                                        "chronic gastritis",
                                                        "COPD",
                                                        "urinary tract infection",
                                                        "depression",
                                                        "anemia"};
constexpr std::array<std::string_view, 14> kDrugs = {
    "metformin", "lisinopril", "Lipitor",   "aspirin",    "Coumadin", "furosemide",  "Percocet",
    "insulin",   "prednisone", "Synthroid", "metoprolol", "Zofran",   "amoxicillin", "warfarin"};
constexpr std::array<std::string_view, 20> kStates = {"MA", "NY", "CA", "TX", "OH", "PA", "IL",
                                                      "WA", "GA", "NC", "MI", "NJ", "VA", "AZ",
                                                      "TN", "MO", "MD", "WI", "MN", "CO"};
constexpr std::array<std::string_view, 20> kStateNames = {
    "Massachusetts", "New York",   "California", "Texas",     "Ohio",
    "Pennsylvania",  "Illinois",   "Washington", "Georgia",   "North Carolina",
    "Michigan",      "New Jersey", "Virginia",   "Arizona",   "Tennessee",
    "Missouri",      "Maryland",   "Wisconsin",  "Minnesota", "Colorado"};
constexpr std::array<std::string_view, 8> kStreets = {"Street", "Avenue", "Road", "Drive",
                                                      "Lane",   "St",     "Ave",  "Blvd"};
constexpr std::array<std::string_view, 8> kHospitals = {
    "{} General Hospital", "{} Memorial Hospital", "{} Medical Center",         "Saint {} Hospital",
    "{} Clinic",           "{} County Hospital",   "University Hospital of {}", "{} Nursing Home"};
constexpr std::array<std::string_view, 6> kCompanies = {
    "{} Inc", "{} Insurance", "{} & Sons", "{} Industries", "Bank of {}", "{} Group"};
constexpr std::array<std::string_view, 6> kKin = {"wife",     "husband", "son",
                                                  "daughter", "sister",  "brother"};
constexpr std::array<std::string_view, 10> kJobs = {
    "teacher", "carpenter",  "nurse", "lawyer",      "plumber",
    "farmer",  "accountant", "cook",  "electrician", "engineer"};

struct NotePatient {
  bool female = false;
  std::string given, family, mrn, ssn, phone, street, city, zip, email;
  std::size_t state = 0;
  std::int32_t birth = 0;
  std::int32_t first_visit = 0;
};

struct WrittenSpan {
  std::size_t start = 0, end = 0;
  std::string_view type;
};

class NoteWriter {
 public:
  explicit NoteWriter(SeededRandom& random) : random_(random) {}

  NotePatient patient() {
    NotePatient one;
    one.female = random_.chance(0.5);
    // One in four has a name from elsewhere.
    const bool world = random_.chance(0.25);
    one.given = pick(one.female ? (world ? List::world_female : List::female)
                                : (world ? List::world_male : List::male));
    one.family = pick(world ? List::world_family : List::family);
    one.mrn = fmt::format("{:07}", random_.below(9'000'000) + 1'000'000);
    one.ssn = fmt::format("{:03}-{:02}-{:04}", random_.below(700) + 100, random_.below(99) + 1,
                          random_.below(9999) + 1);
    one.phone = phone();
    one.street = street();
    one.city = pick(List::towns);
    one.state = random_.below(kStates.size());
    one.zip = fmt::format("{:05}", random_.below(89'999) + 10'000);
    one.email = email(one.given, one.family);
    one.first_visit = days_from_civil(2004 + static_cast<int>(random_.below(16)), 1, 1) +
                      static_cast<std::int32_t>(random_.below(365));
    one.birth = one.first_visit - static_cast<std::int32_t>(random_.below(28'000) + 6'600);
    return one;
  }

  void begin(const NotePatient& patient) {
    patient_ = &patient;
    text_.clear();
    spans_.clear();
    visit_ = patient.first_visit + static_cast<std::int32_t>(random_.below(900));
    doctor_family_ = pick(random_.chance(0.2) ? List::world_family : List::family);
  }

  void line(std::string_view source) {
    while (!source.empty()) {
      const auto open = source.find('{');
      text_ += source.substr(0, open);
      if (open == std::string_view::npos) return;
      const auto close = source.find('}', open);
      slot(source.substr(open + 1, close - open - 1));
      source.remove_prefix(close + 1);
    }
  }

  // Line ends of another system; offsets follow.
  void to_crlf() {
    std::string text;
    std::vector<std::size_t> places(text_.size() + 1);
    for (std::size_t i = 0; i < text_.size(); ++i) {
      places[i] = text.size();
      if (text_[i] == '\n') text += '\r';
      text += text_[i];
    }
    places[text_.size()] = text.size();
    for (auto& span : spans_) {
      span.start = places[span.start];
      span.end = places[span.end];
    }
    text_ = std::move(text);
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::vector<WrittenSpan>& spans() const { return spans_; }

 private:
  template <class Array>
  std::string_view any(const Array& array) {
    return array[random_.below(array.size())];
  }
  std::string pick(List list) {
    const auto& all = words::list(list);
    return std::string(all[random_.below(all.size())]);
  }
  void mark(std::string_view text, std::string_view type) {
    spans_.push_back({text_.size(), text_.size() + text.size(), type});
    text_ += text;
  }
  // A mention of a name is mistyped now and then.
  void name(std::string text) {
    if (random_.chance(0.02) && text.size() > 5) {
      const std::size_t at = 1 + random_.below(text.size() - 3);
      const auto plain = [&](std::size_t i) { return text[i] >= 'a' && text[i] <= 'z'; };
      if (plain(at) && plain(at + 1)) std::swap(text[at], text[at + 1]);
    }
    mark(text, "name");
  }
  static std::string capitals(std::string text) {
    for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
  }
  std::string phone() {
    const auto area = 201 + random_.below(780);
    const auto exchange = 200 + random_.below(799);
    const auto line = random_.below(10'000);
    switch (random_.below(4)) {
      case 0:
        return fmt::format("({}) {}-{:04}", area, exchange, line);
      case 1:
        return fmt::format("{}-{}-{:04}", area, exchange, line);
      case 2:
        return fmt::format("{}.{}.{:04}", area, exchange, line);
      default:
        return fmt::format("{} {} {:04}", area, exchange, line);
    }
  }
  std::string street() {
    return fmt::format("{} {} {}", random_.below(9'000) + 1, pick(List::family), any(kStreets));
  }
  std::string email(const std::string& given, const std::string& family) {
    std::string user;
    for (const char c : given + "." + family) {
      if ((c >= 'a' && c <= 'z') || c == '.') user += c;
      if (c >= 'A' && c <= 'Z') user += static_cast<char>(c - 'A' + 'a');
    }
    return fmt::format("{}{}@{}", user, random_.below(90) + 10,
                       random_.chance(0.5) ? "gmail.com" : "hotmail.com");
  }
  std::string date(std::int32_t days) {
    static constexpr std::array<std::string_view, 12> kMonths = {
        "January", "February", "March",     "April",   "May",      "June",
        "July",    "August",   "September", "October", "November", "December"};
    const PartialDate d = civil_from_days(days);
    const auto month = kMonths[static_cast<std::size_t>(d.month - 1)];
    switch (random_.below(7)) {
      case 0:
        return fmt::format("{}/{}/{}", d.month, d.day, d.year);
      case 1:
        return fmt::format("{:02}/{:02}/{}", d.month, d.day, d.year);
      case 2:
        return fmt::format("{}/{}/{:02}", d.month, d.day, d.year % 100);
      case 3:
        return fmt::format("{:04}-{:02}-{:02}", d.year, d.month, d.day);
      case 4:
        return fmt::format("{} {}, {}", month, d.day, d.year);
      case 5:
        return fmt::format("{} {} {}", d.day, month.substr(0, 3), d.year);
      default:
        return fmt::format("{:02}-{}-{}", d.day, month.substr(0, 3), d.year);
    }
  }
  std::string filled(std::string_view form, const std::string& with) {
    std::string text(form);
    text.replace(text.find("{}"), 2, with);
    return text;
  }

  void slot(std::string_view word) {
    const NotePatient& p = *patient_;
    const auto female = p.female;
    if (word == "name") return name(p.given + " " + p.family);
    if (word == "NAME") return mark(capitals(p.family + ", " + p.given), "name");
    if (word == "given") return name(p.given);
    if (word == "family") return name(p.family);
    if (word == "title") {
      text_ += female ? (random_.chance(0.5) ? "Mrs. " : "Ms. ") : "Mr. ";
      return name(p.family);
    }
    if (word == "dr") {
      return random_.chance(0.5) ? name(doctor_family_)
                                 : name(pick(random_.chance(0.5) ? List::male : List::female) +
                                        " " + pick(List::family));
    }
    if (word == "dr1") return name(pick(random_.chance(0.5) ? List::male : List::female));
    if (word == "rel") {
      const std::string given = pick(random_.chance(0.5) ? List::male : List::female);
      return name(random_.chance(0.6) ? given : given + " " + p.family);
    }
    if (word == "date") {
      return mark(date(visit_ + static_cast<std::int32_t>(random_.below(30))), "date");
    }
    if (word == "weekday") return mark("Friday", "date");
    if (word == "feast") return mark("two days after Christmas", "date");
    if (word == "year") return mark(std::to_string(1985 + random_.below(25)), "date");
    if (word == "dob") return mark(date(p.birth), "date");
    if (word == "age") return mark(std::to_string((visit_ - p.birth) / 365), "age");
    if (word == "mrn") return mark(p.mrn, "mrn");
    if (word == "ssn") return mark(p.ssn, "ssn");
    if (word == "phone") return mark(random_.chance(0.4) ? p.phone : phone(), "phone");
    if (word == "fax") return mark(phone(), "fax");
    if (word == "email") {
      return mark(random_.chance(0.5) ? p.email : email(pick(List::male), pick(List::family)),
                  "email");
    }
    if (word == "url") return mark("https://www.results" + p.mrn.substr(0, 2) + ".org/r", "url");
    if (word == "ip")
      return mark(fmt::format("{}.{}.{}.{}", random_.below(223) + 1, random_.below(256),
                              random_.below(256), random_.below(256)),
                  "ip");
    if (word == "street") return mark(random_.chance(0.5) ? p.street : street(), "location");
    if (word == "city") return mark(random_.chance(0.5) ? p.city : pick(List::towns), "location");
    if (word == "ST") return mark(kStates[p.state], "location");
    if (word == "state") return mark(kStateNames[p.state], "location");
    if (word == "zip") return mark(p.zip, "location");
    if (word == "hospital")
      return mark(filled(any(kHospitals), pick(random_.chance(0.5) ? List::towns : List::family)),
                  "hospital");
    if (word == "org") return mark(filled(any(kCompanies), pick(List::family)), "organisation");
    if (word == "job") return mark(any(kJobs), "profession");
    if (word == "account")
      return mark(fmt::format("{:09}", random_.below(1'000'000'000)), "account");
    if (word == "plan") return mark(fmt::format("XYZ{:08}", random_.below(100'000'000)), "plan");
    if (word == "licence")
      return mark(fmt::format("S{:08}", random_.below(100'000'000)), "licence");
    if (word == "vehicle")
      return mark(fmt::format("{}AB {:03}", random_.below(9) + 1, random_.below(1000)), "vehicle");
    if (word == "device") return mark(fmt::format("PM{:07}", random_.below(10'000'000)), "device");
    if (word == "acc") {
      return mark(fmt::format("S{:02}-{:05}", 4 + random_.below(16), random_.below(100'000)), "id");
    }
    text_ += plain(word, female);
  }

  std::string plain(std::string_view word, bool female) {
    if (word == "dx") return std::string(any(kDiseases));
    if (word == "drug") return std::string(any(kDrugs));
    if (word == "kin") return std::string(any(kKin));
    if (word == "he") return female ? "she" : "he";
    if (word == "He") return female ? "She" : "He";
    if (word == "his") return female ? "her" : "his";
    if (word == "His") return female ? "Her" : "His";
    if (word == "him") return female ? "her" : "him";
    if (word == "man") return female ? "woman" : "man";
    if (word == "S") return female ? "F" : "M";
    if (word == "d") return std::to_string(random_.below(10));
    if (word == "n") return std::to_string(60 + random_.below(50));
    if (word == "dose") return std::to_string(5 * (1 + random_.below(20)));
    if (word == "bp") return fmt::format("{}/{}", 100 + random_.below(70), 60 + random_.below(35));
    throw Error::machine("a template of notes has an unknown slot");
  }

  SeededRandom& random_;
  const NotePatient* patient_ = nullptr;
  std::int32_t visit_ = 0;
  std::string doctor_family_;
  std::string text_;
  std::vector<WrittenSpan> spans_;
};

// Those of its half; all where the half has none.
std::vector<std::string_view> of_half(std::span<const std::string_view> lines,
                                      NotesOptions::Half half) {
  std::vector<std::string_view> chosen;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool held = i % 2 == 1;
    if (half == NotesOptions::Half::all || held == (half == NotesOptions::Half::held))
      chosen.push_back(lines[i]);
  }
  return chosen;
}

}  // namespace

NotesSummary generate_notes(const NotesOptions& options, Progress& progress) {
  NotesSummary summary;
  progress.begin("writing notes", options.notes);
  AtomicFile out(options.path);
  const auto kinds = synthetic::note_templates();
  constexpr std::uint64_t kNotesOfPatient = 3;
  NotePatient patient;
  std::string people = "patient,name,birth,sex,zip,phone,mrn\n";
  for (std::uint64_t n = 0; n < options.notes; ++n) {
    SeededRandom random(options.seed, n);
    NoteWriter writer(random);
    const std::uint64_t number = n / kNotesOfPatient;
    if (n % kNotesOfPatient == 0) {
      patient = writer.patient();
      ++summary.patients;
      people += fmt::format("p{},{},{},{},{},{},{}\n", number,
                            csv_field(patient.given + " " + patient.family),
                            to_string(civil_from_days(patient.birth)), patient.female ? "F" : "M",
                            patient.zip, csv_field(patient.phone), patient.mrn);
    }
    const auto& kind = kinds[random.below(kinds.size())];
    const auto head = of_half(kind.head, options.half);
    auto body = of_half(kind.body, options.half);
    const auto foot = of_half(kind.foot, options.half);
    writer.begin(patient);
    writer.line(head[random.below(head.size())]);
    random.shuffle(body);
    const std::size_t lines = std::min(body.size(), 3 + random.below(body.size()));
    for (std::size_t i = 0; i < lines; ++i) writer.line(body[i]);
    if (random.chance(0.8)) writer.line(foot[random.below(foot.size())]);
    if (random.chance(0.1)) writer.to_crlf();
    Json spans = Json::array();
    std::size_t bytes = 0;
    std::size_t characters = 0;
    const std::string_view text = writer.text();
    const auto place = [&](std::size_t at) {
      characters += count_characters(text.substr(bytes, at - bytes));
      bytes = at;
      return characters;
    };
    for (const auto& span : writer.spans()) {
      const auto start = place(span.start);
      const auto end = place(span.end);
      spans.push_back({{"start", start}, {"end", end}, {"type", span.type}});
    }
    summary.spans += writer.spans().size();
    const std::string line = Json{{"id", fmt::format("n{}", n)},
                                  {"patient", fmt::format("p{}", number)},
                                  {"text", writer.text()},
                                  {"spans", std::move(spans)}}
                                 .dump() +
                             "\n";
    summary.bytes += line.size();
    out.write(line);
    progress.advance(1);
  }
  summary.notes = options.notes;
  out.commit();
  if (!options.register_path.empty()) write_file_atomically(options.register_path, people);
  return summary;
}

}  // namespace pratique
