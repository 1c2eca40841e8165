#include "pratique/genomes/format/inflated.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "pratique/core/error.h"
#include "pratique/core/file.h"

namespace pratique::genomes::inflated_test {
namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(text.size() + 200, '\0');
  std::string in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST(Inflated, SeveralMembersCutAnywhere) {
  const std::string bytes = gzip(">a\nACGT\n") + gzip(std::string(300'000, 'C') + "\n");
  const std::string text = ">a\nACGT\n" + std::string(300'000, 'C') + "\n";
  EXPECT_EQ(inflated_text("x", bytes), text);
  for (std::size_t cut = 0; cut <= 40; ++cut) {
    Inflater inflater("x");
    std::string read;
    const auto take = [&](std::string_view block) { read += block; };
    inflater.take(std::string_view(bytes).substr(0, cut), take);
    inflater.take(std::string_view(bytes).substr(cut), take);
    inflater.finish();
    EXPECT_EQ(read, text) << cut;
  }
}

TEST(Inflated, WhatIsNotCompressedStaysAsItIs) {
  const PrivateFolder folder;
  for (const std::string text : {"", ">", ">a\nAC\n"}) {
    write_file_atomically(folder.path() + "/a", text);
    std::string read;
    read_inflated(
        folder.path() + "/a", "a", [&](std::string_view block) { read += block; },
        Progress::silent());
    EXPECT_EQ(read, text);
  }
}

TEST(Inflated, DamageIsSaid) {
  const std::string bytes = gzip(">a\nACGTACGTACGT\n");
  EXPECT_THROW((void)inflated_text("x", bytes.substr(0, bytes.size() - 4)), Error);
  std::string damaged = bytes;
  damaged[12] = static_cast<char>(~damaged[12]);
  EXPECT_THROW((void)inflated_text("x", damaged), Error);
}

}  // namespace
}  // namespace pratique::genomes::inflated_test
