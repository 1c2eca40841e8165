// What the participants of a consortium agree on before they meet: who they are, where they listen,
// what is decided and how elements are written. It is a YAML file (consortium.yaml) that all of
// them have; beside it lie the certificates of all (NAME.pem), the one that signed them (ca.pem),
// and of the private keys (NAME.key) only the participant's own.
//
// A digest of all of it is in each participant's first message: who has another one is refused
// before any data is sent.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/crypto/hash.h"

namespace pratique::consortium {

// How an element is written before it is hashed, so that the same one is the same everywhere.
struct CanonicalForm {
  std::string unicode = "nfc";    // nfc, nfkc, none
  std::string letters = "keep";   // fold: capitals do not count
  std::string blanks = "single";  // single: none at the ends, one elsewhere; keep
  std::string dates = "keep";     // a form of data/date_form.h: written as 1970-03-05
};

struct Address {
  std::string name;
  std::string host;
  int port = 0;
};

struct Configuration {
  std::string authority = "A";
  std::vector<std::string> sites;  // ascending
  std::vector<Address> addresses;  // of all
  std::uint64_t k = 5;
  std::uint64_t coalition = 1;  // so many sites may pool what they know
  std::string method = "greedy";
  std::string protocol = "proven";
  // Of stranon: check rounds, each site's dummies, and the authority's (guarded_list.h).
  std::uint64_t alpha = 1;
  std::uint64_t beta = 100;
  std::uint64_t lock = 100;
  std::uint64_t batch = 512;          // points of one message
  std::uint64_t records = 1'000'000;  // of one list, at most
  std::uint64_t quota = 3;            // unions of each pair of sites
  std::uint64_t sessions = 10;        // and other sessions of each pair
  std::chrono::seconds wait{60};      // for the others to start
  std::chrono::seconds step{120};     // for the next message
  std::chrono::seconds clock{300};    // by which clocks may differ
  CanonicalForm form;
  std::string folder;    // where the certificates are
  std::string question;  // of a union: what is asked; all must ask the same

  // Throws Error::input, placed, for what cannot be.
  [[nodiscard]] static Configuration read(const std::string& path);
  [[nodiscard]] static Configuration parse(std::string_view text, const std::string& place);
  [[nodiscard]] static std::vector<std::string> keys();

  void check(const std::string& place) const;
  [[nodiscard]] std::string to_yaml() const;
  // Of what all must have alike.
  [[nodiscard]] Sha256Digest digest() const;
  [[nodiscard]] const Address& address(const std::string& name) const;
  [[nodiscard]] std::string file(const std::string& name) const { return folder + "/" + name; }
  [[nodiscard]] std::vector<std::string> everybody() const;
};

}  // namespace pratique::consortium
