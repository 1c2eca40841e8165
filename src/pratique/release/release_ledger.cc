#include "pratique/release/release_ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
#include "pratique/kind/among.h"
#include "pratique/kind/recorded_figures.h"
#include "pratique/release/internal/agreement.h"
#include "pratique/release/internal/ledger_people.h"
#include "pratique/release/kinds.h"
#include "pratique/release/report_finding.h"
#include "pratique/verify/release_verifier.h"

namespace pratique::release {
namespace {

namespace fs = std::filesystem;

// Of entries of other kinds, nothing.
std::vector<RecordedRelease> recorded_releases(const ledger::Ledger& ledger) {
  std::vector<RecordedRelease> all;
  for (std::uint64_t i = 0; i < ledger.entries().size(); ++i) {
    const Json entry = parse_json(ledger.entries()[i], "the ledger");
    if (entry.at("kind") != "release") continue;
    try {
      const Json& body = entry.at("body");
      using Entries = std::vector<std::uint64_t>;
      RecordedRelease release{.index = i,
                              .sha256 = body.at("release").at("sha256").get<std::string>(),
                              .manifest = body.at("manifest").get<std::string>(),
                              .inputs = body.at("inputs").get<std::vector<std::string>>(),
                              .population = body.value("population", ""),
                              .kind = body.value("kind", ""),
                              .columns = {},
                              .same_people = body.value("same_people", Entries()),
                              .other_people = body.value("other_people", Entries())};
      if (body.contains("columns"))
        release.columns = body["columns"].get<std::vector<std::string>>();
      if (body.contains("values")) release.marks = column_marks_from(body["values"]);
      all.push_back(std::move(release));
    } catch (const Json::exception&) {
      throw Error::input(fmt::format("entry {} of the ledger cannot be read by this version", i))
          .hint("It was written by another version of pratique.");
    }
  }
  return all;
}

// What stands in a ledger for a file of people. Whoever knows all of the file but one value could
// try values until its plain hash fits; this needs the ledger's key.
class FileMarks {
 public:
  explicit FileMarks(const SigningKey& key) : secret_(key.secret_for("pratique ledger marks 1")) {}

  [[nodiscard]] std::string of(const std::string& sha256) const {
    return to_hex(hmac_sha256(secret_, sha256));
  }
  [[nodiscard]] std::vector<std::string> of(std::vector<std::string> hashes) const {
    for (auto& hash : hashes) hash = of(hash);
    return hashes;
  }

 private:
  Sha256Digest secret_;
};

void refuse_recorded_before(const std::vector<RecordedRelease>& ledger, const ReleaseFile& file) {
  for (const auto& earlier : ledger) {
    if (earlier.sha256 != file.sha256()) continue;
    throw Error::input(
        fmt::format("this release is already in the ledger, as entry {}", earlier.index))
        .at(file.path)
        .hint("A release is recorded once; ledger show tells what was recorded.");
  }
}

void check_entries_named(const std::vector<RecordedRelease>& ledger,
                         const std::vector<std::uint64_t>& entries) {
  for (const auto index : entries) {
    if (std::any_of(ledger.begin(), ledger.end(),
                    [&](const RecordedRelease& entry) { return entry.index == index; }))
      continue;
    throw Error::input(fmt::format("--same-people names entry {}, which is not a release", index))
        .hint("ledger list has the numbers of all releases.");
  }
}

// How to say that the entries are of the same people: by the name they all have, else by number.
std::string word_for_same_people(const std::vector<RecordedRelease>& ledger,
                                 const std::vector<std::uint64_t>& entries) {
  std::set<std::string> names;
  for (const auto& entry : ledger) {
    if (std::find(entries.begin(), entries.end(), entry.index) != entries.end())
      names.insert(entry.population);
  }
  if (names.size() == 1 && !names.begin()->empty()) return "--population " + *names.begin();
  return fmt::format("--same-people {}", fmt::join(entries, ","));
}

std::vector<std::uint64_t> indices_of(const std::vector<UnclearRelease>& releases) {
  std::vector<std::uint64_t> indices;
  for (const auto& release : releases) indices.push_back(release.index);
  return indices;
}

PeopleOfLedger people_of(const std::vector<RecordedRelease>& ledger, const ReleaseFile& file,
                         const std::vector<std::string>& columns,
                         const std::vector<ColumnMarks>& values, const AddRequest& request,
                         const FileMarks& marks) {
  check_entries_named(ledger, request.same_people);
  const auto hashes = file.manifest().data_hashes();
  // Entries of earlier versions have plain hashes.
  const auto shares_input = [&](const RecordedRelease& earlier) {
    return std::any_of(hashes.begin(), hashes.end(), [&](const std::string& hash) {
      return among(earlier.inputs, hash) || among(earlier.inputs, marks.of(hash));
    });
  };
  auto people = sort_by_people(ledger, {.kind = file.kind(),
                                        .population = request.population,
                                        .columns = columns,
                                        .same_people = request.same_people,
                                        .other_people = request.other_people,
                                        .shares_input = shares_input,
                                        .marks = values});
  if (!people.unclear.empty() && !request.other_people) {
    const auto unclear = indices_of(people.unclear);
    throw UnclearPeople(unclear, people.unclear.front().why, word_for_same_people(ledger, unclear),
                        request);
  }
  return people;
}

// What is said of the sequence to whoever reads the ledger. The figures are about the people of the
// original, those who were suppressed included: how many they are would tell whether somebody is
// among them. The share that is exposed is told in whole percents, never less than it is.
Json recorded(const SequenceRevealed& revealed) {
  constexpr double kPercents = 100;
  Json sequence = to_json(revealed);
  Json kept = Json::object();
  for (const char* key :
       {"attacked", "why_not", "releases", "not_attacked", "promised_k", "note"}) {
    if (sequence.contains(key)) kept[key] = sequence[key];
  }
  if (revealed.attacked || revealed.breach() > 0)
    kept["breach"] = std::ceil(revealed.breach() * kPercents) / kPercents;
  double contradicted = 0;
  for (const auto& attribute : revealed.attributes)
    contradicted = std::max(contradicted, attribute.contradicted);
  if (contradicted > 0) kept["contradicted"] = std::ceil(contradicted * kPercents) / kPercents;
  return kept;
}

// Without the private manifest nobody knows of whom it is, but for what the user says.
void require_known_people(const ReleaseFile& file, const AddRequest& request) {
  if (file.complete() || !request.population.empty()) return;
  throw Error::input("the private manifest of this release is not at hand")
      .at(request.release)
      .hint(
          "It tells which earlier releases are of the same people. Name its folder with --private, "
          "or the people with --population.");
}

// Releases in the folders, by the hashes of file and manifest; a manifest that cannot be read is
// none of ours.
using Hashes = std::pair<std::string, std::string>;
std::map<Hashes, std::string> releases_in(const std::vector<std::string>& folders) {
  constexpr std::string_view kEnding = ".manifest.json";
  std::map<Hashes, std::string> releases;
  for (const auto& folder : folders) {
    std::error_code failed;
    const fs::directory_iterator entries(folder.empty() ? "." : folder, failed);
    if (failed) {
      throw Error::input("there is no such folder")
          .at(folder)
          .hint("Name a folder with --releases.");
    }
    for (const auto& entry : entries) {
      const std::string path = entry.path().string();
      if (!path.ends_with(kEnding)) continue;
      const std::string release = path.substr(0, path.size() - kEnding.size());
      try {
        const ReleaseFile file = ReleaseFile::read_as_released(release);
        if (fs::exists(release, failed) && sha256_file(release) == file.sha256())
          releases.emplace(Hashes(file.sha256(), file.manifest_sha256()), release);
      } catch (const Error&) {
        continue;
      }
    }
  }
  return releases;
}

void check_population(const std::string& name) {
  const bool plain =
      name.size() <= 64 &&
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
          std::string::npos;
  if (!plain) {
    throw Error::input("a population name has at most 64 letters, digits, '.', '_' and '-'")
        .hint("Name the people as a whole (clinic-2020), never one of them.");
  }
}

// Of the released file; a list of sets has none.
std::vector<std::string> columns_of(Engine& engine, const ReleaseFile& file, Progress& progress) {
  const auto source = file.open(engine, progress);
  return source ? source->columns : std::vector<std::string>();
}

Json claims_found(Engine& engine, const ReleaseFile& file, const std::string& private_folder,
                  std::uint64_t& rows, Progress& progress) {
  const auto verification = verify::verify_release(engine, file.path, progress, private_folder);
  if (!verification.holds()) {
    throw Error::check("this release does not pass verification and is not recorded")
        .at(file.path)
        .hint("pratique verify says which claim does not hold.");
  }
  rows = verification.rows;
  Json claims = Json::array();
  for (const auto& claim : verification.claims) {
    claims.push_back({{"model", claim.model},
                      {"required", claim.required},
                      {"achieved", finite_or_null(claim.achieved)}});
  }
  return claims;
}

// The hash that is signed as the report's is to be of one that found this very release verified.
void check_report(const std::string& path, const ReleaseFile& file) {
  const auto findings = findings_in(read_file(path));
  if (std::any_of(findings.begin(), findings.end(), [&](const ReleaseFinding& finding) {
        return finding.sha256 == file.sha256() &&
               finding.manifest_sha256 == file.manifest_sha256() &&
               finding.standing == Standing::holds;
      })) {
    return;
  }
  throw Error::input("this is not a report that finds this release verified")
      .at(path)
      .hint("Make one with pratique report, as HTML, Markdown or JSON.");
}

}  // namespace

MissingReleases::MissingReleases(std::vector<std::uint64_t> entries)
    : Error(Error::input(
          fmt::format("the files of earlier releases of the same people are not at hand: {} {}",
                      entries.size() == 1 ? "entry" : "entries", fmt::join(entries, ", ")))),
      entries_(std::move(entries)) {
  hint(
      "Name their folders with --releases DIR, with the manifests they had when they were added; "
      "or "
      "use --skip-missing, which is recorded.");
}

UnclearPeople::UnclearPeople(std::vector<std::uint64_t> entries, const std::string& why,
                             const std::string& same, const AddRequest& request)
    : Error(Error::check(fmt::format(
          "{} {} of the ledger may be about the people of this release: {} {}{}; nobody said "
          "whether they are",
          entries.size() == 1 ? "entry" : "entries", fmt::join(entries, ", "),
          entries.size() == 1 ? "it" : "the first", why,
          request.population.empty()
              ? ""
              : fmt::format(", and no entry is of the population '{}'", request.population)))),
      entries_(std::move(entries)) {
  at(request.release);
  hint(
      fmt::format("If they are, as where a table grew, give {} so that the releases are attacked "
                  "together; if these are other people, give --other-people (it is recorded)",
                  same));
}

Json prepare_entry(Engine& engine, const ledger::Ledger& ledger, const SigningKey& key,
                   const AddRequest& request, Preparation& preparation, Progress& progress) {
  check_population(request.population);
  const ReleaseFile file = ReleaseFile::read(request.release, request.private_folder);
  (void)kind_of(file);
  require_known_people(file, request);
  const FileMarks marks(key);
  if (!request.report.empty()) check_report(request.report, file);
  std::uint64_t rows = 0;
  const Json claims = claims_found(engine, file, request.private_folder, rows, progress);
  const auto release_columns = columns_of(engine, file, progress);
  const auto recorded_before = recorded_releases(ledger);
  refuse_recorded_before(recorded_before, file);
  const auto values = marks_of(kind_of(file).column_values(engine, file, progress),
                               key.secret_for("pratique ledger value marks 1"));
  const auto people = people_of(recorded_before, file, release_columns, values, request, marks);
  preparation.others = people.others.size();
  preparation.earlier = people.same;
  SequenceRequest sequence{.added = file,
                           .known = request.known,
                           .people = request.people,
                           .same_columns = request.same_columns};
  std::vector<std::string> folders = request.folders;
  folders.push_back(fs::path(request.release).parent_path().string());
  std::map<Hashes, std::string> at_hand;
  if (!people.same.empty()) at_hand = releases_in(folders);
  for (const auto& earlier : recorded_before) {
    if (std::find(people.same.begin(), people.same.end(), earlier.index) == people.same.end())
      continue;
    const auto place = at_hand.find({earlier.sha256, earlier.manifest});
    if (place == at_hand.end()) {
      preparation.missing.push_back(earlier.index);
    } else {
      sequence.earlier.push_back(ReleaseFile::read(place->second, request.private_folder));
      preparation.earlier_paths.push_back(place->second);
    }
  }
  if (!preparation.missing.empty() && !request.skip_missing) {
    throw MissingReleases(preparation.missing);
  }
  std::vector<std::string> wrong;
  try {
    preparation.revealed = attack_sequence(engine, sequence, progress);
    const auto release = file.open(engine, progress);
    const auto original = file.open_original(engine, progress);
    wrong = contradictions({engine, file, file.manifest(), release, original, true, progress});
  } catch (const Json::exception&) {
    throw ReleaseFile::malformed(request.release);
  }
  if (!wrong.empty()) {
    throw Error::check(
        fmt::format(
            "this manifest contradicts itself or the files, so the release is not recorded: {}",
            fmt::join(wrong, "; ")))
        .at(Manifest::path_of(file.path))
        .hint("It was changed after the release was made.");
  }

  Json body = {
      {"release", {{"sha256", file.sha256()}, {"bytes", file_size(file.path)}, {"rows", rows}}},
      {"manifest", file.manifest_sha256()},
      {"kind", file.kind()},
      {"version", file.manifest().version},
      {"inputs", marks.of(file.manifest().data_hashes())},
      {"columns", release_columns},
      {"values", to_json(values)},
      {"claims", claims},
      {"earlier", preparation.earlier},
      {"sequence", recorded(preparation.revealed)},
      {"max_breach", request.max_breach}};
  const auto allowed = names_in(*file.manifest().parameters, "allowed");
  if (!allowed.empty()) body["allowed"] = allowed;
  if (file.manifest().parameters->value("rows_are_people", false)) body["rows_are_people"] = true;
  if (const auto k = file.manifest().promised_k()) body["k"] = *k;
  if (!request.population.empty()) body["population"] = request.population;
  if (!request.same_people.empty()) body["same_people"] = request.same_people;
  if (!people.unclear.empty()) body["other_people"] = indices_of(people.unclear);
  if (request.people) body["people"] = marks.of(engine.identify(*request.people).sha256);
  if (!preparation.missing.empty()) body["missing"] = preparation.missing;
  if (!request.report.empty()) body["report"] = marks.of(sha256_file(request.report));
  for (const auto& known : request.known)
    body["known"].push_back(marks.of(engine.identify(known).sha256));
  return body;
}

}  // namespace pratique::release
