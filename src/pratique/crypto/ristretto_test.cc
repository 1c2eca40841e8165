#include "pratique/crypto/ristretto.h"

#include <gtest/gtest.h>
#include <sodium.h>

#include <vector>

#include "pratique/crypto/equal_logarithms.h"
#include "pratique/crypto/hash.h"
#include "pratique/crypto/weighted_sum.h"

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
constexpr std::string_view kOrderLessOne =
    "ecd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010";

// RFC 9496, appendix A.1: multiples of the generator.
TEST(Ristretto, MultiplesOfTheGeneratorAreThePublishedOnes) {
  const std::vector<std::string> published = {
      "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76",
      "6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919",
      "94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259",
      "da80862773358b466ffadfe0b3293ab3d9fd53c5ea6c955358f568322daf6a57",
      "e882b131016b52c1d3337080187cf768423efccbb517bb495ab812c4160ff44e",
      "f64746d3c92b13050ed8d80236a7f0007c3b3f962f5ba793d19a601ebb1df403",
      "44f53520926ec81fbd5a387845beb7df85a96a24ece18738bdcfa6a7822a176d",
      "903293d8f2287ebe10e2374dc1a53e0bc887e592699f02d077d5263cdd55601c",
      "02622ace8f7303a31cafc63f8fc48fdc16e1c8c8d234b2f0d6685282a9076031",
      "20706fd788b2720a1ed2a5dad4952b01f413bcf0e7564de8cdc816689e2db95f",
      "bce83f8ba5dd2fa572864c24ba1810f9522bc6004afe95877ac73241cafdab42",
      "e4549ee16b9aa03099ca208c67adafcafa4c3f3e4e5303de6026e3ca8ff84460",
      "aa52e000df2e16f55fb1032fc33bc42742dad6bd5a8fc0be0167436c5948501f",
      "46376b80f409b29dc2b5f6f0c52591990896e5716f41477cd30085ab7f10301e",
      "e0c418f7c8d9c4cdd7395b93ea124f3ad99021bb681dfc3302a9d99a2e53e64e"};
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
                           "ed57ffd8c914fb201471d1c3d245ce3c746fcbe63a3679d51b6a516ebebe0e20",
                           "c34c4e1826e5d403b78e246e88aa051c36ccf0aafebffe137d148a2bf9104562",
                           "c940e5a4404157cfb1628b108db051a8d439e1a421394ec4ebccb9ec92a8ac78",
                           "47cfc5497c53dc8e61c91d17fd626ffb1c49e2bca94eed052281b510b1117a24",
                           "f1c6165d33367351b0da8f6e4511010c68174a03b6581212c71c0e1d026c3c72",
                           "87260f7a2f12495118360f02c26a470f450dadf34a413d21042b43b9d93e1309",
                           "26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371",
                           "4eac077a713c57b4f4397629a4145982c661f48044dd3f96427d40b147d9742f",
                           "de6a7b00deadc788eb6b6c8d20c0ae96c2f2019078fa604fee5b87d6e989ad7b",
                           "bcab477be20861e01e4a0e295284146a510150d9817763caf1a6f4b422d67042",
                           "2a292df7e32cababbd9de088d1d1abec9fc0440f637ed2fba145094dc14bea08",
                           "f4a9e534fc0d216c44b218fa0c42d99635a0127ee2e53c712f70609649fdff22",
                           "8268436f8c4126196cf64b3c7ddbda90746a378625f9813dd9b8457077256731",
                           "2810e5cbc2cc4d4eece54f61c6f69758e289aa7ab440b3cbeaa21995c2f4232b",
                           "3eb858e78f5a7254d8c9731174a94f76755fd3941c0ac93735c07ba14579630e",
                           "a45fdc55c76448c049a1ab33f17023edfb2be3581e9c7aade8a6125215e04220",
                           "d483fe813c6ba647ebbfd3ec41adca1c6130c2beeee9d9bf065c8d151c5f396e",
                           "8a2e1d30050198c65a54483123960ccc38aef6848e1ec8f5f780e8523769ba32",
                           "32888462f8b486c68ad7dd9610be5192bbeaf3b443951ac1a8118419d9fa097b",
                           "227142501b9d4355ccba290404bde41575b037693cef1f438c47f8fbf35d1165",
                           "5c37cc491da847cfeb9281d407efc41e15144c876e0170b499a96a22ed31e01e",
                           "445425117cb8c90edcbc7c1cc0e74f747f2c1efa5630a967c64f287792a48a4b",
                           "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"})
    EXPECT_FALSE(Point::decode(from_hex(text))) << text;
}

// RFC 9496, appendix A.3: points of 64 bytes each, here hashes of the labels.
TEST(Ristretto, PointsOfUniformBytesAreThePublishedOnes) {
  const std::vector<std::pair<std::string, std::string>> published = {
      {"Ristretto is traditionally a short shot of espresso coffee",
       "3066f82a1a747d45120d1740f14358531a8f04bbffe6a819f86dfe50f44a0a46"},
      {"made with the normal amount of ground coffee but extracted with",
       "f26e5b6f7d362d2d2a94c5d0e7602cb4773c95a2e5c31a64f133189fa76ed61b"},
      {"about half the amount of water in the same amount of time",
       "006ccd2a9e6867e6a2c5cea83d3302cc9de128dd2a9a57dd8ee7b9d7ffe02826"},
      {"by using a finer grind.",
       "f8f0c87cf237953c5890aec3998169005dae3eca1fbb04548c635953c817f92a"},
      {"This produces a concentrated shot of coffee per volume.",
       "ae81e7dedf20a497e10c304a765c1767a42d6e06029758d2d7e8ef7cc4c41179"},
      {"Just pulling a normal shot short will produce a weaker shot",
       "e2705652ff9f5e44d3e841bf1c251cf7dddb77d140870d1ab2ed64f1a9ce8628"},
      {"and is not a Ristretto as some believe.",
       "80bd07262511cdde4863f8a7434cef696750681cb9510eea557088f76d9e5065"}};
  for (const auto& [label, encoding] : published) {
    Bytes hash(crypto_hash_sha512_BYTES);
    crypto_hash_sha512(hash.data(), reinterpret_cast<const unsigned char*>(label.data()),
                       label.size());
    Bytes point(Point::kBytes);
    ASSERT_EQ(crypto_core_ristretto255_from_hash(point.data(), hash.data()), 0);
    EXPECT_EQ(to_hex(point), encoding);
    EXPECT_TRUE(Point::decode(point));
  }
}

TEST(Ristretto, WeightedSumsAreThoseOfLibsodium) {
  for (const std::size_t size : {1U, 2U, 3U, 7U, 15U, 16U, 33U, 140U, 600U}) {
    std::vector<Point> points;
    std::vector<Scalar> weights;
    PointSum sum;
    for (std::size_t i = 0; i < size; ++i) {
      // Equal points, and numbers at both ends of what they can be.
      points.push_back(i % 5 == 4 ? points[i - 1] : Point::hash(std::to_string(i), "a test"));
      Bytes small(32, 0);
      small[0] = static_cast<std::uint8_t>(i + 1);
      const Scalar number = i % 7 == 1 ? Scalar::decode(small).value() : Scalar::random();
      weights.push_back(i % 7 == 2 ? scalar(kOrderLessOne) : number);
      sum.add(weights.back() * points.back());
    }
    EXPECT_EQ(weighted_sum(weights, points), sum.total()) << size;
  }
  // What cancels is the identity, and no point.
  const std::vector<Point> twice(2, Point::generator());
  Bytes one(32, 0);
  one[0] = 1;
  const std::vector<Scalar> opposite = {Scalar::decode(one).value(), scalar(kOrderLessOne)};
  EXPECT_FALSE(weighted_sum(opposite, twice));
  EXPECT_FALSE(weighted_sum({}, {}));
  EXPECT_ANY_THROW((void)weighted_sum(opposite, std::span(twice).first(1)));
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
    const Multiplied multiplied{Point::generator(), public_key, before, after,
                                Weighing::as_published};
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

// Where a point is asked for several times, errors of equal size could cancel if its pairs weighed
// the same.
TEST_F(ProvenTest, ErrorsInEqualPointsDoNotCancel) {
  for (std::size_t i = 1; i < before_.size(); ++i) before_[i] = before_[0];
  for (std::size_t i = 1; i < after_.size(); ++i) after_[i] = after_[0];
  prove();
  EXPECT_TRUE(holds());
  const auto sum_of_answers = [&] {
    PointSum sum;
    for (const Point& point : after_) sum.add(point);
    return sum.total();
  };
  const auto honest = sum_of_answers();
  const Scalar error = Scalar::random();
  const Scalar less = key_ - error;
  after_[3] = less * before_[3];
  after_[9] = (key_ - (less - key_)) * before_[9];  // as much more
  ASSERT_EQ(sum_of_answers(), honest);
  EXPECT_FALSE(holds());
  prove();
  EXPECT_FALSE(holds());
}

// With weights that followed from each pair alone, errors of many pairs could be made to cancel.
TEST_F(ProvenTest, EveryPairChangesTheWeightsOfAllOthers) {
  const auto weights = weights_of_pairs(about(), "a session");
  for (auto* points : {&before_, &after_}) {
    const Point right = points->back();
    points->back() = Point::hash("another", "a test");
    const auto changed = weights_of_pairs(about(), "a session");
    for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_FALSE(weights[i] == changed[i]) << i;
    points->back() = right;
  }
  EXPECT_TRUE(weights_of_pairs(about(), "a session")[0] == weights[0]);
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
