// Any bytes as the head of a request: what is taken is lines with a name and a colon, and nothing
// that another program could cut elsewhere.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "pratique/net/head.h"
#include "pratique/net/problem.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view head(reinterpret_cast<const char*>(data), size);
  try {
    pratique::net::check_head(head);
  } catch (const pratique::net::Problem&) {
    return 0;
  }
  if (!head.ends_with("\r\n\r\n")) std::abort();
  for (std::size_t i = 0; i < head.size(); ++i) {
    const bool ends = head[i] == '\r' && i + 1 < head.size() && head[i + 1] == '\n';
    if (head[i] == '\r' && !ends) std::abort();
    if (head[i] == '\n' && (i == 0 || head[i - 1] != '\r')) std::abort();
    if (head[i] == '\0') std::abort();
    const bool begins = i > 1 && head[i - 1] == '\n';
    if (begins && (head[i] == ' ' || head[i] == '\t' || head[i] == ':')) std::abort();
  }
  // The one empty line is the last.
  if (head.find("\r\n\r\n") + 4 != head.size()) std::abort();
  return 0;
}
