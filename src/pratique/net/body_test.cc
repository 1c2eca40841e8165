#include "pratique/net/body.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>

#include "pratique/net/problem.h"

namespace pratique::net::body_test {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

// The status of the problem, or 0.
int refused(const Headers& headers) {
  try {
    (void)body_frame(headers);
    return 0;
  } catch (const Problem& problem) {
    return problem.status();
  }
}

struct Read {
  bool complete = false;
  std::string body;
  std::size_t left = 0;  // bytes of the next request
};

// In blocks of at most `most` bytes, as a network gives them.
Read read(const BodyFrame& frame, std::string_view wire, std::size_t most = 1000) {
  Read result;
  result.complete = read_body(
      frame,
      [&](char* into, std::size_t bytes) {
        const std::size_t given = std::min({bytes, most, wire.size()});
        std::memcpy(into, wire.data(), given);
        wire.remove_prefix(given);
        return static_cast<std::ptrdiff_t>(given);
      },
      [&](std::string_view block) {
        result.body += block;
        return true;
      });
  result.left = wire.size();
  return result;
}

TEST(Body, OneFrameOnly) {
  EXPECT_TRUE(body_frame({}).empty());
  EXPECT_TRUE(body_frame({{"content-length", "0"}}).empty());
  EXPECT_EQ(body_frame({{"content-length", "12"}}).bytes, 12);
  EXPECT_TRUE(body_frame({{"transfer-encoding", "Chunked"}}).chunked);
  EXPECT_EQ(refused({{"content-encoding", "identity"}}), 0);
  EXPECT_EQ(refused({{"content-length", "3"}, {"content-length", "3"}}), 400);
  EXPECT_EQ(refused({{"content-length", "3"}, {"transfer-encoding", "chunked"}}), 400);
  EXPECT_EQ(refused({{"transfer-encoding", "chunked"}, {"transfer-encoding", "chunked"}}), 400);
  EXPECT_EQ(refused({{"content-length ", "3"}}), 400);
  for (const char* length :
       {"", "-1", "+3", "0x3", "3 ", " 3", "3,3", "3.0", "three", "18446744073709551616"}) {
    EXPECT_EQ(refused({{"content-length", length}}), 400) << length;
  }
  for (const char* coding : {"gzip, chunked", "xchunked", "identity", "", "chunked, chunked"}) {
    EXPECT_EQ(refused({{"transfer-encoding", coding}}), 501) << coding;
  }
  for (const char* coding : {"gzip", "br", "deflate", "", "gzip, identity"}) {
    EXPECT_EQ(refused({{"content-encoding", coding}}), 415) << coding;
  }
}

TEST(Body, PlainEndsWhereItsLengthSays) {
  const Read all = read({false, 3}, "abcGET", 2);
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.body, "abc");
  EXPECT_EQ(all.left, 3);
  EXPECT_FALSE(read({false, 4}, "abc").complete);
}

TEST(Body, Chunks) {
  const Read all =
      read({true, 0}, "3\r\nabc\r\n00A;x=\"y\"\r\n0123456789\r\n0\r\na: b\r\n\r\nGET", 2);
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.body, "abc0123456789");
  EXPECT_EQ(all.left, 3);
  for (const char* wire :
       {"", "3", "3\r\nabc", "3\r\nabcXX0\r\n\r\n", "3\nabc\r\n0\r\n\r\n", "3\r\nabc\n0\r\n\r\n",
        "-3\r\nabc\r\n0\r\n\r\n", "0x3\r\nabc\r\n0\r\n\r\n", " 3\r\nabc\r\n0\r\n\r\n",
        "3 \r\nabc\r\n0\r\n\r\n", "zz\r\nabc\r\n0\r\n\r\n", "\r\n\r\n", "0\r\n", "0\r\na: b\r\n",
        "ffffffffffffffffff\r\nabc", "ffffffffffffffff\r\nabc"}) {
    EXPECT_FALSE(read({true, 0}, wire).complete) << wire;
  }
}

TEST(Body, WhatFramesAChunkIsBounded) {
  const std::string endless(1'000'000, 'a');
  for (const std::string& wire :
       {"1;" + endless, endless, "0\r\n" + endless, "0\r\n" + std::string("a: b\r\n") + endless}) {
    EXPECT_GT(read({true, 0}, wire).left, 990'000);
  }
  std::string trailers = "0\r\n";
  for (int i = 0; i < 1000; ++i) trailers += "a: b\r\n";
  EXPECT_FALSE(read({true, 0}, trailers + "\r\n").complete);
}

RC_GTEST_PROP(Body, ChunksComeTogetherHoweverTheyAreCut, (const std::vector<std::string>& parts)) {
  std::string wire;
  std::string whole;
  for (const auto& part : parts) {
    if (part.empty()) continue;
    std::string size;
    for (std::size_t rest = part.size(); rest > 0; rest /= 16) {
      size.insert(size.begin(), "0123456789abcdef"[rest % 16]);
    }
    wire += size + "\r\n" + part + "\r\n";
    whole += part;
  }
  const std::size_t most = *rc::gen::inRange<std::size_t>(1, 20);
  const Read all = read({true, 0}, wire + "0\r\n\r\n", most);
  RC_ASSERT(all.complete);
  RC_ASSERT(all.body == whole);
}

}  // namespace
}  // namespace pratique::net::body_test
