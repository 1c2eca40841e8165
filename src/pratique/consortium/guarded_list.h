// The thesis's protocol (SCAMD and STRANON: Malin 2006, chapter 8 and appendix C): its steps where
// they differ from the proven one's (site.h, authority.h), and without the network what an owner
// does with its list, and the authority with its lock.
//
//  3a. Every site in turn encrypts the authority's lock: random points, blinded. It learns nothing.
//  3b. Its records, its dummies and the authority's common one go to every other site in turn,
//      blinded, and come back encrypted, without a proof. The others see random points, as in the
//      proven protocol. In alpha check rounds they go round again to be decrypted, in another order
//      and under another number.
//      A site that uses another key for f of the n records is found by their owner: it has to guess
//      the f records again. It guesses right with the chance 1 / C(n, f), at most 1/n, in each
//      round (theorem 12, which states the chance to be found).
//  4.  The owner sends its records to the authority, the common dummy first, and its own dummies
//  not
//      at all. One that uses another key for a whole list is found by the authority, as the dummy
//      that all sites share then differs (theorem 11). What the authority sees is what it sees in
//      the proven protocol: trails.
//  5.  What a site may disclose comes back as points, among the lock's, under a number of the
//      authority's. Every other site decrypts them. When all of the lock is there the owner says
//      so, and when everybody has said so, the authority opens everybody's. One that spoils a
//      record of what comes back to another, so as to be the only one to get anything, hits a dummy
//      of the lock with the chance |D| / (|D| + |return|) and is found before anybody gets anything
//      (theorem 13): a weak promise, since one spoiled record among 2,000 goes unnoticed with 1 %
//      only behind 198,000 dummies.
//  6.  The owner finds its samples again in its own table.
//
// Whoever answers step 5 is a decryption oracle for points that an authority chose: an authority
// that sends a site another's list learns it together with that site (section C.4.3). The proven
// protocol has no such step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "pratique/crypto/ristretto.h"

namespace pratique::consortium {

using Points = std::vector<Point>;

[[nodiscard]] std::vector<std::uint32_t> secret_order(std::size_t size);
[[nodiscard]] Points multiplied(const Scalar& number, const Points& points);

class GuardedList {
 public:
  // `common` is the authority's dummy; `dummies` are the owner's own, random ones.
  GuardedList(const Points& records, const Point& common, std::size_t dummies);

  [[nodiscard]] std::size_t size() const { return plain_.size(); }
  // For the others to encrypt: under the owner's key and a blinding number.
  [[nodiscard]] Points blinded(const Scalar& key) const;
  // What came back of all of them. False where it has another size.
  [[nodiscard]] bool take_encrypted(const Points& points);

  // A check round: the encrypted list for the others to decrypt, and whether that gave what it was.
  [[nodiscard]] Points question();
  [[nodiscard]] bool is_answered(const Points& lowered, const Scalar& key) const;

  // For the authority: the common dummy first, then the records in a random order. The owner's
  // dummies leave before the analysis: nobody else has them, and they would look like records.
  [[nodiscard]] Points submission() const;
  // The places in `records`, in that order.
  [[nodiscard]] std::vector<std::uint32_t> submitted() const;

 private:
  Points plain_;
  std::vector<std::uint32_t> of_;  // the place in records, kCommon or kDummy
  Points encrypted_;
  Scalar blind_ = Scalar::random();
  Scalar check_ = Scalar::random();
  std::vector<std::uint32_t> order_;  // of the question
};

// The authority's dummies, which all sites encrypt like a list.
class LockSet {
 public:
  explicit LockSet(std::size_t size);

  [[nodiscard]] Points blinded() const;
  [[nodiscard]] bool take_encrypted(const Points& points);

  // What goes to a site: its records and the dummies, both fully encrypted and under a number of
  // the authority's, in a random order; the dummies under that number alone; and what unlocks it.
  struct Locked {
    Points mixed;
    Points dummies;
    Scalar unlock;
  };
  [[nodiscard]] Locked lock(const Points& returned) const;

 private:
  Points plain_;
  Points encrypted_;
  Scalar blind_ = Scalar::random();
};

// The records among what was decrypted, still locked; nothing where a dummy is missing.
[[nodiscard]] std::optional<Points> honestly_decrypted(const Points& decrypted,
                                                       const Points& dummies);

// What alpha, beta and lock cost and how sure they make an owner (section C.3.2).
struct GuardPlan {
  std::uint64_t records = 0;
  std::uint64_t rounds = 0;   // alpha
  std::uint64_t dummies = 0;  // beta
  std::uint64_t lock = 0;
  std::uint64_t bandwidth = 0;  // points, by formula C.4
  double key_switch_found = 0;  // theorem 12, at least
  double grab_found = 0;        // theorem 13, at least
};
// The least bandwidth with which both chances are at least `confidence`, of 0 to 1. `returned` are
// the records that come back; with none the lock is of none.
[[nodiscard]] GuardPlan plan_guards(std::uint64_t sites, std::uint64_t records,
                                    std::uint64_t returned, double confidence);
[[nodiscard]] GuardPlan cost_of_guards(std::uint64_t sites, std::uint64_t records,
                                       std::uint64_t returned, std::uint64_t rounds,
                                       std::uint64_t dummies, std::uint64_t lock);

}  // namespace pratique::consortium
