// A site of the proven protocol. The steps, beside those of the authority (authority.h):
//
//  1. It draws a session key y and says hello with y G.
//  2. It checks that the roster has its own hello and everybody's signature, and learns how many
//     records each site has.
//  3. It hashes its records to the group with a tag that holds the session, shuffles them, and
//     multiplies each by its key and by a blinding number b. Batches of them go to every other site
//     in turn, come back multiplied by that site's key, and with a proof (RFC 9497, section 2.2)
//     that it was the committed key and the same for all. One altered, dropped, doubled or moved
//     record fails the proof with certainty (but for a chance of 2^-252), and the answer is signed:
//     it names the culprit.
//     What another site sees are points b y H(x) with a fresh b: random ones, to whoever cannot
//     solve the decisional Diffie-Hellman problem. Sites that pool all they saw still lack b and y.
//  4. It takes b away, and sends the points to the authority in its own order.
//  5. It gets a bitmap over that order: which of its own samples it may disclose; signed is a
//     commitment to it, as the bitmap is as long as the site has samples. Nothing is ever
//     decrypted, so no site answers for a point with fewer keys on it.
//  6. It prepares its list, and says that it has it with a commitment to it: a hash with a random
//     salt, which tells the authority nothing. The authority's commit has a signature for every
//     site, over its statement and commitment. With it, and sites also pass it on to each other,
//     the site gives its list its name. What is in the manifest so is signed together with the very
//     bytes of the list.
#pragma once

#include <functional>
#include <memory>

#include "pratique/consortium/authority.h"
#include "pratique/consortium/element_list.h"

namespace pratique::consortium {

// Distinct, canonical.
struct SiteLists {
  ElementList samples;
  ElementList people;
};

// What a site may disclose: places in SiteLists::samples, ascending.
struct SiteDecision {
  std::vector<std::uint32_t> disclosed;
  std::uint64_t by_all = 0;
  Statement statement;
};

// Where a site is; those that misbehave do it there.
enum class SiteStep : std::uint8_t {
  connected,
  said_hello,
  has_roster,
  met_sites,
  sent_lists,
  has_decision,
  said_have,
  has_commit,
};

class Site {
 public:
  Site(const Configuration& configuration, const Identity& identity, SiteLists lists,
       Progress& progress);
  virtual ~Site();
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  // Called before the commit point: returns the commitment to what will be written.
  using Prepare = std::function<Sha256Digest(const SiteDecision&)>;
  // Called after it, with what the authority signed.
  using Commit = std::function<void(const Signature&)>;
  [[nodiscard]] Report run(const Prepare& prepare, const Commit& commit);
  // So far; it is there when run() throws, too.
  [[nodiscard]] const Report& report() const { return report_; }

 protected:
  // What it answers an owner. Tests derive sites that misbehave here.
  [[nodiscard]] virtual std::vector<Point> raise(const Scalar& key, const std::string& owner,
                                                 const std::vector<Point>& points);
  [[nodiscard]] virtual std::vector<Point> lower(const Scalar& key, const std::string& owner,
                                                 const std::vector<Point>& points);
  virtual void reached(SiteStep /*step*/) {}
  // What it is told by others, as it comes.
  virtual void saw(const Message& /*message*/) {}

 private:
  struct State;
  void take_part(State& state, const Prepare& prepare, const Commit& commit);
  void accept_peers(State& state);
  void answer(State& state, Channel& owner);
  void hop(State& state, std::size_t place);
  void send_own(State& state);
  [[nodiscard]] SiteDecision receive_decision(State& state);
  [[nodiscard]] SiteDecision decision_of(State& state, const std::string& text,
                                         const Signature& signature,
                                         std::vector<std::uint32_t> disclosed,
                                         const std::string& commitment);
  // Of stranon (stranon_site.cc).
  void send_guarded(State& state);
  void answer_lock(State& state);
  void answer_guarded(State& state, Channel& owner, const Message& message,
                      std::vector<std::uint64_t>& left);
  [[nodiscard]] std::vector<Point> through_others(State& state, MessageType ask, List list,
                                                  std::vector<Point> points);
  [[nodiscard]] SiteDecision receive_locked(State& state);
  [[nodiscard]] Signature wait_for_commit(State& state, const std::string& signed_text);

  const Configuration& configuration_;
  const Identity& identity_;
  SiteLists lists_;
  Progress& progress_;
  Report report_;
};

}  // namespace pratique::consortium
