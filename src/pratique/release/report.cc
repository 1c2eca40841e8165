#include "pratique/release/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/clock.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/version.h"
#include "pratique/crypto/hash.h"
#include "pratique/kind/recorded_figures.h"
#include "pratique/kind/release_file.h"
#include "pratique/release/internal/agreement.h"
#include "pratique/release/internal/kind_agreement.h"
#include "pratique/release/kinds.h"
#include "pratique/verify/release_verifier.h"

namespace pratique::release {
namespace {

std::string_view leaf_of(std::string_view key) { return key.substr(key.rfind('.') + 1); }

// Numbers that both sides have, however deep.
void compare(const Json& before, const Json& after, const Kind& kind, const std::string& key,
             const std::string& what, std::vector<Compared>& into) {
  if (before.is_number() && after.is_number()) {
    const bool share = figure(kind.figures, leaf_of(key)).unit == Unit::share;
    into.push_back({key, what, before.get<double>(), after.get<double>(), share});
    return;
  }
  if (!before.is_object() || !after.is_object()) return;
  for (const auto& [name, value] : before.items()) {
    if (!after.contains(name)) continue;
    const std::string words = cleaned(figure(kind.figures, name).words);
    compare(value, after[name], kind, key.empty() ? name : key + "." + name,
            what.empty() ? words : what + ": " + words, into);
  }
}

void measure(const Json& metrics, const Kind& kind, const std::string& of,
             std::vector<Measured>& into) {
  if (!metrics.is_object()) return;
  for (const auto& [key, value] : metrics.items()) {
    if (value.is_number()) {
      const auto metric = figure(kind.figures, of.empty() ? key : of);
      into.push_back({cleaned(of.empty() ? key : of + "." + key),
                      cleaned(of.empty() ? metric.words : metric.words + ": " + key),
                      value.get<double>(), std::string(metric.meaning)});
    } else {
      measure(value, kind, key, into);
    }
  }
}

// "k = 5, of diagnosis"
std::string setting_of(const Json& claim, const ModelWords& words) {
  std::string text;
  for (const auto& [key, value] : claim.items()) {
    if (!value.is_number() || key == "records" || key == words.not_about || key == "confidence")
      continue;
    text += fmt::format("{}{} = {:g}", text.empty() ? "" : ", ", cleaned(key), value.get<double>());
  }
  if (claim.contains("sensitive") && claim["sensitive"].is_string()) {
    text += fmt::format(", of {}", cleaned(claim["sensitive"].get<std::string>()));
  }
  if (claim.contains("view") && claim["view"].is_string()) {
    text += fmt::format(", {} view", cleaned(claim["view"].get<std::string>()));
  }
  if (claim.contains("confidence") && claim["confidence"].is_number()) {
    text += fmt::format(", tested with a confidence of {:.12g}", claim["confidence"].get<double>());
  }
  return text;
}

std::vector<Requirement> requirements_of(const Manifest& manifest, const Kind& kind) {
  std::vector<Requirement> all;
  const Json& verification = *manifest.verification;
  for (const auto& claim : *manifest.claims) {
    Requirement requirement;
    requirement.model = cleaned(claim.at("model").get<std::string>());
    const ModelWords& words = words_of_model(kind, requirement.model);
    requirement.name = words.name;
    requirement.promise = words.promise;
    requirement.limit = words.limit;
    requirement.setting = setting_of(claim, words);
    const std::size_t place = all.size();
    if (place < verification.size()) {
      requirement.finding =
          "when it was made: " + cleaned(verification[place].value("explanation", ""));
    }
    all.push_back(std::move(requirement));
  }
  return all;
}

// What the verifier finds now. Its words on a claim that fails may name rare codes.
void verify_now(Engine& engine, const ReleaseFile& file, const std::string& private_folder,
                ReleaseReport& report, Progress& progress) {
  const auto open = [&](const std::string& why) {
    report.standing = Standing::unchecked;
    report.verdict =
        fmt::format("Not verified again: {}. What follows is what the manifest says.", why);
  };
  const auto another = [&] {
    report.standing = Standing::fails;
    report.verdict =
        "This is not the file that the manifest describes: its SHA-256 differs. What follows is "
        "what the manifest says about that other file.";
  };
  if (!std::filesystem::exists(file.path)) return open("the released file is not here");
  verify::Verification verification;
  try {
    verification = verify::verify_release(engine, file.path, progress, private_folder);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_input) throw;
    if (sha256_file(file.path) != file.sha256()) return another();
    return open(cleaned(error.message()));
  }
  std::size_t broken = 0;
  for (std::size_t c = 0; c < verification.claims.size() && c < report.requirements.size(); ++c) {
    const auto& claim = verification.claims[c];
    Requirement& requirement = report.requirements[c];
    requirement.standing = claim.holds ? Standing::holds : Standing::fails;
    broken += claim.holds ? 0 : 1;
    requirement.finding = claim.holds ? cleaned(claim.explanation)
                          : std::isfinite(claim.achieved)
                              ? fmt::format("does not hold: {:g} is required, {:g} was found",
                                            claim.required, claim.achieved)
                              : std::string("does not hold");
  }
  report.standing = verification.holds() ? Standing::holds : Standing::fails;
  if (verification.holds()) {
    const bool attested = std::ranges::any_of(
        verification.claims, [](const auto& claim) { return claim.standing == "attested"; });
    report.verdict =
        attested ? "Verified: the released file is the one described, and what a file can show "
                   "follows from it. What is attested is worth what whoever attests it is."
                 : "Verified: the released file is the one described, and every claim follows "
                   "from it.";
  } else if (!verification.hash_matches) {
    another();
  } else if (!verification.rows_match) {
    report.verdict = "The number of rows in the released file differs from the manifest's.";
  } else if (verification.claims.empty()) {
    report.verdict = "The manifest claims nothing, so there is nothing to rely on.";
  } else {
    report.verdict = fmt::format("{} of {} claims do not hold for the released file.", broken,
                                 verification.claims.size());
  }
}

// Chance that the manifest does not record, keys and clocks.
void say_what_repeats(const Manifest& manifest, ReleaseReport& report) {
  for (const auto& column : manifest.results->value("randomised", Json::array())) {
    // Rounding to the nearest multiple is the only operator without chance.
    const std::string operation = column.value("operator", "");
    if (!operation.starts_with("round:") || operation.ends_with(":random"))
      report.repeatable = false;
  }
  if (manifest.parameters->value("method", "") == "anatomy") report.repeatable = false;
  if (const auto print = manifest.parameters->find("key_fingerprint");
      print != manifest.parameters->end() && print->is_string()) {
    report.needs.push_back(
        fmt::format("the secret key of fingerprint {}", cleaned(print->get<std::string>())));
  }
  if (manifest.parameters->contains("time_limit") || manifest.results->value("ended_early", false))
    report.needs.emplace_back("a machine that gets just as far within the time limit");
}

// What cannot be read again cannot be compared with what the manifest says of it.
void say_what_is_gone(const ReleaseFile& file, const ReportRequest& request,
                      ReleaseReport& report) {
  if (request.as_released) {
    report.remarks.emplace_back(
        "This report is for whoever receives the release: figures about the original are left out, "
        "and the original was not looked at.");
    return;
  }
  if (!file.complete()) {
    report.notes.emplace_back(
        "The private manifest is not at hand: figures about the original are missing, and what the "
        "manifest says about it was not checked. --private names its folder.");
    return;
  }
  if (!file.manifest().private_name.empty()) {
    report.remarks.emplace_back(
        "This report has figures about the original, which must not leave with the release. For a "
        "report to hand out: pratique report --public.");
  }
  for (const auto& input : file.manifest().inputs) {
    if (file.find_input(input.path)) continue;
    report.notes.push_back(
        fmt::format("The release was made with {}, which is not at its recorded place with its "
                    "recorded SHA-256: what the manifest says about it was not checked.",
                    cleaned(without_home(input.path))));
  }
}

// Fewer people than k are few, and told by no number nor by their share.
void hide_few(const Kind& kind, ReleaseReport& report) {
  const auto is_few = [&](double count) {
    return count > 0 && count < static_cast<double>(report.k);
  };
  std::set<std::string> few_before;
  std::set<std::string> few_after;
  for (const auto& attack : report.attacks) {
    if (figure(kind.figures, leaf_of(attack.key)).unit != Unit::people) continue;
    for (const auto& key : {attack.key, attack.key + "_share"}) {
      if (is_few(attack.before)) few_before.insert(key);
      if (is_few(attack.after)) few_after.insert(key);
    }
  }
  constexpr double kFew = std::numeric_limits<double>::quiet_NaN();
  for (auto& attack : report.attacks) {
    if (few_before.count(attack.key) > 0) attack.before = kFew;
    if (few_after.count(attack.key) > 0) attack.after = kFew;
  }
}

// For kinds whose page measures no risk of its own: k people as likely as each other, and certainty
// where an attack found somebody.
void add_risks_by_claims(const Manifest& manifest, const Kind& kind, ReleaseReport& report) {
  const Json& claims = *manifest.claims;
  for (std::size_t c = 0; c < claims.size() && c < report.requirements.size(); ++c) {
    const Json k = claims[c].value("k", Json());
    if (!k.is_number() || k.get<double>() < 1) continue;
    const Requirement& requirement = report.requirements[c];
    report.risks.push_back({requirement.model, requirement.promise, 1 / k.get<double>(),
                            std::nullopt,
                            requirement.standing == Standing::holds
                                ? "k of the claim, which the verifier finds in the released file"
                                : "k of the claim, which was not verified"});
  }
  for (const auto& attack : report.attacks) {
    const auto leaf = leaf_of(attack.key);
    if ((leaf != "named" && leaf != "reidentified") || leaf.size() == attack.key.size() ||
        attack.after == 0)
      continue;
    const std::string by = attack.key.substr(0, attack.key.size() - leaf.size() - 1);
    report.risks.push_back({by, cleaned(figure(kind.figures, leaf_of(by)).words), 1.0, std::nullopt,
                            "somebody is found for certain, or nearly so"});
  }
}

// What a reader of the first line alone must know.
void say_what_is_not_held(const Kind& kind, const Manifest& manifest, ReleaseReport& report) {
  if (manifest.format == 1) {
    report.verdict =
        "The manifest is of format 1: whether its claims are all that was asked for cannot be "
        "checked. " +
        report.verdict;
  }
  if (const auto open = names_in(*manifest.results, "not_measured"); !open.empty()) {
    report.verdict +=
        cleaned(fmt::format(" Not attacked, because somebody has several values of {}: {}.",
                            open.size() == 1 ? "it" : "them", fmt::join(open, ", ")));
  }
  const auto described = names_in(*manifest.parameters, "quasi_identifiers");
  if (const auto hidden = names_in(*manifest.results, "hidden");
      !described.empty() && hidden.size() == described.size()) {
    report.verdict = cleaned(fmt::format(
        "NOTHING IS LEFT of the quasi-identifiers: every cell of {} is *, so the release tells "
        "nothing by them. {}",
        fmt::join(hidden, ", "), report.verdict));
  }
  const auto allowed = names_in(*manifest.parameters, "allowed");
  if (!allowed.empty()) {
    report.exposes = true;
    report.verdict = fmt::format(
        "Left as {} although {}: {}. {}", allowed.size() == 1 ? "it is" : "they are",
        allowed.size() == 1 ? "it may tell who somebody is" : "they may tell who somebody is",
        cleaned(fmt::format("{}", fmt::join(allowed, ", "))), report.verdict);
  }
  if (const auto against = not_held_against(kind, manifest); !against.empty())
    report.verdict += " " + against;
  // From the results: without figures before there is nothing to compare, and yet they stand alone.
  const Json after = manifest.results->value("after", Json::object());
  const auto say = [&](const Json& figures, const char* key, const std::string& by) {
    const Json alone = figures.is_object() ? figures.value(key, Json()) : Json();
    if (!alone.is_number() || alone == 0) return;
    report.exposes = true;
    const auto records = alone.get<double>();
    const std::string count =
        records < static_cast<double>(report.k) ? hidden_count(report.k) : grouped_digits(records);
    report.verdict += fmt::format(" By {}, {} of the released records {} alone.", by, count,
                                  count == "1" ? "stands" : "stand");
  };
  // Whose class shares their secret, as where nobody asked for more than k.
  const Json certain = after.is_object() ? after.value("sensitive_disclosed", Json()) : Json();
  if (certain.is_number() && certain > 0) {
    const auto records = certain.get<double>();
    report.exposes = true;
    report.verdict += fmt::format(
        " Of {} of the released records the sensitive value is certain.",
        records < static_cast<double>(report.k) ? hidden_count(report.k) : grouped_digits(records));
  }
  const auto known =
      after.is_object() ? names_in(after, "singled_out_by") : std::vector<std::string>();
  say(after, "unique",
      described.empty() ? "what others may know"
                        : cleaned(fmt::format("{}", fmt::join(described, ", "))));
  say(after, "singled_out",
      known.empty()
          ? "columns held to no model"
          : cleaned(fmt::format("the column{} {}{}", known.size() == 1 ? "" : "s",
                                fmt::join(known, ", "), known.size() == 1 ? "" : " together")));
  // Which no model holds.
  const Json by_rows = after.is_object() ? after.value("alone_by_rows", Json()) : Json();
  if (by_rows.is_number() && by_rows > 0) {
    report.exposes = true;
    const auto people = by_rows.get<double>();
    report.verdict += fmt::format(
        " By how many rows somebody has, {} of the released people {} alone in their class.",
        people < static_cast<double>(report.k) ? hidden_count(report.k) : grouped_digits(people),
        people == 1 ? "stands" : "stand");
  }
  if (after.is_object()) {
    say(after.value("columns_and_codes_known", Json()), "reidentified",
        "such columns and a few known codes");
  }
}

// Options of explore and protect that the points of a map do not depend on, or that each point has
// of its own.
constexpr std::string_view kNoSettings[] = {"FILE",   "out",   "config",     "k",       "m",
                                            "method", "force", "time-limit", "seconds", "private"};

// Two maps of one table that differ in anything are two maps, also where a point of one lies where
// one of the other does: a release is shown on the one that it was chosen from, or on none.
std::optional<RuMap> map_of_settings(const std::optional<ExploredMap>& given, const Kind& kind,
                                     const Manifest& manifest, ReleaseReport& report) {
  if (!given || !kind.takes_map) return std::nullopt;
  const auto leave_out = [&](const std::string& why) -> std::optional<RuMap> {
    report.notes.push_back(
        fmt::format("The given map of risk and utility {}, so it is not shown. Draw one with the "
                    "settings of this release: pratique {} explore.",
                    why, kind.noun));
    return std::nullopt;
  };
  const Json& settings = *given->settings;
  if (!settings.is_object() || settings.empty())
    return leave_out("does not record the settings it was drawn with");
  std::vector<std::string> other;
  for (const auto& [name, value] : settings.items()) {
    const auto recorded = manifest.options->find(name);
    const bool counts =
        std::find(std::begin(kNoSettings), std::end(kNoSettings), name) == std::end(kNoSettings);
    if (!counts || recorded == manifest.options->end() || *recorded == value) continue;
    // Codes that a method does not make coarser need no hierarchy.
    if (name == "hierarchy" && recorded->is_null()) continue;
    other.push_back(cleaned(name));
  }
  if (other.empty()) return given->map;
  return leave_out(fmt::format("was drawn with other settings ({})", fmt::join(other, ", ")));
}

ReleaseReport describe(Engine& engine, const ReleaseFile& file, const ReportRequest& request,
                       Progress& progress) {
  const Manifest& manifest = file.manifest();
  const Kind& kind = kind_of(file);
  ReleaseReport report;
  report.release = cleaned(without_home(file.path));
  report.sha256 = cleaned(file.sha256());
  report.manifest_sha256 = file.manifest_sha256();
  report.kind = cleaned(file.kind());
  report.title = kind.title;
  report.created = cleaned(manifest.created);
  report.version = cleaned(manifest.version);
  report.k = file.k();
  report.command = cleaned(file.command_line());
  report.verify_command = cleaned(file.verify_command_line());
  report.verify_needs = kind.verify_needs;
  report.adversary = kind.adversary;
  report.requirements = requirements_of(manifest, kind);
  verify_now(engine, file, request.private_folder, report, progress);

  const Json& results = *manifest.results;
  if (const Json after = results.value("after", Json()); after.is_object()) {
    const Json before = results.value("before", Json());
    report.only_after = !before.is_object();
    compare(report.only_after ? after : before, after, kind, "", "", report.attacks);
  }
  if (results.contains("metrics")) measure(results["metrics"], kind, "", report.metrics);

  report.files.push_back({"manifest", cleaned(without_home(Manifest::path_of(file.path))),
                          file.manifest_sha256(), file_size(Manifest::path_of(file.path))});
  for (const auto& output : manifest.outputs) {
    report.files.push_back(
        {"release", cleaned(without_home(output.path)), cleaned(output.sha256), output.bytes});
  }
  for (const auto& input : manifest.inputs) {
    RecordedFile read{input.role.empty() ? "input" : cleaned(input.role),
                      cleaned(without_home(input.path)), cleaned(input.sha256), input.bytes};
    if (!input.commitment.empty()) read = {read.role, read.path, "", 0, cleaned(input.commitment)};
    report.files.push_back(std::move(read));
  }
  say_what_repeats(manifest, report);

  const std::optional<Source> release = file.open(engine, progress);
  const std::optional<Source> original = file.open_original(engine, progress);
  const std::optional<RuMap> map = map_of_settings(request.ru_map, kind, manifest, report);
  PageContext context{engine,
                      kind,
                      file,
                      manifest,
                      report,
                      release,
                      original,
                      map,
                      request.adversaries,
                      progress,
                      request.population_size};
  if (kind.describe != nullptr && kind_misfits(kind, manifest).empty()) kind.describe(context);
  if (report.risks.empty()) add_risks_by_claims(manifest, kind, report);
  say_what_is_gone(file, request, report);
  const auto& required = report.requirements;
  const bool hold = !required.empty() &&
                    std::all_of(required.begin(), required.end(), [](const auto& requirement) {
                      return requirement.standing == Standing::holds;
                    });
  if (const auto disagreements =
          contradictions({engine, file, manifest, release, original, hold, progress});
      !disagreements.empty()) {
    const std::string what = fmt::format("The manifest contradicts itself or the files: {}.",
                                         fmt::join(disagreements, "; "));
    report.verdict = report.standing == Standing::fails ? report.verdict + " " + what : what;
    report.standing = Standing::fails;
  }
  if (request.ru_map && !kind.takes_map) {
    report.notes.push_back(fmt::format(
        "The given map of risk and utility is not shown: there is none of {}.", kind.title));
  }
  if (!request.adversaries.empty() && !kind.takes_lists) {
    report.notes.push_back(fmt::format(
        "The given list of people is not used: there is no attack with one on {}.", kind.title));
  }
  if (request.population_size && !kind.takes_lists) {
    report.notes.push_back(
        fmt::format("How many are unique among all people is not estimated for {}.", kind.title));
  }
  hide_few(kind, report);
  say_what_is_not_held(kind, manifest, report);
  if (kind.qualify != nullptr) kind.qualify(context);
  return report;
}

}  // namespace

Standing standing_of_all(const std::vector<Standing>& releases) {
  const auto any = [&](Standing wanted) {
    return std::find(releases.begin(), releases.end(), wanted) != releases.end();
  };
  if (any(Standing::fails)) return Standing::fails;
  return any(Standing::unchecked) ? Standing::unchecked : Standing::holds;
}

Standing Report::standing() const {
  std::vector<Standing> standings;
  for (const auto& release : releases) standings.push_back(release.standing);
  return standing_of_all(standings);
}

Conclusion Report::conclusion() const {
  return conclude(*determination, releases.front(), created.substr(0, 10));
}

bool Report::draft() const {
  return determination && !empty_fields(*determination, releases.front()).empty();
}

bool Report::clears() const {
  return standing() == Standing::holds &&
         (!determination || (conclusion().standing == Standing::holds && !draft()));
}

Report make_report(Engine& engine, const ReportRequest& request, Progress& progress) {
  Report report{.created = utc_time(), .version = kVersion};
  report.decision = {cleaned(request.decision.recipient), cleaned(request.decision.purpose),
                     cleaned(request.decision.approved_by)};
  if (!request.determination.empty() && request.releases.size() != 1) {
    throw Error::input("a determination is about one release")
        .at(request.determination)
        .hint("Write a report with a determination of its own for each release.");
  }
  for (const auto& path : request.releases) {
    const ReleaseFile file = request.as_released ? ReleaseFile::read_as_released(path)
                                                 : ReleaseFile::read(path, request.private_folder);
    try {
      report.releases.push_back(describe(engine, file, request, progress));
    } catch (const Json::exception&) {
      throw ReleaseFile::malformed(path);
    }
  }
  if (!request.determination.empty()) {
    report.determination = read_determination(request.determination, report.releases.front());
    // What is said on the command line and not in the file counts for both.
    const std::pair<std::string*, std::string*> same[] = {
        {&report.decision.recipient, &report.determination->recipient},
        {&report.decision.purpose, &report.determination->purpose},
        {&report.decision.approved_by, &report.determination->approved_by}};
    for (const auto& [decision, determination] : same) {
      if (decision->empty()) *decision = *determination;
      *determination = *decision;
    }
  }
  return report;
}

}  // namespace pratique::release
