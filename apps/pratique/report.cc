#include "pratique/release/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "command.h"
#include "nouns.h"
#include "pratique/core/ascii.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
#include "pratique/ledger/ledger.h"
#include "pratique/release/print_pdf.h"
#include "pratique/release/report_finding.h"
#include "pratique/release/signature.h"

namespace pratique::app {
namespace {

struct ReportOptions {
  release::ReportRequest request;
  std::string ru_map;
  std::vector<std::string> adversaries;
  std::string out;
  std::string format;
  std::string key;
};

// By --format, else by the ending of the name; a name without one is HTML.
std::string format_of(const ReportOptions& options) {
  if (!options.format.empty()) return options.format;
  const std::string ending = lower(std::filesystem::path(options.out).extension());
  if (ending.empty() || ending == ".html" || ending == ".htm") return "html";
  for (const auto* known : {"json", "md", "pdf"}) {
    if (ending.substr(1) == known) return known;
  }
  throw Error::input(fmt::format("a report cannot be written as {}", ending))
      .at(options.out)
      .hint("Name it .html, .md, .json or .pdf, or choose with --format. Word opens .html.");
}

// Figures about the original are for whoever may see it.
unsigned mode_of(const ReportOptions& options) { return options.request.as_released ? 0644 : 0600; }

int report(ReportOptions& options, Session& session) {
  for (auto path = options.request.releases.begin(); path != options.request.releases.end();
       ++path) {
    const auto same = [&](const auto& other) { return same_file(*path, other); };
    if (std::any_of(options.request.releases.begin(), path, same)) {
      throw Error::input("this release is given twice").at(*path).hint("Name each once.");
    }
  }
  release::refuse_replacing_signed(options.out);
  options.request.private_folder = session.private_folder;
  if (!options.ru_map.empty()) options.request.ru_map = release::read_ru_map(options.ru_map);
  const std::string format = format_of(options);
  if (format == "pdf") release::require_pdf_printer();
  for (const auto& path : options.adversaries) {
    options.request.adversaries.push_back(session.open(path));
  }
  // Loaded first, so that a long report is not followed by a missing key.
  std::optional<SigningKey> key;
  if (!options.key.empty()) key.emplace(SigningKey::load(options.key));
  const auto release_report =
      release::make_report(session.engine(), options.request, session.progress);
  if (key && release_report.draft()) {
    throw Error::input("a draft is not signed")
        .at(options.request.determination)
        .hint("Fill in what is empty; without --sign the report lists it.");
  }
  if (format == "pdf") {
    release::print_pdf(to_html(to_document(release_report)), options.out, session.progress,
                       release::kPrintingPatience, mode_of(options));
  } else {
    AtomicFile file(options.out, mode_of(options));
    file.write(format == "json" ? to_text(to_json(release_report))
               : format == "md" ? to_markdown(to_document(release_report))
                                : to_html(to_document(release_report)));
    file.commit();
  }
  if (key) release::sign_report(options.out, *key);
  const Json whole = to_json(release_report);
  Json releases = Json::array();
  Json notes = Json::array();
  for (const auto& release : whole["releases"]) {
    for (const auto& note : release["notes"]) {
      notes.push_back({{"release", options.request.releases[releases.size()]}, {"note", note}});
    }
    releases.push_back({{"release", options.request.releases[releases.size()]},
                        {"kind", release["kind"]},
                        {"standing", release["standing"]},
                        {"verdict", release["verdict"]}});
  }
  Json result = {{"out", options.out},
                 {"format", format},
                 {"standing", whole["standing"]},
                 {"holds", whole["holds"]},
                 {"releases", std::move(releases)}};
  if (!notes.empty()) result["notes"] = std::move(notes);
  if (whole.contains("determination")) result["determination"] = whole["determination"];
  if (key) result["signature"] = release::signature_path(options.out);
  Json for_a_person = result;
  for_a_person.erase("holds");
  session.print(result, for_a_person);
  // What could not be checked must not pass a script.
  return release_report.clears() ? 0 : 1;
}

struct DeterminationOptions {
  release::ReportRequest request;
  std::string out;
};

int determination(DeterminationOptions& options, Session& session) {
  options.request.private_folder = session.private_folder;
  const auto release_report =
      release::make_report(session.engine(), options.request, session.progress);
  const auto& release = release_report.releases.front();
  Json result = {{"questions", release::determination_questions(release)}};
  if (!options.out.empty()) {
    AtomicFile file(options.out, 0600);
    file.write(release::determination_to_fill_in(release));
    file.commit();
    result["out"] = options.out;
  }
  session.print(result, options.out.empty() ? result : Json{{"out", options.out}});
  return 0;
}

struct SignatureOptions {
  std::string report;
  std::string ledger;
};

int check_signature(const SignatureOptions& options, Session& session) {
  const auto signature = release::check_signature(options.report);
  Json result = {{"holds", signature.holds()},
                 {"file_matches", signature.matches_file},
                 {"authentic", signature.authentic},
                 {"key", signature.key},
                 {"time", signature.time}};
  bool holds = signature.holds();
  if (!options.ledger.empty()) {
    const bool same = to_hex(ledger::Ledger::read(options.ledger).head().key) == signature.key;
    result["key_of_ledger"] = same;
    holds = holds && same;
    result["holds"] = holds;
  }
  session.print(result);
  return holds ? 0 : 1;
}

}  // namespace

void add_report(CommandLine& program, Session& session) {
  auto options = std::make_shared<ReportOptions>();
  Verb& verb = program.add("", "report", "Write the document that justifies releases",
                           [options, &session] { return report(*options, session); });
  verb.file_read("RELEASE", &options->request.releases,
                 "released files, with their manifests beside them")
      .require();
  verb.file_written("out", &options->out, "the report: .html, .md, .json or .pdf")
      .require()
      .replaces({std::string(release::kReportFormat), "\"approved_by\": \"", "Report of a release",
                 "Report of releases"});
  verb.choice("format", &options->format, {"html", "md", "json", "pdf"}, "of the report")
      .unless_given("by the name of --out, else html");
  verb.flag("public", &options->request.as_released,
            "leave out what only the private manifest tells, for a report to hand out");
  session.declare_private_read(verb);
  verb.text("recipient", &options->request.decision.recipient, "who receives it");
  verb.text("purpose", &options->request.decision.purpose, "what for");
  verb.text("approved-by", &options->request.decision.approved_by, "who answers for it");
  verb.file_read("ru-map", &options->ru_map,
                 "ru-map.json of tables or codes explore: the release is marked on it");
  verb.file_read("adversary", &options->adversaries,
                 "a list of named people, as an adversary may have it: the table is attacked with "
                 "it before and after");
  verb.whole_number("population-size", &options->request.population_size, 1, kLargestSeed,
                    "how many people there are of whom a table is a random sample: of those who "
                    "are unique in it, how many are unique among all, by estimate");
  verb.file_read("determination", &options->request.determination,
                 "an expert determination, filled in: see pratique determination");
  verb.key_file("sign", &options->key,
                "the private key to sign the report with, as a ledger has it: writes "
                "OUT.signature.json");

  auto draft = std::make_shared<DeterminationOptions>();
  Verb& drafts =
      program.add("", "determination", "Write an expert determination of a release to fill in",
                  [draft, &session] { return determination(*draft, session); });
  drafts
      .file_read("RELEASE", &draft->request.releases,
                 "the released file, with its manifest beside it")
      .require()
      .only_once();
  drafts.file_written("out", &draft->out, "the file to fill in, in YAML")
      .unless_given("the questions are printed, and no file is written");
  session.declare_private_read(drafts);

  auto signed_report = std::make_shared<SignatureOptions>();
  Verb& checks =
      program.add("", "signature", "Check the signature beside a report",
                  [signed_report, &session] { return check_signature(*signed_report, session); });
  checks.file_read("REPORT", &signed_report->report, "the report, as it was signed").require();
  checks.file_read("ledger", &signed_report->ledger, "the ledger whose key must have signed it");
}

}  // namespace pratique::app
