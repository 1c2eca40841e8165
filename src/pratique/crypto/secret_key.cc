#include "pratique/crypto/secret_key.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <span>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/guarded_file.h"
#include "pratique/core/new_file.h"
#include "pratique/crypto/random.h"

namespace pratique {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

void refuse_exposed(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return;
  if ((status.st_mode & 077U) != 0 || status.st_uid != geteuid()) {
    throw Error::input("others can read this key")
        .at(path)
        .hint("Restrict it to yourself (chmod 600), and consider who may have seen it.");
  }
}

}  // namespace

SecretKey SecretKey::load_or_create(const std::string& path) {
  SecretKey key;
  if (access(path.c_str(), F_OK) != 0) {
    secure_bytes(std::as_writable_bytes(std::span(key.secret_)));
    const std::string text = fmt::format("{}{}\n", kSecretKeyHeader, to_hex(key.secret_));
    // Where another process was first, its key is the one: what is on disk must be what was used.
    if (write_new_file(path, text, 0600)) return key;
  }
  refuse_exposed(path);
  const std::string text = read_key_file(path);
  std::string_view rest = text;
  const bool headed = rest.starts_with(kSecretKeyHeader);
  if (headed) rest.remove_prefix(kSecretKeyHeader.size());
  if (rest.ends_with('\n')) rest.remove_suffix(1);
  bool good = headed && rest.size() == 2 * key.secret_.size();
  for (std::size_t i = 0; good && i < key.secret_.size(); ++i) {
    const int high = hex_digit(rest[2 * i]);
    const int low = hex_digit(rest[2 * i + 1]);
    good = high >= 0 && low >= 0;
    if (good) key.secret_[i] = static_cast<std::uint8_t>(16 * high + low);
  }
  if (!good) {
    throw Error::input("this file does not contain a pratique key")
        .at(path)
        .hint("Name a file that does not exist yet, and a key is created.");
  }
  return key;
}

Sha256Digest SecretKey::hmac(std::string_view message) const {
  return hmac_sha256(secret_, message);
}

std::string SecretKey::fingerprint() const {
  const Sha256Digest digest = hmac("fingerprint");
  return to_hex(std::span(digest).first(8));
}

}  // namespace pratique
