#include "pratique/consortium/configuration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/data/date_form.h"
#include "pratique/data/settings.h"
#include "pratique/trails/method/dedup.h"

namespace pratique::consortium {
namespace {

std::uint64_t whole_number(const Setting& setting, std::uint64_t low, std::uint64_t high) {
  const std::string& text = setting.values.empty() ? setting.key : setting.values.front();
  std::uint64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (setting.values.size() != 1 || failed != std::errc() || end != text.data() + text.size() ||
      number < low || number > high) {
    throw Error::input(
        fmt::format("'{}' must be a whole number from {} to {}", setting.key, low, high))
        .at(setting.place);
  }
  return number;
}

std::string word(const Setting& setting, const std::vector<std::string>& choices) {
  if (setting.values.size() != 1 ||
      (!choices.empty() && std::ranges::find(choices, setting.values[0]) == choices.end()))
    throw Error::input(fmt::format("'{}' must be one of {}", setting.key, fmt::join(choices, ", ")))
        .at(setting.place);
  return setting.values.front();
}

Address address_of(const std::string& text, const std::string& place) {
  const auto equals = text.find('=');
  const auto colon = text.rfind(':');
  Address address;
  bool fits = equals != std::string::npos && colon != std::string::npos && colon > equals + 1;
  if (fits) {
    address.name = text.substr(0, equals);
    address.host = text.substr(equals + 1, colon - equals - 1);
    const auto [end, failed] =
        std::from_chars(text.data() + colon + 1, text.data() + text.size(), address.port);
    fits = failed == std::errc() && end == text.data() + text.size() && address.port > 0 &&
           address.port < 65536;
  }
  if (!fits)
    throw Error::input("an address is not NAME: HOST:PORT")
        .at(place)
        .hint("Write for example: addresses: {H1: 127.0.0.1:7411}");
  return address;
}

bool is_name(const std::string& name) {
  return !name.empty() && name.size() <= 64 && name.front() != '.' &&
         std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '_' || c == '.';
         });
}

// A name or an address; without brackets, of IPv6 too.
bool is_host(const std::string& host) {
  return !host.empty() && host.size() <= 253 && std::ranges::all_of(host, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == ':' || c == '_';
  });
}

std::vector<std::string> date_words() {
  std::vector<std::string> words = {"keep"};
  for (const auto form : {DateForm::iso, DateForm::timestamp, DateForm::year_first,
                          DateForm::month_first, DateForm::day_first, DateForm::named_month})
    words.emplace_back(to_string(form));
  return words;
}

}  // namespace

std::vector<std::string> Configuration::keys() {
  return {"authority", "sites", "addresses", "k",       "coalition", "method", "protocol",
          "alpha",     "beta",  "lock",      "batch",   "records",   "quota",  "sessions",
          "wait",      "step",  "clock",     "unicode", "letters",   "blanks", "dates"};
}

Configuration Configuration::read(const std::string& path) {
  Configuration configuration = parse(read_file(path), path);
  const auto folder = std::filesystem::path(path).parent_path().string();
  configuration.folder = folder.empty() ? "." : folder;
  return configuration;
}

Configuration Configuration::parse(std::string_view text, const std::string& place) {
  Configuration read;
  for (const auto& setting : parse_settings(text, place, keys(), {})) {
    const auto& key = setting.key;
    if (key == "authority")
      read.authority = word(setting, {setting.values.empty() ? "" : setting.values[0]});
    if (key == "sites") {
      read.sites = setting.values;
      if (!setting.list && setting.values.size() == 1)
        read.sites = split_at_commas(setting.values[0]);
    }
    if (key == "addresses")
      for (const auto& value : setting.values)
        read.addresses.push_back(address_of(value, setting.place));
    if (key == "k") read.k = whole_number(setting, 2, 1'000'000'000);
    if (key == "coalition") read.coalition = whole_number(setting, 1, 64);
    if (key == "method") read.method = word(setting, {"greedy", "force", "best"});
    if (key == "protocol") read.protocol = word(setting, {"proven", "stranon"});
    if (key == "alpha") read.alpha = whole_number(setting, 1, 64);
    if (key == "beta") read.beta = whole_number(setting, 0, 1'000'000);
    if (key == "lock") read.lock = whole_number(setting, 1, 10'000'000);
    if (key == "batch") read.batch = whole_number(setting, 1, 16'384);
    if (key == "records") read.records = whole_number(setting, 1, 4'000'000);
    if (key == "quota") read.quota = whole_number(setting, 0, 1'000'000);
    if (key == "sessions") read.sessions = whole_number(setting, 0, 1'000'000);
    if (key == "wait") read.wait = std::chrono::seconds(whole_number(setting, 1, 86'400));
    if (key == "step") read.step = std::chrono::seconds(whole_number(setting, 1, 86'400));
    if (key == "clock") read.clock = std::chrono::seconds(whole_number(setting, 1, 86'400));
    if (key == "unicode") read.form.unicode = word(setting, {"nfc", "nfkc", "none"});
    if (key == "letters") read.form.letters = word(setting, {"keep", "fold"});
    if (key == "blanks") read.form.blanks = word(setting, {"single", "keep"});
    if (key == "dates") read.form.dates = word(setting, date_words());
  }
  read.check(place);
  return read;
}

void Configuration::check(const std::string& place) const {
  const auto refuse = [&](const std::string& what, const std::string& how) {
    throw Error::input(what).at(place).hint(how);
  };
  if (sites.size() < 2) refuse("a consortium has at least two sites", "Name them: sites: [H1, H2]");
  if (sites.size() > 64) refuse("a consortium has at most 64 sites", "Split it.");
  if (coalition >= sites.size())
    refuse(fmt::format("coalition is {}, of {} sites", coalition, sites.size()),
           "So many sites may pool what they know: at most all but one.");
  trails::require_few_coalitions(sites.size(), coalition);
  std::set<std::string> names;
  std::set<std::string> lowered;
  for (const auto& name : everybody()) {
    if (name == "ca")
      refuse("'ca' is the consortium's own certificate authority", "Rename the participant.");
    if (!is_name(name))
      refuse("a participant's name is not made of letters, digits, '-', '_' and '.'", "Rename it.");
    names.insert(name);
    // Files are called after them, and not every file system tells capitals apart.
    if (!lowered.insert(lower(name)).second)
      refuse(fmt::format("two participants are called '{}'", name),
             "Give each its own name; capitals do not count.");
  }
  std::set<std::string> addressed;
  std::set<std::pair<std::string, int>> taken;
  for (const auto& at : addresses) {
    if (!names.contains(at.name))
      refuse(fmt::format("'{}' has an address and is neither a site nor the authority", at.name),
             "Add it to sites, or remove its address.");
    if (!is_host(at.host))
      refuse(fmt::format("the address of '{}' is not a host and port", at.name),
             "Write it as NAME: HOST:PORT, such as H1: h1.example.org:7411");
    if (!addressed.insert(at.name).second)
      refuse(fmt::format("'{}' has two addresses", at.name), "Keep one.");
    if (!taken.emplace(at.host, at.port).second)
      refuse(fmt::format("two participants listen on {}:{}", at.host, at.port),
             "Give each a port of its own.");
  }
  for (const auto& name : everybody())
    if (!addressed.contains(name))
      refuse(fmt::format("'{}' has no address", name), "Add it to addresses: NAME: HOST:PORT");
}

std::string Configuration::to_yaml() const {
  std::string text = fmt::format(
      "# Everybody in the consortium has this file. Certificates (NAME.pem, ca.pem) lie beside "
      "it.\n"
      "authority: {}\nsites: [{}]\naddresses:\n",
      authority, fmt::join(sites, ", "));
  for (const auto& at : addresses) text += fmt::format("  {}: {}:{}\n", at.name, at.host, at.port);
  const std::string guards =
      protocol == "stranon"
          ? fmt::format(
                "alpha: {}  # check rounds\nbeta: {}  # dummies of each site\nlock: {}  # "
                "dummies of the authority\n",
                alpha, beta, lock)
          : "";
  text += fmt::format(
      "k: {}\ncoalition: {}  # sites that may pool what they know\nmethod: {}\nprotocol: {}\n{}"
      "batch: {}      # points in one message\nrecords: {}  # of one list, at most\n"
      "quota: {}  # unions that two sites may both take part in\n"
      "sessions: {}  # and other sessions\n"
      "wait: {}       # seconds for the others to start\nstep: {}      # seconds for the next "
      "message\n"
      "clock: {}     # seconds by which clocks may differ\n"
      "# How elements are written before they are compared.\n"
      "unicode: {}\nletters: {}\nblanks: {}\ndates: {}\n",
      k, coalition, method, protocol, guards, batch, records, quota, sessions, wait.count(),
      step.count(), clock.count(), form.unicode, form.letters, form.blanks, form.dates);
  return text;
}

Sha256Digest Configuration::digest() const {
  Configuration sorted = *this;
  std::ranges::sort(sorted.addresses, {}, &Address::name);
  const std::string text = sorted.to_yaml() + question;
  return sha256(std::as_bytes(std::span(text)));
}

const Address& Configuration::address(const std::string& name) const {
  const auto participant = std::ranges::find(addresses, name, &Address::name);
  if (participant == addresses.end())
    throw Error::input(fmt::format("the consortium has no participant '{}'", name))
        .hint(fmt::format("Its sites are {}; its authority is {}.", fmt::join(sites, ", "),
                          authority));
  return *participant;
}

std::vector<std::string> Configuration::everybody() const {
  std::vector<std::string> names = {authority};
  names.insert(names.end(), sites.begin(), sites.end());
  return names;
}

}  // namespace pratique::consortium
