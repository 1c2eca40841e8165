#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "catalogue.h"
#include "command.h"
#include "nouns.h"
#include "pratique/core/file.h"
#include "pratique/net/http_server.h"
#include "pratique/server/workbench.h"
#include "terminal.h"
#include "web_assets.h"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace pratique::app {
namespace {

struct ServeOptions {
  net::HttpOptions http;
  std::string data = ".";
  std::vector<std::string> host_names;
  bool no_token = false;
  bool new_token = false;
  bool open = false;
  std::size_t jobs = 0;
  std::uint64_t job_memory = 0;
  std::uint64_t upload = 2ULL << 30U;
  std::string port_file;
};

bool is_loopback(const std::string& address) {
  return address == "::1" || address.starts_with("127.");
}

void check_safety(const ServeOptions& options) {
  const auto& http = options.http;
  if (http.certificate.empty() != http.key.empty()) {
    throw Error::input("--certificate and --key go together")
        .hint("Give both, or neither on this machine alone.");
  }
  if (is_loopback(http.address)) return;
  if (http.certificate.empty()) {
    throw Error::input("beyond this machine the workbench needs TLS")
        .hint("Give --certificate and --key, or leave --address out.");
  }
  if (options.no_token) {
    throw Error::input("beyond this machine the workbench needs a token")
        .hint("Leave --no-token out.");
  }
}

std::string state_folder(const ServeOptions& options) { return options.data + "/.pratique"; }

void write_private_file(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.set_mode(0600);
  file.write(text);
  file.commit();
}

// The same after a restart, so that open pages stay logged in. Empty: there is none to use.
std::string kept_token(const ServeOptions& options) {
  const std::string path = state_folder(options) + "/token";
  struct stat status {};
  if (options.new_token || lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_uid != geteuid() || (status.st_mode & 0077U) != 0) {
    return {};
  }
  std::string token = read_file(path);
  const bool fits =
      token.size() == 64 && token.find_first_not_of("0123456789abcdef") == std::string::npos;
  return fits ? token : std::string();
}

// The name of this machine, for an address that stands for all it has.
std::string machine_name() {
  std::string name(HOST_NAME_MAX + 1, '\0');
  if (gethostname(name.data(), name.size()) != 0) return "localhost";
  name.resize(name.find('\0'));
  return name;
}

// The first is the one to open.
std::vector<std::string> hosts_of(const ServeOptions& options, int port) {
  std::vector<std::string> names = options.host_names;
  const auto& address = options.http.address;
  const bool any = address == "0.0.0.0" || address == "::";
  const std::string own = any                                      ? machine_name()
                          : address.find(':') == std::string::npos ? address
                                                                   : "[" + address + "]";
  names.insert(is_loopback(address) ? names.begin() : names.end(), own);
  if (any || is_loopback(address)) {
    names.insert(names.end(), {"127.0.0.1", "localhost", "[::1]"});
  }
  std::vector<std::string> hosts;
  for (const auto& name : names) {
    hosts.push_back(fmt::format("{}:{}", name, port));
    if (port == (options.http.certificate.empty() ? 80 : 443)) hosts.push_back(name);
  }
  return hosts;
}

std::uint64_t machine_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
}

void allow_many_descriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 8192);
  setrlimit(RLIMIT_NOFILE, &limit);
}

// A page that leads to the address. All users of a machine see the words of all its programs, so a
// browser is not told the token in one: it reads it from a file of ours.
std::string private_page(const ServeOptions& options, const std::string& url) {
  std::string path = std::filesystem::canonical(state_folder(options)).string() + "/open.html";
  write_private_file(path,
                     fmt::format("<!doctype html><meta charset=\"utf-8\"><title>Pratique</title>"
                                 "<meta http-equiv=\"refresh\" content=\"0; url={0}\">"
                                 "<a href=\"{0}\">Open the workbench</a>\n",
                                 url));
  return path;
}

void say_no_browser() {
  (void)print_text(stderr, "pratique: no browser could be opened; open the address above\n");
}

// Where there is no desktop there is no xdg-open, or one that finds nothing to open.
void open_browser(std::string place) {
  std::string program = "xdg-open";
  std::vector<char*> words = {program.data(), place.data(), nullptr};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_WRONLY, 0);
  }
  // A group of its own, with no signal blocked: Ctrl-C ends the server and not the browser.
  posix_spawnattr_t apart;
  posix_spawnattr_init(&apart);
  posix_spawnattr_setflags(&apart,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&apart, &signals);
  sigaddset(&signals, SIGPIPE);
  posix_spawnattr_setsigdefault(&apart, &signals);
  pid_t child = 0;
  const bool started =
      posix_spawnp(&child, program.c_str(), &quiet, &apart, words.data(), environ) == 0;
  posix_spawnattr_destroy(&apart);
  posix_spawn_file_actions_destroy(&quiet);
  if (!started) return say_no_browser();
  std::thread([child] {
    int status = 0;
    if (waitpid(child, &status, 0) == child && status != 0) say_no_browser();
  }).detach();
}

// A port alone has no sign of who wrote it (replaceable.h), but is nothing else.
void refuse_replacing_more_than_a_port(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) return;
  if (std::filesystem::file_size(path) <= std::string_view("65535\n").size() &&
      read_file(path).find_first_not_of("0123456789\n") == std::string::npos) {
    return;
  }
  throw Error::input("a file with this name exists, and is not a port file")
      .at(path)
      .hint("Choose another name with --port-file, or replace it with --force.");
}

int serve(const ServeOptions& options, const CommandLine& program, Session& session) {
  check_safety(options);
  allow_many_descriptors();
  const server::DataFolder folder(
      options.data);  // says so when it is none, before anything is made
  net::HttpServer http(options.http);
  server::WorkbenchOptions workbench;
  workbench.program = "/proc/self/exe";
  workbench.data = options.data;
  const std::string kept = options.no_token ? std::string() : kept_token(options);
  if (!options.no_token) workbench.token = kept.empty() ? server::draw_token() : kept;
  if (!options.no_token) workbench.ended = state_folder(options) + "/ended-sessions";
  workbench.hosts = hosts_of(options, http.port());
  workbench.secure = !options.http.certificate.empty();
  workbench.loopback = is_loopback(options.http.address);
  workbench.upload_bytes = options.upload;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  // A candidate is made while a map is drawn, on the smallest machine, too.
  workbench.jobs.running = options.jobs > 0 ? options.jobs : std::max<std::size_t>(2, cores / 2);
  workbench.jobs.memory_bytes = options.job_memory > 0
                                    ? options.job_memory
                                    : machine_memory() / 5 * 4 / workbench.jobs.running;
  workbench.assets = web_assets();
  server::Workbench bench(workbench, catalogue_of(program, session.common));
  // Not before the folder is ours alone: another server there goes by the token that is kept.
  if (workbench.token != kept)
    write_private_file(state_folder(options) + "/token", workbench.token);

  const Progress::OnStop on_stop(session.progress, [&] {
    bench.stop();
    http.stop();
  });
  const std::string base =
      fmt::format("{}://{}", workbench.secure ? "https" : "http", workbench.hosts.front());
  const std::string url = workbench.token.empty()
                              ? base + "/"
                              : fmt::format("{}/login?token={}", base, workbench.token);
  if (!options.port_file.empty()) {
    if (!session.force) refuse_replacing_more_than_a_port(options.port_file);
    write_file_atomically(options.port_file, fmt::format("{}\n", http.port()));
  }
  session.print({{"url", url}, {"data", folder.path()}, {"port", http.port()}});
  if (options.open) open_browser(workbench.token.empty() ? url : private_page(options, url));
  http.serve([&](const net::Request& request) { return bench.handle(request); });
  return 0;
}

}  // namespace

void add_serve(CommandLine& program, Session& session) {
  auto options = std::make_shared<ServeOptions>();
  Verb& verb =
      program.add("", "serve", "Open the workbench: the same flow in a browser",
                  [options, &program, &session] { return serve(*options, program, session); });
  verb.whole_number("port", &options->http.port, 0, 65535, "to listen on, 0 for any free one");
  verb.folder_read("data", &options->data, "the folder to work in; nothing outside it is touched")
      .unless_given("the current one");
  verb.text("address", &options->http.address,
            "to listen on; any other than this machine's own needs --certificate and --key");
  verb.file_read("certificate", &options->http.certificate, "for TLS, a PEM file");
  verb.key_file("key", &options->http.key, "the certificate's key, a PEM file");
  verb.text("host-name", &options->host_names,
            "another name of this machine that browsers may use");
  verb.flag("no-token", &options->no_token, "let everyone on this machine use it");
  verb.flag("new-token", &options->new_token, "draw a new token; everyone must log in again");
  verb.flag("open", &options->open, "open a browser");
  verb.whole_number("max-jobs", &options->jobs, 1, 64, "how many jobs run at once")
      .unless_given("one for two cores, at least two");
  verb.size("job-memory", &options->job_memory, "what a job may use, such as 2GB")
      .unless_given("four fifths of the machine's, shared by those that run at once");
  verb.size("max-upload", &options->upload, "the largest upload to accept").unless_given("2GB");
  verb.not_a_job = true;
  verb.file_written("port-file", &options->port_file, "write the port to this file once it listens")
      .replaces({""});
}

}  // namespace pratique::app
