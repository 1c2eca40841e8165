// What the sites have in all, or all in common, in plaintext and without its origin (Malin 2006,
// section C.4.2, which broadcasts it). One connection per site, to the authority, who passes on
// what sites say to each other; that is signed, so it can change none of it and ask in nobody's
// name.
//
//  1. Hello and roster, as in authority.h; no list of people.
//  2. Every site makes a second key for the session and publishes it with a proof that it knows the
//     secret number; the sum of all is the key that texts are sealed under (sealed_text.h).
//  3. Every owner has its hashed elements multiplied by the keys of all, blinded, each step with a
//     proof (site.h), and sends the authority each with its text, sealed.
//     The authority sees which elements are the same, and keeps one sealed text of each (of those
//     that all sites have, where that is asked for). If these are fewer than the least that may be
//     revealed, the session ends, and nobody learns how many there were. The session counts all the
//     same: whoever could ask as often as she likes would add an element of hers until there are
//     enough.
//  4. The sealed texts go through all sites. Each makes them anew, shuffles them, and signs hashes
//     of what it got and gave. Whoever does not know the orders of all sites cannot say which
//     outgoing text was which incoming one: one honest site suffices.
//  5. Every site sees the signed hashes from the first list to the last, its own among them, and
//     only then multiplies the last list by its second number, with a proof. So nobody can have a
//     list opened that did not go through its hands.
//  6. The authority passes on what all multiplied, and everybody opens the texts by itself. Each
//     site finds all its own elements there (or every element among its own), or the session ends:
//     a text that was replaced or changed on the way is missed by its owner. Then the commit, as
//     ever.
//
// The authority, or a site that mixes, can put other texts in the place of those that it should
// pass on, marked ones or those of one site alone. Step 6 always finds that, and it ends the
// session, but by then these texts are open: who cheats so is caught once and has learned once.
// The authority of a union must be one that does not risk that.
//
// What a site learns: the result, and how large the others' lists are. From a small difference of
// two sessions one could tell who added what; so each site counts the sessions it had with each
// other, and takes part in no more than the settings allow (quota).
#pragma once

#include "pratique/consortium/element_list.h"
#include "pratique/consortium/session.h"
#include "pratique/core/progress.h"

namespace pratique::consortium {

struct Share;         // internal/union_parts.h
struct UnionMeeting;  // of union.cc

struct UnionQuestion {
  bool common = false;  // what all sites have; else what any has
  std::uint64_t minimum = 1;
};

class UnionAuthority {
 public:
  UnionAuthority(const Configuration& configuration, const Identity& identity,
                 const UnionQuestion& question, Progress& progress);
  virtual ~UnionAuthority() = default;
  UnionAuthority(const UnionAuthority&) = delete;
  UnionAuthority& operator=(const UnionAuthority&) = delete;
  [[nodiscard]] Report run();
  // So far; it is there when run() throws, too.
  [[nodiscard]] const Report& report() const { return report_; }

 protected:
  // What it passes on to be mixed, and what it reads in the end. Tests derive authorities that
  // misbehave here.
  virtual void passes_on(std::vector<Point>& /*texts*/) {}
  [[nodiscard]] virtual std::vector<std::string> reads(std::span<const Point> texts,
                                                       const std::map<std::string, Share>& shares,
                                                       const std::map<std::string, Point>& keys,
                                                       const Sha256Digest& session);

 private:
  void pass_on_raised(UnionMeeting& meeting);
  [[nodiscard]] std::vector<Point> chosen_texts(UnionMeeting& meeting);
  void serve(UnionMeeting& meeting);

  const Configuration& configuration_;
  const Identity& identity_;
  UnionQuestion question_;
  Progress& progress_;
  Report report_;
};

class UnionSite {
 public:
  UnionSite(const Configuration& configuration, const Identity& identity, ElementList elements,
            const UnionQuestion& question, Progress& progress);

  virtual ~UnionSite() = default;
  UnionSite(const UnionSite&) = delete;
  UnionSite& operator=(const UnionSite&) = delete;

  // `prepare` is called with the elements before the commit, `commit` after it. `spend` is called
  // before anything is compared: that there are fewer than the least, too, is an answer.
  [[nodiscard]] Report run(const std::function<void()>& spend,
                           const std::function<void(const std::vector<std::string>&)>& prepare,
                           const std::function<void()>& commit);
  // So far; it is there when run() throws, too.
  [[nodiscard]] const Report& report() const { return report_; }

 protected:
  // What it gives to the next one; sites that misbehave do it here.
  virtual void mixed(std::vector<Point>& /*texts*/) {}

 private:
  struct State;
  void agree_on_key(State& state);
  void raise_with_all(State& state);
  void submit(State& state);
  void mix(State& state);
  void open(State& state);
  [[nodiscard]] std::vector<std::string> receive_result(State& state);

  const Configuration& configuration_;
  const Identity& identity_;
  ElementList elements_;
  UnionQuestion question_;
  Progress& progress_;
  Report report_;
};

}  // namespace pratique::consortium
