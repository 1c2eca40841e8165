#include "pratique/consortium/flow/participants.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "pratique/consortium/flow/disclosed_list.h"
#include "pratique/consortium/flow/quota.h"
#include "pratique/consortium/flow/unfinished.h"
#include "pratique/consortium/guarded_list.h"
#include "pratique/consortium/sealed_text.h"
#include "pratique/consortium/site.h"
#include "pratique/consortium/union.h"
#include "pratique/core/csv_field.h"
#include "pratique/core/file.h"
#include "pratique/core/json.h"
#include "pratique/kind/publish.h"
#include "pratique/net/socket.h"

namespace pratique::consortium::flow {
namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

Configuration configuration_of(const Run& run) {
  if (run.config.empty())
    throw Error::input("--config is required").hint("Name the consortium.yaml that all have.");
  return Configuration::read(run.config);
}

// Before anybody waits for anybody: those whom a site connects to can be found.
void require_addresses(const Configuration& configuration, const std::string& but = {}) {
  for (const auto& at : configuration.addresses) {
    if (at.name == but) continue;
    try {
      net::require_address(at.host);
    } catch (const Error& error) {
      throw Error::input(fmt::format("the address of '{}': {}", at.name, error.message()))
          .hint("Mend it in consortium.yaml, for all participants, or make it known here.");
    }
  }
}

Json json_of(const Configuration& configuration, const Report& report, const std::string& name,
             SteadyClock::time_point began) {
  Json checks = Json::array();
  for (const auto& check : report.checks)
    checks.push_back({{"name", check.name}, {"held", check.held}});
  return {{"name", name},
          {"protocol", configuration.protocol},
          {"sites", configuration.sites.size()},
          {"k", configuration.k},
          {"disclosed", report.disclosed},
          {"checks", checks},
          {"operations", report.operations},
          {"least_operations", report.least_operations},
          {"bytes", report.bytes},
          {"session", report.session},
          {"seconds", std::chrono::duration<double>(SteadyClock::now() - began).count()}};
}

// A broken rule is a result: what it was, and who broke it. `report`: of what went before.
Outcome broken(const Configuration& configuration, const std::string& name, const std::string& what,
               const std::string& check, const std::string& culprit, Report report,
               SteadyClock::time_point began) {
  report.checks.push_back({check, false, culprit});
  report.disclosed = 0;
  Json result = json_of(configuration, report, name, began);
  result["culprit"] = culprit;
  result["note"] = fmt::format("the check '{}' failed: {}; nothing was written", check, what);
  return {result, false};
}

template <class Member, class Body>
Outcome guarded(const Configuration& configuration, const std::string& name, const Member& member,
                const Body& body) {
  const auto began = SteadyClock::now();
  std::signal(SIGPIPE, SIG_IGN);  // of TLS
  try {
    return body(began);
  } catch (const CheckFailed& error) {
    const std::string what =
        error.kept().empty() ? error.message() : error.message() + "; " + error.kept();
    return broken(configuration, name, what, error.check(), error.culprit(), member.report(),
                  began);
  } catch (const Aborted& error) {
    if (error.code() != ErrorCode::check_failed) throw;
    return broken(configuration, name, error.message(), error.check(), error.culprit(),
                  member.report(), began);
  }
}

constexpr const char* kAgain =
    "lists were disclosed in an earlier session, too: what the two differ by is known to whoever "
    "has "
    "both, and together they promise nothing. Take the earlier ones back, if that is possible";

// Before the authority gets anything that it can compare the session counts.
class CountedSite final : public Site {
 public:
  CountedSite(const Configuration& configuration, const Identity& identity, SiteLists lists,
              Quota* quota, Progress& progress)
      : Site(configuration, identity, std::move(lists), progress), quota_(quota) {}

 protected:
  void reached(SiteStep step) override {
    if (step == SiteStep::met_sites && quota_ != nullptr) quota_->spend();
  }

 private:
  Quota* quota_;
};

constexpr const char* kSpelt =
    "elements of a list that read as spellings of one were taken for one";

// `quota`: none where all lists are in one house.
Outcome take_part(const Configuration& configuration, const Identity& identity,
                  const SiteFiles& files, Quota* quota, const Run& run, const std::string& verb,
                  std::mutex& engine, Progress& progress) {
  DisclosedList list(configuration, identity, run, engine);
  CountedSite participant(configuration, identity, {files.samples.elements, files.people.elements},
                          quota, progress);
  const bool again = earlier_session(configuration, identity.name).has_value();
  const auto body = [&](SteadyClock::time_point began) -> Outcome {
    Report report;
    try {
      report = participant.run(
          [&](const SiteDecision& decision) { return list.prepare(files, decision, verb); },
          [&](const Signature& signature) { list.commit(signature); });
    } catch (const Aborted& error) {
      // The authority alone knows that no commit will come; others may say so to make it forget.
      if (error.from() == configuration.authority) list.forget();
      throw;
    }
    if (list.is_written()) keep_commit(configuration, identity.name, report.session, report.commit);
    Json result = json_of(configuration, report, identity.name, began);
    result["submitted"] = files.samples.elements.size();
    std::vector<std::string> notes;
    if (list.is_written()) {
      result["out"] = files.out;
      if (again) notes.emplace_back(kAgain);
    } else {
      notes.emplace_back("nothing can be disclosed safely; nothing was written. Try a smaller k");
    }
    if (files.samples.joined_spellings || files.people.joined_spellings) notes.emplace_back(kSpelt);
    if (!notes.empty()) result["note"] = fmt::format("{}", fmt::join(notes, ". "));
    return {result, list.is_written()};
  };
  return guarded(configuration, identity.name, participant, body);
}

Outcome preside(const Configuration& configuration, const Identity& identity, Engine& engine,
                Progress& progress) {
  Authority participant(configuration, identity, engine, progress);
  const bool again = earlier_session(configuration, identity.name).has_value();
  const auto body = [&](SteadyClock::time_point began) -> Outcome {
    const Report report = participant.run();
    if (report.disclosed > 0)
      keep_commit(configuration, identity.name, report.session, report.commit);
    Json result = json_of(configuration, report, identity.name, began);
    result["seed"] = report.seed;
    if (again && report.disclosed > 0) result["note"] = kAgain;
    if (report.disclosed == 0)
      result["note"] = "nothing can be disclosed safely; nothing was written";
    return {result, report.disclosed > 0};
  };
  return guarded(configuration, identity.name, participant, body);
}

SiteFiles site_files(const Run& run, const std::string& identified, const std::string& deidentified,
                     const std::string& out, const CanonicalForm& form) {
  SiteFiles files{read_list(run, deidentified, Reading::as_read, form),
                  read_list(run, identified, Reading::as_read, form), out};
  release::refuse_overwriting_inputs(out, {files.samples.source, files.people.source},
                                     run.settings());
  return files;
}

// Of a list that goes into a folder of --data, whose name nobody typed.
void refuse_replacing_foreign(const std::string& out) {
  constexpr std::string_view kOurs = "element\n";
  std::string beginning(kOurs.size(), '\0');
  std::ifstream file(out, std::ios::binary);
  file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<std::size_t>(file.gcount()));
  if (beginning.empty() || beginning == kOurs) return;
  throw Error::input("a file with this name exists, and this command did not write it")
      .at(out)
      .hint("Move it elsewhere; the result is written under this name.");
}

// Runs of one consortium follow each other: else sites of one could meet the authority of the
// other, as all have the same addresses and keys. So do those over one folder of --data: else lists
// of two sessions could be left there side by side.
class AloneHere {
 public:
  // The settings' own folder is locked for other things.
  AloneHere(const std::string& settings, const std::string& data,
            const Configuration& configuration, Progress& progress)
      : settings_(::open(settings.c_str(), O_RDONLY | O_CLOEXEC)) {
    progress.begin("waiting for another run of this consortium", 0);
    // Some file systems have no locks; runs are then on their own.
    if (settings_ >= 0) (void)flock(settings_, LOCK_EX);
    if (!fs::is_directory(data) || fs::equivalent(data, configuration.folder)) return;
    progress.begin("waiting for another run over this folder", 0);
    folder_.emplace(data + "/consortium");
  }
  ~AloneHere() {
    if (settings_ >= 0) close(settings_);
  }
  AloneHere(const AloneHere&) = delete;
  AloneHere& operator=(const AloneHere&) = delete;

 private:
  int settings_;
  std::optional<FolderLock> folder_;
};

// The next session would replace what the site kept of it, and the two lists would belong to two
// sessions.
void require_finished(const std::string& name, const Configuration& configuration) {
  const Unfinished earlier(configuration, name);
  if (!earlier.is_there()) return;
  throw Error::input(fmt::format("{} has a session that it did not finish", name))
      .at(earlier.path())
      .hint(
          "Run consortium finish first. If no participant has the NAME.commit.json of that "
          "session, "
          "nobody has written a list of it: then remove this file.");
}

void require_part(const std::string& name, bool is_site, const Configuration& configuration) {
  const bool among = std::ranges::find(configuration.sites, name) != configuration.sites.end();
  if (is_site ? among : name == configuration.authority) return;
  throw Error::input(
      fmt::format("'{}' is not {} of this consortium", name, is_site ? "a site" : "the authority"))
      .hint(fmt::format("Its sites are {}; its authority is {}.",
                        fmt::join(configuration.sites, ", "), configuration.authority));
}

// All participants at once, each in its own thread, and what came of it for all.
Outcome together(const Configuration& configuration, SteadyClock::time_point began,
                 const std::function<Outcome(const std::string& name, bool shows)>& participate) {
  std::map<std::string, Outcome> outcomes;
  std::map<std::string, std::exception_ptr> failures;
  {
    std::mutex mutex;
    std::vector<std::jthread> threads;
    for (const auto& name : configuration.everybody()) {
      threads.emplace_back([&, name] {
        try {
          Outcome outcome = participate(name, name == configuration.authority);
          const std::lock_guard lock(mutex);
          outcomes.insert_or_assign(name, std::move(outcome));
        } catch (...) {
          const std::lock_guard lock(mutex);
          failures[name] = std::current_exception();
        }
      });
    }
  }
  if (!failures.empty()) {
    const auto of_authority = failures.find(configuration.authority);
    std::rethrow_exception(of_authority != failures.end() ? of_authority->second
                                                          : failures.begin()->second);
  }
  const Outcome& presided = outcomes.at(configuration.authority);
  Json result = *presided.result;
  result.erase("name");
  Json participants = Json::array();
  std::uint64_t operations = 0;
  std::uint64_t least = 0;
  std::uint64_t bytes = 0;
  bool passed = true;
  for (const auto& name : configuration.everybody()) {
    const Json& participant = *outcomes.at(name).result;
    operations += participant["operations"].get<std::uint64_t>();
    least += participant["least_operations"].get<std::uint64_t>();
    bytes += participant["bytes"].get<std::uint64_t>();
    passed = passed && outcomes.at(name).passed;
    participants.push_back(participant);
  }
  result["operations"] = operations;
  result["least_operations"] = least;
  result["bytes"] = bytes / 2;  // what one sent another received
  result["participants"] = participants;
  result["seconds"] = std::chrono::duration<double>(SteadyClock::now() - began).count();
  Json shown = result;
  for (auto& participant : shown["participants"])
    for (const char* key :
         {"protocol", "sites", "k", "checks", "session", "seed", "of", "out", "note"})
      participant.erase(key);
  return {result, passed, shown};
}

}  // namespace

Outcome init(const InitRequest& request, const Run& /*run*/) {
  Configuration configuration;
  configuration.authority = request.authority;
  configuration.sites = request.sites;
  std::ranges::sort(configuration.sites);
  configuration.k = request.k;
  configuration.coalition = request.coalition;
  configuration.method = request.method;
  configuration.protocol = request.protocol;
  configuration.form = {request.unicode, request.letters, request.blanks, request.dates};
  configuration.alpha = request.alpha;
  configuration.beta = request.beta;
  configuration.lock = request.lock;
  configuration.batch = request.batch;
  configuration.records = request.records;
  configuration.quota = request.quota;
  configuration.sessions = request.sessions;
  configuration.wait = std::chrono::seconds(request.wait);
  configuration.step = std::chrono::seconds(request.step);
  configuration.clock = std::chrono::seconds(request.clock);
  auto port = static_cast<int>(request.port);
  for (const auto& name : configuration.everybody())
    configuration.addresses.push_back({name, "127.0.0.1", port++});
  for (const auto& text : request.addresses) {
    const auto equals = text.find('=');
    const auto colon = text.rfind(':');
    const auto named =
        std::ranges::find(configuration.addresses, text.substr(0, equals), &Address::name);
    int number = 0;
    if (equals != std::string::npos && colon != std::string::npos && colon > equals)
      number = std::atoi(text.c_str() + colon + 1);
    if (named == configuration.addresses.end() || number < 1 || number > 65535)
      throw Error::input("--addresses takes NAME=HOST:PORT of a participant")
          .hint("For example --addresses H1=10.0.0.1:7411");
    named->host = text.substr(equals + 1, colon - equals - 1);
    named->port = number;
  }
  configuration.check("--sites");
  (void)Configuration::parse(configuration.to_yaml(), "consortium init");  // as all will read it
  const std::string path = request.out + "/consortium.yaml";
  for (const char* name : {"consortium.yaml", "ca.pem", "ca.key"})
    if (fs::exists(request.out + "/" + name))
      throw Error::input("a consortium is in this folder already")
          .at(request.out + "/" + name)
          .hint("Name another with --out.");
  if (fs::create_directories(request.out)) fs::permissions(request.out, fs::perms::owner_all);
  make_certificate_authority(request.out);
  for (const auto& name : configuration.everybody()) {
    const std::string asked = request.requests + "/" + name + ".csr";
    const auto& host = configuration.address(name).host;
    if (!request.requests.empty() && fs::exists(asked)) {
      sign_request(request.out, asked, name, host);
    } else {
      make_key(request.out, name);
      certify(request.out, name, host);
    }
  }
  write_file_atomically(path, configuration.to_yaml());
  return {Json{{"config", path},
               {"authority", configuration.authority},
               {"sites", configuration.sites.size()},
               {"k", configuration.k},
               {"method", configuration.method},
               {"protocol", configuration.protocol}}};
}

Outcome request_certificate(const KeyRequest& request, const Run& /*run*/) {
  fs::create_directories(request.out);
  make_key(request.out, request.name);
  make_request(request.out, request.name);
  return {Json{{"key", request.out + "/" + request.name + ".key"},
               {"request", request.out + "/" + request.name + ".csr"}}};
}

Outcome plan(const PlanRequest& request, const Run& run) {
  std::uint64_t sites = request.participants;
  if (!run.config.empty()) sites = Configuration::read(run.config).sites.size();
  std::vector<std::uint64_t> records = request.records;
  if (records.size() == 1) records.resize(sites, records.front());
  if (records.size() != sites)
    throw Error::input(fmt::format("--per-site has {} numbers for {} sites", records.size(), sites))
        .hint("Give one number for all, or one for each site.");
  Json by_site = Json::array();
  GuardPlan all;  // what suffices everywhere
  std::uint64_t bandwidth = 0;
  for (const std::uint64_t size : records) {
    const GuardPlan plan = plan_guards(sites, size, size, request.confidence);
    by_site.push_back({{"records", size},
                       {"alpha", plan.rounds},
                       {"beta", plan.dummies},
                       {"lock", plan.lock},
                       {"bandwidth", plan.bandwidth},
                       {"key_switch_found", plan.key_switch_found},
                       {"grab_found", plan.grab_found}});
    all.rounds = std::max(all.rounds, plan.rounds);
    all.dummies = std::max(all.dummies, plan.dummies);
    all.lock = std::max(all.lock, plan.lock);
    bandwidth += plan.bandwidth;
  }
  return {Json{{"confidence", request.confidence},
               {"sites", sites},
               {"alpha", all.rounds},
               {"beta", all.dummies},
               {"lock", all.lock},
               {"bandwidth", bandwidth},
               {"bytes", bandwidth * Point::kBytes},
               {"plan", by_site}}};
}

Outcome authority(const AuthorityRequest& request, const Run& run) {
  const Configuration configuration = configuration_of(run);
  require_part(request.name, false, configuration);
  const Identity identity = Identity::load(configuration, request.name);
  return preside(configuration, identity, run.engine, run.progress);
}

Outcome site(const SiteRequest& request, const Run& run) {
  const Configuration configuration = configuration_of(run);
  require_part(request.name, true, configuration);
  const Identity identity = Identity::load(configuration, request.name);
  require_addresses(configuration, request.name);
  require_finished(request.name, configuration);
  Quota quota(configuration, request.name, Quota::Of::sessions);  // before anybody waits for it
  const SiteFiles files =
      site_files(run, request.identified, request.deidentified, request.out, configuration.form);
  std::mutex engine;
  return take_part(configuration, identity, files, &quota, run, "site", engine, run.progress);
}

Outcome run_all(const RunRequest& request, const Run& run) {
  const auto began = SteadyClock::now();
  const Configuration configuration = configuration_of(run);
  const AloneHere alone(run.config, request.data, configuration, run.progress);
  std::map<std::string, Identity> identities;
  for (const auto& name : configuration.everybody())
    identities.emplace(name, Identity::load(configuration, name));
  require_addresses(configuration);
  std::map<std::string, SiteFiles> files;
  for (const auto& name : configuration.sites) {
    require_finished(name, configuration);
    const std::string folder = request.data + "/" + name;
    if (!fs::is_directory(folder))
      throw Error::input(fmt::format("there is no folder of {} here", name))
          .at(folder)
          .hint("Every site has a folder with identified.csv and deidentified.csv.");
    files[name] = site_files(run, folder + "/identified.csv", folder + "/deidentified.csv",
                             folder + "/disclosed.csv", configuration.form);
    refuse_replacing_foreign(files[name].out);
  }
  std::mutex engine;
  return together(configuration, began, [&](const std::string& name, bool shows) -> Outcome {
    Progress silent;
    Progress& progress = shows ? run.progress : silent;
    return name == configuration.authority
               ? preside(configuration, identities.at(name), run.engine, progress)
               : take_part(configuration, identities.at(name), files.at(name), nullptr, run, "run",
                           engine, progress);
  });
}

Outcome finish(const FinishRequest& request, const Run& run) {
  const Configuration configuration = configuration_of(run);
  require_part(request.name, true, configuration);
  const Identity identity = Identity::load(configuration, request.name);
  std::mutex engine;
  DisclosedList list(configuration, identity, run, engine);
  list.resume();
  auto signature = list.kept_signature();
  if (!signature && request.commit.empty())
    throw Error::input(fmt::format("the commit of session {} had not come yet", list.session()))
        .hint("Give that of another participant with --commit: its NAME.commit.json.");
  if (!signature) signature = read_commit(request.commit, list.session(), request.name);
  const std::string session = list.session();
  refuse_replacing_foreign(list.out());
  list.commit(*signature);
  keep_commit(configuration, request.name, session,
              ByteWriter().number(1, 4).text(request.name).raw(*signature).take());
  return {Json{{"name", request.name},
               {"session", session},
               {"disclosed", list.rows()},
               {"out", list.out()}}};
}

namespace {

// One participant of a union; the authority has no list.
Outcome unite(const Configuration& configuration, const Identity& identity,
              const UnionRequest& request, const ReadList* list, const std::string& out,
              Progress& progress) {
  const UnionQuestion question{request.of == "common", request.minimum};
  const auto outcome_of = [&](const Report& report, SteadyClock::time_point since) -> Outcome {
    Json result = json_of(configuration, report, identity.name, since);
    result["of"] = request.of;
    if (list != nullptr) result["out"] = out;
    return {result, true};
  };
  if (list == nullptr) {
    UnionAuthority participant(configuration, identity, question, progress);
    return guarded(configuration, identity.name, participant, [&](SteadyClock::time_point since) {
      return outcome_of(participant.run(), since);
    });
  }
  Quota quota(configuration, identity.name, Quota::Of::unions);
  std::unique_ptr<AtomicFile> file;
  UnionSite participant(configuration, identity, list->elements, question, progress);
  const auto prepare = [&](const std::vector<std::string>& elements) {
    file = std::make_unique<AtomicFile>(out, 0600);
    file->write("element\n");
    for (const auto& element : elements) file->write(csv_field(element) + "\n");
  };
  return guarded(configuration, identity.name, participant, [&](SteadyClock::time_point since) {
    const Report report = participant.run([&] { quota.spend(); }, prepare, [&] { file->commit(); });
    return outcome_of(report, since);
  });
}

ReadList list_to_unite(const Run& run, const std::string& path, const std::string& out,
                       const CanonicalForm& form) {
  // As they are written: the result is in plaintext, and nobody is counted.
  ReadList list = read_list(run, path, Reading::as_called, form);
  if (list.elements.empty())
    throw Error::input("a site has no elements").at(path).hint("Leave the site out.");
  for (std::size_t place = 0; place < list.elements.size(); ++place)
    (void)points_of_text(list.elements[place]);  // not too long
  release::refuse_overwriting_inputs(out, {list.source}, run.settings());
  return list;
}

Outcome unite_one(const Configuration& configuration, const UnionRequest& request, const Run& run) {
  const bool is_site = request.name != configuration.authority;
  require_part(request.name, is_site, configuration);
  const Identity identity = Identity::load(configuration, request.name);
  if (!is_site) return unite(configuration, identity, request, nullptr, "", run.progress);
  if (request.elements.empty() || request.out.empty())
    throw Error::input("a site of a union needs --elements and --out");
  require_addresses(configuration, request.name);
  const Quota quota(configuration, request.name, Quota::Of::unions);  // before anybody waits for it
  const ReadList list = list_to_unite(run, request.elements, request.out, configuration.form);
  return unite(configuration, identity, request, &list, request.out, run.progress);
}

}  // namespace

Outcome unite(const UnionRequest& request, const Run& run) {
  const auto began = SteadyClock::now();
  Configuration configuration = configuration_of(run);
  configuration.protocol = "union";
  configuration.question = fmt::format("{} {}", request.of, request.minimum);
  if (request.name.empty() == request.data.empty())
    throw Error::input("a union is of --data, or of one participant with --name")
        .hint("--data runs all on this machine; with --name each runs in its own house.");
  if (!request.name.empty()) return unite_one(configuration, request, run);
  const AloneHere alone(run.config, request.data, configuration, run.progress);
  std::map<std::string, Identity> identities;
  for (const auto& name : configuration.everybody())
    identities.emplace(name, Identity::load(configuration, name));
  require_addresses(configuration);
  std::map<std::string, ReadList> lists;
  const auto out = [&](const std::string& name) {
    return request.data + "/" + name + "/union.csv";
  };
  for (const auto& name : configuration.sites) {
    const Quota quota(configuration, name, Quota::Of::unions);
    lists[name] = list_to_unite(run, request.data + "/" + name + "/" + request.list + ".csv",
                                out(name), configuration.form);
    refuse_replacing_foreign(out(name));
  }
  return together(configuration, began, [&](const std::string& name, bool shows) -> Outcome {
    Progress silent;
    const bool is_site = name != configuration.authority;
    return unite(configuration, identities.at(name), request, is_site ? &lists.at(name) : nullptr,
                 is_site ? out(name) : "", shows ? run.progress : silent);
  });
}

}  // namespace pratique::consortium::flow
