// The authority of the proven protocol. The steps, and what it learns in each:
//
//  1. Every site connects (TLS 1.3, both with certificates) and says hello: its session key's
//     commitment K = y G, how many records it has, its clock.         sizes of the lists
//  2. The authority answers all with the roster; its hash is the session.
//  3. Sites raise each other's points (site.h). It sees none of that.
//  4. Each site sends its records, each multiplied by the keys of all sites.
//     It sees which records are the same at which sites, and nothing else of them: to tell a point
//     y1 ... yn H(x) from a random one without all of y1 ... yn is the decisional Diffie-Hellman
//     problem, and no list is ever decrypted.
//  5. It decides (decision.h), verifies the decision, and sends each site a signed statement with a
//     salted commitment to a bitmap over the order in which that site sent its samples, and the
//     bitmap.
//  6. When all sites have theirs, each with a salted hash of its list, it sends the commit with a
//     signature for each, and only then anybody writes anything.
//
// The list of people goes the same way as that of samples, under another tag: names are not public
// to anybody by this protocol.
#pragma once

#include "pratique/consortium/decision.h"
#include "pratique/consortium/guarded_list.h"
#include "pratique/consortium/session.h"

namespace pratique::consortium {

// What a site is told: signed by the authority, and kept in the manifest of what it discloses.
struct Statement {
  std::string text;  // JSON
  Signature signature{};
};

// Where an authority is; those that misbehave do it there.
enum class AuthorityStep : std::uint8_t {
  has_hellos,
  sent_roster,
  has_lists,
  sent_decisions,
  has_all,
  sent_a_commit,
};

struct Meeting;  // internal/meeting.h

class Authority {
 public:
  Authority(const Configuration& configuration, const Identity& identity, Engine& engine,
            Progress& progress);
  virtual ~Authority() = default;
  Authority(const Authority&) = delete;
  Authority& operator=(const Authority&) = delete;
  // Throws CheckFailed, Aborted or Error; all sites are told first.
  [[nodiscard]] Report run();
  // So far; it is there when run() throws, too.
  [[nodiscard]] const Report& report() const { return report_; }

 protected:
  virtual void reached(AuthorityStep /*step*/) {}
  // What it tells the sites; those that lie do it here.
  virtual void decided(Decision& /*decision*/) {}
  virtual void saw(const Message& /*message*/) {}

 private:
  void serve(Meeting& meeting);
  void receive_lists(Meeting& meeting, SubmittedLists& lists);
  [[nodiscard]] Signature sign_statement(const std::string& text) const;
  // Of stranon.
  void encrypt_lock(Meeting& meeting, LockSet& lock);
  void return_locked(Meeting& meeting, const LockSet& lock, const SubmittedLists& lists,
                     const Decision& decision,
                     const std::map<std::string, std::string>& statements);

  const Configuration& configuration_;
  const Identity& identity_;
  Engine& engine_;
  Progress& progress_;
  Report report_;
};

// To the bits that a site is told, in hexadecimal digits: the statement with it is public, and how
// long and which the bits are is the site's business, which alone gets the salt.
[[nodiscard]] std::string bitmap_commitment(std::string_view bits, const Sha256Digest& salt);

// What the authority signs for a site, by the commitment to the site's list.
[[nodiscard]] std::string signed_release(const std::string& statement,
                                         const Sha256Digest& commitment);
// By site, as the commit has it; nothing where it has none.
[[nodiscard]] std::optional<Signature> signature_for(const std::string& site,
                                                     std::string_view commit);

}  // namespace pratique::consortium
