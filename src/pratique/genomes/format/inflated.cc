#include "pratique/genomes/format/inflated.h"

#include <zlib.h>

#include <array>

#include "pratique/core/error.h"
#include "pratique/core/file.h"

namespace pratique::genomes {
namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";
// 15 bits of window, and gzip's own header.
constexpr int kGzipWindow = 15 + 16;
constexpr std::size_t kInflatedBlock = std::size_t{1} << 16U;

}  // namespace

struct Inflater::State {
  std::string name;
  std::string beginning = {};  // until it is known what the file is
  bool begun = false;
  bool compressed = false;
  bool within = false;  // a member that has not ended
  z_stream stream = {};
};

Inflater::Inflater(std::string name) : state_(std::make_unique<State>()) {
  state_->name = std::move(name);
}

Inflater::~Inflater() {
  if (state_->compressed) inflateEnd(&state_->stream);
}

void Inflater::take(std::string_view block, const std::function<void(std::string_view)>& text) {
  std::string joined;
  if (!state_->begun) {
    state_->beginning += block;
    if (state_->beginning.size() < kGzipMagic.size()) return;
    state_->begun = true;
    joined = std::move(state_->beginning);
    block = joined;
    if (block.starts_with(kGzipMagic)) {
      if (inflateInit2(&state_->stream, kGzipWindow) != Z_OK)
        throw Error::machine("zlib cannot be used");
      state_->compressed = true;
    }
  }
  if (!state_->compressed) {
    text(block);
    return;
  }
  std::array<char, kInflatedBlock> out{};
  z_stream& stream = state_->stream;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(block.data()));
  stream.avail_in = static_cast<uInt>(block.size());
  // What is left in zlib's window comes out although nothing goes in.
  for (bool more = true; more;) {
    if (!state_->within && stream.avail_in > 0) {
      inflateReset(&stream);
      state_->within = true;
    }
    if (!state_->within) return;
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int done = inflate(&stream, Z_NO_FLUSH);
    if (done != Z_OK && done != Z_STREAM_END && done != Z_BUF_ERROR) {
      throw Error::input("the compressed file is damaged")
          .at(state_->name)
          .hint("gzip -t says whether it is whole.");
    }
    text({out.data(), out.size() - stream.avail_out});
    if (done == Z_STREAM_END) state_->within = false;
    more = stream.avail_in > 0 || (state_->within && stream.avail_out == 0);
  }
}

void Inflater::finish() const {
  if (!state_->compressed || !state_->within) return;
  throw Error::input("the compressed file ends too early")
      .at(state_->name)
      .hint("gzip -t says whether it is whole.");
}

void read_inflated(const std::string& path, const std::string& name,
                   const std::function<void(std::string_view)>& text, Progress& progress) {
  Inflater inflater(name);
  std::size_t bytes = 0;
  std::string only;
  read_in_blocks(
      path,
      [&](std::string_view block) {
        bytes += block.size();
        if (bytes < kGzipMagic.size()) only += block;
        inflater.take(block, text);
      },
      progress);
  if (bytes < kGzipMagic.size() && !only.empty()) text(only);
  inflater.finish();
}

std::string inflated_text(const std::string& name, std::string_view bytes) {
  if (!bytes.starts_with(kGzipMagic)) return std::string(bytes);
  Inflater inflater(name);
  std::string text;
  inflater.take(bytes, [&](std::string_view block) { text += block; });
  inflater.finish();
  return text;
}

}  // namespace pratique::genomes
