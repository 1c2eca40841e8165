#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pratique/crypto/hash.h"
#include "pratique/crypto/signing.h"
#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"

namespace pratique::verify {
namespace {

template <std::size_t Size>
std::array<std::uint8_t, Size> bytes_in(const Json& claim, const std::string& key) {
  const std::string text = text_in(claim, key);
  std::array<std::uint8_t, Size> bytes{};
  const auto digit = [&](char c) -> unsigned {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    throw malformed("'" + key + "' is not hexadecimal");
  };
  if (text.size() != 2 * Size) throw malformed("'" + key + "' has another length");
  for (std::size_t i = 0; i < Size; ++i)
    bytes[i] = static_cast<std::uint8_t>(digit(text[2 * i]) * 16 + digit(text[2 * i + 1]));
  return bytes;
}

}  // namespace

// One site's file cannot show that all sites together are unlinkable: the authority that saw all
// lists, encrypted, attests it. What can be found is checked: that the authority signed the
// statement together with a commitment to this very file, and that the statement says what is
// claimed. Whoever has the lists of all sites derives it with k-unlinkability.
ClaimResult check_consortium(const ClaimContext& context) {
  ClaimResult result;
  const int k = whole_in(context.claim, "k");
  const std::string text = text_in(context.claim, "statement");
  const auto salt = bytes_in<32>(context.claim, "salt");
  const auto key = bytes_in<32>(context.claim, "authority_key");
  const auto signature = bytes_in<64>(context.claim, "signature");
  result.required = k;
  const std::string commitment = sha256_hex("pratique consortium list\n" + to_hex(salt) + "\n" +
                                            sha256_file(context.release.files.at(0)));
  const Json said = parse_json(text, "the authority's statement");
  const auto says = [&](const char* name) {
    return said.is_object() && said.contains(name) ? said[name] : Json();
  };
  if (!verify_signature(key, "pratique consortium release\n" + text + "\n" + commitment,
                        signature)) {
    result.explanation = "the authority did not sign this statement about this file";
  } else if (says("statement") != "pratique consortium decision 1" || says("k") != k) {
    result.explanation = "the authority's statement says something else";
  } else if (context.release.columns != std::vector<std::string>{"element"} ||
             says("disclosed") != context.engine.count_rows(context.release, context.progress)) {
    result.explanation = "the file does not have as many elements as the authority allowed";
  } else {
    result.holds = true;
    result.achieved = k;
    result.explanation = fmt::format(
        "attested by the authority that holds the key {}: every sample that the sites disclose "
        "together may belong to at least {} people",
        to_hex(key), k);
  }
  return result;
}

}  // namespace pratique::verify
