#include "pratique/crypto/ristretto.h"

#include <gtest/gtest.h>

#include <vector>

#include "pratique/crypto/equal_logarithms.h"
#include "pratique/crypto/hash.h"

namespace pratique::ristretto_test {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes from_hex(std::string_view text) {
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    bytes.push_back(
        static_cast<std::uint8_t>(std::stoul(std::string(text.substr(i, 2)), nullptr, 16)));
  return bytes;
}
Scalar scalar(std::string_view text) { return Scalar::decode(from_hex(text)).value(); }

// RFC 9496, appendix A.1: multiples of the generator.
TEST(Ristretto, MultiplesOfTheGeneratorAreThePublishedOnes) {
  const std::vector<std::string> published = {
      "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76",
      "6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919",
      "94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259"};
  PointSum sum;
  EXPECT_FALSE(sum.total());
  for (const auto& multiple : published) {
    sum.add(Point::generator());
    EXPECT_EQ(to_hex(sum.total().value().bytes()), multiple);
  }
}

// RFC 9496, appendix A.2: what is no encoding of a point.
TEST(Ristretto, WhatIsNoPointIsRefused) {
  EXPECT_FALSE(Point::decode(Bytes(32, 0)));  // the identity
  EXPECT_FALSE(Point::decode(Bytes(31, 1)));
  EXPECT_FALSE(Point::decode(Bytes(33, 1)));
  for (const auto* text : {"00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                           "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                           "f3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                           "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                           "0100000000000000000000000000000000000000000000000000000000000000",
                           "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                           "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"})
    EXPECT_FALSE(Point::decode(from_hex(text))) << text;
}

TEST(Ristretto, ANumberHasOneEncoding) {
  // The order of the group, and the number below it.
  auto order = from_hex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
  EXPECT_FALSE(Scalar::decode(order));
  order[0] -= 1;
  EXPECT_TRUE(Scalar::decode(order));
  order[0] += 2;
  EXPECT_FALSE(Scalar::decode(order));
  EXPECT_FALSE(Scalar::decode(Bytes(32, 0)));
  EXPECT_FALSE(Scalar::decode(Bytes(32, 255)));
  EXPECT_FALSE(Scalar::decode(Bytes(31, 1)));
}

TEST(Ristretto, NumbersMultiplyInAnyOrderAndCanBeTakenBack) {
  const Point start = Point::hash("Ann", "a test");
  const Scalar a = Scalar::random();
  const Scalar b = Scalar::random();
  EXPECT_EQ(a * (b * start), b * (a * start));
  EXPECT_EQ((a * b) * start, a * (b * start));
  EXPECT_EQ(a.inverse() * (a * start), start);
  EXPECT_NE(a * start, b * start);
  EXPECT_NE(Point::hash("Ann", "another"), start);
  EXPECT_NE(Point::hash("Ben", "a test"), start);
}

TEST(Ristretto, ALongDomainIsHashedFirst) {
  EXPECT_NE(Point::hash("Ann", std::string(256, 'a')), Point::hash("Ann", std::string(257, 'a')));
  EXPECT_NE(Point::hash("Ann", std::string(255, 'a')), Point::hash("Ann", std::string(256, 'a')));
}

// RFC 9497, appendix A.1.2: ristretto255-SHA512, verifiable mode.
const std::string kContext = std::string("OPRFV1-\x01-", 9) + "ristretto255-SHA512";
constexpr std::string_view kKey =
    "e6f73f344b79b379f1a0dd37e07ff62e38d9f71345ce62ae3a9bc60b04ccd909";
constexpr std::string_view kBlind =
    "64d37aed22a27f5191de1c1d69fadb899d8862b58eb4220029e036ec4c1f6706";
constexpr std::string_view kOtherBlind =
    "222a5e897cf59db8145db8d16e597e8facb80ae7d4e26d9881aa6f61d645fc0e";

struct Published {
  std::vector<std::string> inputs;
  std::vector<std::string_view> blinds;
  std::vector<std::string> blinded;
  std::vector<std::string> evaluated;
  std::string_view nonce;
  std::string proof;
};

std::vector<Published> published() {
  const std::string zero(1, '\0');
  const std::string letters(17, 'Z');
  return {{{zero},
           {kBlind},
           {"863f330cc1a1259ed5a5998a23acfd37fb4351a793a5b3c090b642ddc439b945"},
           {"aa8fa048764d5623868679402ff6108d2521884fa138cd7f9c7669a9a014267e"},
           kOtherBlind,
           "ddef93772692e535d1a53903db24367355cc2cc78de93b3be5a8ffcc6985dd06"
           "6d4346421d17bf5117a2a1ff0fcb2a759f58a539dfbe857a40bce4cf49ec600d"},
          {{letters},
           {kBlind},
           {"cc0b2a350101881d8a4cba4c80241d74fb7dcbfde4a61fde2f91443c2bf9ef0c"},
           {"60a59a57208d48aca71e9e850d22674b611f752bed48b36f7a91b372bd7ad468"},
           kOtherBlind,
           "401a0da6264f8cf45bb2f5264bc31e109155600babb3cd4e5af7d181a2c9dc0a"
           "67154fabf031fd936051dec80b0b6ae29c9503493dde7393b722eafdf5a50b02"},
          {{zero, letters},
           {kBlind, kOtherBlind},
           {"863f330cc1a1259ed5a5998a23acfd37fb4351a793a5b3c090b642ddc439b945",
            "90a0145ea9da29254c3a56be4fe185465ebb3bf2a1801f7124bbbadac751e654"},
           {"aa8fa048764d5623868679402ff6108d2521884fa138cd7f9c7669a9a014267e",
            "cc5ac221950a49ceaa73c8db41b82c20372a4c8d63e5dded2db920b7eee36a2a"},
           "419c4f4f5052c53c45f3da494d2b67b220d02118e0857cdbcf037f9ea84bbe0c",
           "cc203910175d786927eeb44ea847328047892ddf8590e723c37205cb74600b0a"
           "5ab5337c8eb4ceae0494c2cf89529dcf94572ed267473d567aeed6ab873dee08"}};
}

TEST(EqualLogarithms, AreThoseOfThePublishedVectors) {
  const Scalar key = scalar(kKey);
  const Point public_key = key * Point::generator();
  EXPECT_EQ(to_hex(public_key.bytes()),
            "c803e2cc6b05fc15064549b5920659ca4a77b2cca6f04f6b357009335476ad4e");
  for (const auto& vector : published()) {
    std::vector<Point> before;
    std::vector<Point> after;
    for (std::size_t i = 0; i < vector.inputs.size(); ++i) {
      before.push_back(scalar(vector.blinds[i]) *
                       Point::hash(vector.inputs[i], "HashToGroup-" + kContext));
      EXPECT_EQ(to_hex(before.back().bytes()), vector.blinded[i]);
      after.push_back(key * before.back());
      EXPECT_EQ(to_hex(after.back().bytes()), vector.evaluated[i]);
    }
    const Multiplied multiplied{Point::generator(), public_key, before, after};
    const auto proof = prove_equal_logarithms(key, multiplied, kContext, scalar(vector.nonce));
    EXPECT_EQ(to_hex(proof.encode()), vector.proof);
    EXPECT_TRUE(verify_equal_logarithms(multiplied, proof, kContext));
  }
}

class ProvenTest : public testing::Test {
 protected:
  ProvenTest() {
    for (int i = 0; i < 20; ++i) {
      before_.push_back(Point::hash(std::to_string(i), "a test"));
      after_.push_back(key_ * before_.back());
    }
  }
  [[nodiscard]] bool holds() const { return verify_equal_logarithms(about(), proof_, "a session"); }
  [[nodiscard]] Multiplied about() const {
    return {Point::generator(), public_key_, before_, after_};
  }
  void prove() { proof_ = prove_equal_logarithms(key_, about(), "a session"); }

  Scalar key_ = Scalar::random();
  Point public_key_ = key_ * Point::generator();
  std::vector<Point> before_;
  std::vector<Point> after_;
  EqualLogarithms proof_{Scalar::random(), Scalar::random()};
};

TEST_F(ProvenTest, AnHonestProofHoldsAndTwoDiffer) {
  EXPECT_FALSE(holds());  // random numbers prove nothing
  prove();
  EXPECT_TRUE(holds());
  const auto first = proof_.encode();
  prove();
  EXPECT_TRUE(holds());
  EXPECT_NE(first, proof_.encode());
}

TEST_F(ProvenTest, OneWrongPairOfManyIsNoticedWhicheverItIs) {
  const Scalar other = Scalar::random();
  for (std::size_t i = 0; i < after_.size(); ++i) {
    const Point right = after_[i];
    after_[i] = other * before_[i];
    prove();  // by whoever has the key, of a wrong pair
    EXPECT_FALSE(holds()) << i;
    after_[i] = right;
  }
  prove();
  for (std::size_t i = 1; i < after_.size(); ++i) {
    std::swap(after_[0], after_[i]);
    EXPECT_FALSE(holds());
    prove();
    EXPECT_FALSE(holds());
    std::swap(after_[0], after_[i]);
    prove();
  }
}

TEST_F(ProvenTest, AProofIsOfOneSessionOneKeyAndOneOrder) {
  prove();
  EXPECT_FALSE(verify_equal_logarithms(about(), proof_, "another session"));
  public_key_ = Scalar::random() * Point::generator();
  EXPECT_FALSE(holds());
  public_key_ = key_ * Point::generator();
  std::swap(before_[3], before_[4]);
  std::swap(after_[3], after_[4]);
  EXPECT_FALSE(holds());
  std::swap(before_[3], before_[4]);
  std::swap(after_[3], after_[4]);
  EXPECT_TRUE(holds());
  before_.pop_back();
  EXPECT_FALSE(holds());
  after_.pop_back();
  EXPECT_FALSE(holds());
}

TEST_F(ProvenTest, EveryBitOfAProofCounts) {
  prove();
  const auto good = proof_.encode();
  EXPECT_EQ(EqualLogarithms::decode(good).value().encode(), good);
  for (std::size_t bit = 0; bit < good.size() * 8; bit += 5) {
    auto changed = good;
    changed[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
    const auto proof = EqualLogarithms::decode(changed);
    EXPECT_FALSE(proof && verify_equal_logarithms(about(), *proof, "a session")) << bit;
  }
  EXPECT_FALSE(EqualLogarithms::decode(std::span(good).first(63)));
}

TEST_F(ProvenTest, NothingIsNeverProven) {
  before_.clear();
  after_.clear();
  EXPECT_ANY_THROW(prove());
  EXPECT_FALSE(holds());
}

}  // namespace
}  // namespace pratique::ristretto_test
