#include "pratique/notes/replace/note_key.h"

#include <span>

#include "pratique/crypto/random.h"

namespace pratique::notes {

NoteKey::NoteKey(const std::string& path) {
  if (path.empty()) {
    secure_bytes(std::as_writable_bytes(std::span(drawn_)));
  } else {
    kept_ = SecretKey::load_or_create(path);
  }
}

Sha256Digest NoteKey::digest(std::string_view message) const {
  return kept_ ? kept_->hmac(message) : hmac_sha256(drawn_, message);
}

std::string NoteKey::pseudonym(std::string_view use, std::string_view value) const {
  std::string message = "notes ";
  message += use;
  message += '\0';
  message += value;
  return to_hex(digest(message)).substr(0, 32);
}

std::uint64_t NoteKey::number(std::string_view use, std::string_view scope,
                              std::string_view value) const {
  std::string message = "notes ";
  message += use;
  message += '\0';
  message += scope;
  message += '\0';
  message += value;
  const auto bytes = digest(message);
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < 8; ++i) result = result << 8U | bytes[i];
  return result;
}

std::optional<std::string> NoteKey::fingerprint() const {
  if (!kept_) return std::nullopt;
  return kept_->fingerprint();
}

}  // namespace pratique::notes
