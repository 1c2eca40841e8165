// The consortium from files to files: its folder, one participant, or all of them on this machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/kind/run.h"

namespace pratique::consortium::flow {

struct InitRequest {
  std::vector<std::string> sites = {};
  std::string authority = "A";
  std::vector<std::string> addresses = {};  // NAME=HOST:PORT; else 127.0.0.1 and ports from `port`
  std::uint64_t port = 7411;
  std::uint64_t k = 5;
  std::uint64_t coalition = 1;
  std::string method = "greedy";
  std::string protocol = "proven";
  std::uint64_t alpha = 1;
  std::uint64_t beta = 100;
  std::uint64_t lock = 100;
  std::string unicode = "nfc";
  std::string letters = "keep";
  std::string blanks = "single";
  std::string dates = "keep";
  std::uint64_t batch = 512;
  std::uint64_t records = 1'000'000;
  std::uint64_t quota = 3;
  std::uint64_t sessions = 10;
  std::uint64_t wait = 60;
  std::uint64_t step = 120;
  std::uint64_t clock = 300;
  std::string requests = {};  // a folder with NAME.csr of those who made their own key
  std::string out = {};
};
[[nodiscard]] Outcome init(const InitRequest& request, const Run& run);

// A key and a signing request of one participant, in its own house.
struct KeyRequest {
  std::string name = {};
  std::string out = {};
};
[[nodiscard]] Outcome request_certificate(const KeyRequest& request, const Run& run);

struct AuthorityRequest {
  std::string name = {};
};
[[nodiscard]] Outcome authority(const AuthorityRequest& request, const Run& run);

struct SiteRequest {
  std::string name = {};
  std::string identified = {};
  std::string deidentified = {};
  std::string out = {};
};
[[nodiscard]] Outcome site(const SiteRequest& request, const Run& run);

// How many check rounds, dummies and lock records the thesis's protocol needs.
struct PlanRequest {
  double confidence = 0;
  std::uint64_t participants = 10;
  std::vector<std::uint64_t> records = {2000};  // of each site, or one for all
};
[[nodiscard]] Outcome plan(const PlanRequest& request, const Run& run);

struct RunRequest {
  std::string data = {};
};
[[nodiscard]] Outcome run_all(const RunRequest& request, const Run& run);

// The list of a site that was killed after its last word to the authority.
struct FinishRequest {
  std::string name = {};
  std::string commit = {};  // NAME.commit.json of another participant
};
[[nodiscard]] Outcome finish(const FinishRequest& request, const Run& run);

// What the sites have in all or in common: one participant, or all of them on this machine.
struct UnionRequest {
  std::string data = {};  // of all
  std::string name = {};  // or one, and of a site:
  std::string elements = {};
  std::string out = {};
  std::string list = "deidentified";
  std::string of = "all";
  std::uint64_t minimum = 1;
};
[[nodiscard]] Outcome unite(const UnionRequest& request, const Run& run);

}  // namespace pratique::consortium::flow
