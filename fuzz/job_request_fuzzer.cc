// Any bytes as the body of a request: refused with a Problem, or words of a command line in which
// nothing leads out of the data folder and no option stands that the command does not have.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "pratique/core/file.h"
#include "pratique/net/problem.h"
#include "pratique/server/job_request.h"

namespace {

using namespace pratique::server;

const Command kCommand{"tables",
                       "protect",
                       "",
                       {{"FILE", OptionKind::file, "", true, true}},
                       {{.name = "qi", .kind = OptionKind::list, .repeat = true, .commas = true},
                        {.name = "hierarchy", .kind = OptionKind::pairs, .repeat = true},
                        {.name = "k", .kind = OptionKind::number},
                        {.name = "method", .choices = {"optimal", "local"}},
                        {.name = "relaxed", .kind = OptionKind::flag},
                        {.name = "out", .kind = OptionKind::out}}};

bool is_known(std::string_view word) {
  if (word == "--relaxed") return true;
  for (const char* start : {"--qi=", "--hierarchy=", "--k=", "--method=", "--out="}) {
    if (word.starts_with(start)) return true;
  }
  return false;
}

bool climbs(std::string_view word) {
  return word == ".." || word.starts_with("../") || word.ends_with("/..") ||
         word.find("/../") != std::string_view::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const pratique::PrivateFolder folder;
  static const DataFolder root(folder.path());
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  try {
    const auto request = parse_job_request(kCommand, body, root);
    if (request.arguments.size() < 3) std::abort();
    for (std::size_t i = 2; i < request.arguments.size(); ++i) {
      const std::string_view word = request.arguments[i];
      if (word.starts_with("-") && !is_known(word)) std::abort();
      if (word.find('\0') != std::string_view::npos) std::abort();
      if (!word.starts_with("-") && (word.starts_with("/") || climbs(word))) std::abort();
      if (word.starts_with("--out=") &&
          (word.substr(6).starts_with("/") || climbs(word.substr(6)))) {
        std::abort();
      }
    }
  } catch (const pratique::net::Problem&) {
  }
  try {
    (void)root.confine(body);
    if (body.starts_with("/") || climbs(body)) std::abort();
  } catch (const pratique::net::Problem&) {
  }
  return 0;
}
