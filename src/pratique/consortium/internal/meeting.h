// How a session begins and ends, whatever it is about: sites come to the authority and say hello,
// the authority answers with the roster (session.h), and whoever finds a fault tells the others.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "pratique/consortium/internal/reception.h"
#include "pratique/consortium/session.h"
#include "pratique/core/progress.h"

namespace pratique::consortium {

// Throws Error::input where the port is taken.
[[nodiscard]] std::unique_ptr<net::Listener> listen_for(const Address& address);

// Who takes part, and what all its threads share.
struct Participant {
  // What comes of it is told in `told`, whether it ends well or not.
  Participant(const Configuration& of, const Identity& as, Report& told)
      : configuration(of), identity(as), report(told) {
    report = {};
  }

  const Configuration& configuration;
  const Identity& identity;
  Report& report;
  std::atomic<bool> stop{false};
  Traffic traffic;
  Roster roster;  // once it is there
  std::atomic<std::uint64_t> operations{0};

  [[nodiscard]] std::chrono::milliseconds step() const { return configuration.step; }
  // Puts what was counted in the report.
  void count();
};

// A site's end of it.
struct Attendance : Participant {
  using Participant::Participant;
  std::unique_ptr<Channel> authority;

  // Waits until the authority listens, as long as the settings say.
  void come(Progress& progress) { come(progress, configuration.wait); }
  void come(Progress& progress, std::chrono::milliseconds patience);
  // Listens itself. Where it cannot, the authority is told, if it is there, and nobody waits.
  [[nodiscard]] std::unique_ptr<net::Listener> listen(Progress& progress);
  // A hello with the commitment to this key, and for the sizes of the lists.
  [[nodiscard]] Hello hello(const Scalar& key, std::uint64_t samples, std::uint64_t people) const;
  void say(const Hello& hello);
  // Throws CheckFailed where the authority has another hello of this site.
  void wait_for_roster(const Hello& said);
  // Does all of `body`. Where it throws, the authority is told, or asked for the reason.
  void attend(const std::function<void()>& body);
};

// The authority's end of it.
struct Meeting : Participant {
  using Participant::Participant;
  std::unique_ptr<net::Listener> listener;
  std::unique_ptr<Reception> reception;                      // who comes while the sites gather
  std::map<std::string, std::unique_ptr<Channel>> channels;  // by site

  [[nodiscard]] Channel& of(const std::string& site) { return *channels.at(site); }
  // Every site's hello, as it came.
  void gather(Progress& progress);
  // `check` may refuse the roster before anybody gets it.
  void send_roster(const std::function<void(const Roster&)>& check);
  // Does all of `body`. Where it throws, all sites are told, those too that have not come yet.
  void preside(const std::function<void()>& body);

 private:
  void tell_all(const Error& error);
  std::map<std::string, std::string> hellos_;  // by site, signed
};

}  // namespace pratique::consortium
