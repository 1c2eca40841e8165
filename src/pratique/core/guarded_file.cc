#include "pratique/core/guarded_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace pratique {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string_view without_blanks_before(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

std::string beginning_of(const std::string& path) {
  // A pipe has no beginning to look at, and opening it must not wait for its writer.
  const int descriptor = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return {};
  struct stat status {};
  const bool regular = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  std::string beginning = regular ? read_guarded_bytes(descriptor) : std::string();
  close(descriptor);
  return beginning;
}

// A private key in DER: a sequence that begins with a version, which certificates and public keys
// do not. PKCS#8 and PKCS#1 say 0 or 1, the keys of elliptic curves 1, PKCS#12 says 3; what follows
// is a sequence, a number or a string of bytes.
bool begins_binary_key(std::string_view beginning) {
  constexpr std::size_t kShortLengths = 0x80;
  if (beginning.size() < 2 || beginning[0] != 0x30) return false;
  const auto length = static_cast<unsigned char>(beginning[1]);
  const std::size_t head = 2 + (length > kShortLengths ? length - kShortLengths : 0);
  if (length == 0xff || beginning.size() < head + 4) return false;
  const std::string_view version = beginning.substr(head, 4);
  const bool numbered = version[0] == 0x02 && version[1] == 0x01 &&
                        (version[2] == 0 || version[2] == 1 || version[2] == 3);
  return numbered && (version[3] == 0x30 || version[3] == 0x02 || version[3] == 0x04);
}

}  // namespace

bool begins_secret_key(std::string_view beginning) {
  if (begins_binary_key(beginning)) return true;
  if (beginning.starts_with(kByteOrderMark)) beginning.remove_prefix(kByteOrderMark.size());
  beginning = without_blanks_before(beginning.substr(0, kGuardBytes));
  if (beginning.starts_with(kSecretKeyHeader)) return true;
  while (!beginning.empty()) {
    const std::string_view line = beginning.substr(0, beginning.find_first_of("\r\n"));
    if (line.starts_with("-----BEGIN ") && line.find("PRIVATE KEY") != std::string_view::npos) {
      return true;
    }
    beginning = without_blanks_before(beginning.substr(line.size()));
  }
  return false;
}

bool begins_ledger(std::string_view beginning) {
  return beginning.starts_with(R"({"entry":{"body":{"format":"pratique-ledger)");
}

std::string read_guarded_bytes(int descriptor) {
  std::string text(kGuardBytes, '\0');
  const ssize_t bytes_read = pread(descriptor, text.data(), text.size(), 0);
  text.resize(bytes_read > 0 ? static_cast<std::size_t>(bytes_read) : 0);
  return text;
}

Error secret_key_is_no_data(const std::string& path) {
  return Error::input("this is a secret key, which is never read as data")
      .at(path)
      .hint("Name another file; only --key takes a key.");
}

void refuse_reading_secret_key(const std::string& path) {
  if (begins_secret_key(beginning_of(path))) throw secret_key_is_no_data(path);
}

void refuse_recorded_device(const std::string& path) {
  struct stat status {};
  const bool is_file = path != "-" && (stat(path.c_str(), &status) != 0 ||
                                       S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
  if (is_file) return;
  throw Error::input("the manifest names a device, a pipe or standard input, not a file")
      .at(path)
      .hint("What was read from there cannot be read again.");
}

void refuse_replacing_guarded(const std::string& path) {
  const std::string beginning = beginning_of(path);
  if (begins_secret_key(beginning)) {
    throw Error::input("this would overwrite a secret key")
        .at(path)
        .hint("Choose another name with --out.");
  }
  if (begins_ledger(beginning)) {
    throw Error::input("this would overwrite a ledger, which can only grow")
        .at(path)
        .hint("Choose another name with --out.");
  }
}

}  // namespace pratique
