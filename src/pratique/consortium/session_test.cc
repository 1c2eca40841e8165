// What is refused before any data is sent.
#include "pratique/consortium/session.h"

#include <gtest/gtest.h>

#include <set>

#include "pratique/core/file.h"
#include "pratique/data/person_spelling.h"

namespace pratique::consortium::session_test {
namespace {

Configuration example() {
  Configuration configuration;
  configuration.sites = {"H1", "H2"};
  configuration.addresses = {
      {"A", "127.0.0.1", 7411}, {"H1", "127.0.0.1", 7412}, {"H2", "127.0.0.1", 7413}};
  return configuration;
}

Hello hello_of(const Configuration& configuration) {
  Hello hello;
  hello.configuration = configuration.digest();
  hello.samples = 10;
  hello.people = 12;
  hello.time = unix_seconds();
  return hello;
}

std::string refusal(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_input);
    EXPECT_FALSE(error.hint().empty());
    return error.message();
  }
  return "";
}

TEST(Session, HellosOfOtherSettingsClocksOrSizesAreRefused) {
  const Configuration configuration = example();
  const auto refused = [&](const std::function<void(Hello&)>& change) {
    Hello hello = hello_of(configuration);
    change(hello);
    return refusal([&] { check_hello("H1", hello, configuration); });
  };
  EXPECT_EQ(refused([](Hello&) {}), "");
  EXPECT_EQ(refused([](Hello& hello) { hello.configuration[0] ^= 1; }),
            "H1 has another configuration");
  EXPECT_NE(refused([](Hello& hello) { hello.time -= 400; }).find("differ by 400 s"),
            std::string::npos);
  EXPECT_NE(refused([](Hello& hello) { hello.time += 500; }).find("clocks"), std::string::npos);
  EXPECT_NE(refused([](Hello& hello) { hello.samples = 13; }).find("more samples than people"),
            std::string::npos);
  EXPECT_NE(refused([](Hello& hello) { hello.people = 1'000'001; }).find("more records"),
            std::string::npos);
}

TEST(Session, AKThatNobodyReachesIsRefused) {
  Configuration configuration = example();
  Roster roster;
  roster.sites.emplace("H1", hello_of(configuration));
  roster.sites.emplace("H2", hello_of(configuration));
  configuration.k = 10;
  EXPECT_EQ(refusal([&] { check_sizes(roster, configuration); }), "");
  configuration.k = 11;
  EXPECT_NE(refusal([&] { check_sizes(roster, configuration); }).find("k is 11"),
            std::string::npos);
}

TEST(Session, AHelloIsReadAsItWasWritten) {
  const Hello hello = hello_of(example());
  const std::string bytes = hello.encode();
  ASSERT_TRUE(Hello::decode(bytes));
  EXPECT_EQ(Hello::decode(bytes)->encode(), bytes);
  EXPECT_FALSE(Hello::decode(bytes.substr(1)));
  EXPECT_FALSE(Hello::decode(bytes + "x"));
  std::string identity = bytes;
  std::fill(identity.begin() + 64, identity.begin() + 96, '\0');
  EXPECT_FALSE(Hello::decode(identity));  // whose commitment is the identity
}

TEST(Session, PointsThatAreNoneAreRefused) {
  const std::vector<Point> points = {Point::generator(), Scalar::random() * Point::generator()};
  const std::string good = ByteWriter().points(points).take();
  ASSERT_TRUE(ByteReader(good).points(2));
  EXPECT_FALSE(ByteReader(good).points(1));                             // too many
  EXPECT_FALSE(ByteReader(good.substr(0, good.size() - 1)).points(2));  // cut
  std::string identity = good;
  std::fill(identity.begin() + 4, identity.begin() + 36, '\0');
  EXPECT_FALSE(ByteReader(identity).points(2));
  std::string other = good;
  std::fill(other.begin() + 4, other.begin() + 36, '\xff');  // not canonical
  EXPECT_FALSE(ByteReader(other).points(2));
}

TEST(Identity, ExpiredForeignAndWrongCertificatesAreRefused) {
  const auto made = [](const std::string& folder, int days) {
    make_certificate_authority(folder);
    for (const char* name : {"A", "H1", "H2"}) {
      make_key(folder, name);
      certify(folder, name, "127.0.0.1", name == std::string("H2") ? days : 365);
    }
    Configuration configuration = example();
    configuration.folder = folder;
    return configuration;
  };
  PrivateFolder good;
  PrivateFolder late;
  const Configuration configuration = made(good.path(), 365);
  EXPECT_EQ(refusal([&] { (void)Identity::load(configuration, "H1"); }), "");
  const Configuration expired = made(late.path(), -1);
  EXPECT_EQ(refusal([&] { (void)Identity::load(expired, "H1"); }),
            "the certificate of H2 has expired");
  write_file_atomically(good.path() + "/H2.pem", read_file(late.path() + "/H1.pem"));
  EXPECT_EQ(refusal([&] { (void)Identity::load(configuration, "H1"); }),
            "this certificate is not H2's");
  write_file_atomically(good.path() + "/H2.pem", read_file(late.path() + "/H2.pem"));
  EXPECT_NE(refusal([&] { (void)Identity::load(configuration, "H1"); }), "");
}

TEST(Element, IsWrittenAlikeWhereverItComesFrom) {
  const auto written = [](const std::string& text, const CanonicalForm& form) {
    return canonical(text, form, "here");
  };
  EXPECT_EQ(written("  Ann \t Lee ", {}), "Ann Lee");
  EXPECT_EQ(written("Eve\xcc\x81", {}), "Ev\xc3\xa9");  // a letter and its accent are one letter
  EXPECT_EQ(written("Ann", {}), "Ann");
  EXPECT_EQ(written("STRASSE", {.letters = "fold"}), written("Stra\xc3\x9f"
                                                             "e",
                                                             {.letters = "fold"}));
  EXPECT_EQ(written(" a  b ", {.blanks = "keep"}), " a  b ");
  EXPECT_EQ(written("05/03/1970", {.dates = "day-first"}), "1970-03-05");
  EXPECT_EQ(written("\xef\xac\x81n", {.unicode = "nfkc"}), "fin");  // a ligature
  // What nobody sees makes nobody another: marks of bytes and of direction, soft hyphens, joiners,
  // controls; and blanks are blanks, whatever their width.
  for (const char* unseen : {"\xef\xbb\xbf", "\xe2\x80\x8b", "\xc2\xad", "\xe2\x80\x8e", "\x01",
                             "\xe2\x81\xa0", "\xf3\xa0\x81\x81", "\x7f"}) {
    EXPECT_EQ(written(std::string("Anna") + unseen, {}), "Anna");
    EXPECT_EQ(written(unseen + std::string("An") + unseen + "na", {.unicode = "nfkc"}), "Anna");
    EXPECT_EQ(written(std::string("E") + unseen + "\xcc\x81", {}), "\xc3\x89");
    EXPECT_NE(written(std::string("Anna") + unseen, {.unicode = "none"}), "Anna");
    EXPECT_NE(refusal([&] { (void)written(unseen, {}); }), "");
  }
  for (const char* blank : {"\xc2\xa0", "\xe2\x80\xa8", "\xe3\x80\x80", "\xe2\x80\x89", "\t"}) {
    EXPECT_EQ(written(std::string("Ann") + blank + "Lee" + blank, {}), "Ann Lee");
    EXPECT_NE(written(std::string("Ann") + blank + "Lee", {.blanks = "keep"}), "Ann Lee");
  }
  EXPECT_NE(refusal([&] { (void)written("\xff", {}); }), "");
  EXPECT_NE(refusal([&] { (void)written("  ", {}); }), "");
}

// The spellings of one person, whom `trails` takes for one, and none of another's.
TEST(Element, APersonIsOneHoweverTheNameIsSpelt) {
  const std::vector<std::vector<std::string>> people = {
      {"Anna1 Meier", "ANNA1 MEIER", " anna1  meier ", "\xc3\x81nna1 Meier", "Anna1 Me\xcc\x81ier"},
      {"Anna2 Meier", "anna2 meier"},
      {"7", "007", "7.0"},
      {"70", "0070"},
      {"05.03.1970", "1970-03-05", "1970-03-05 12:00"},
      {"P1-23"},
      {"P12-3"}};
  for (const CanonicalForm& form :
       {CanonicalForm{}, CanonicalForm{.unicode = "none", .blanks = "keep"},
        CanonicalForm{.unicode = "nfkc", .letters = "fold", .dates = "day-first"}}) {
    std::set<std::string> written;
    for (const auto& spellings : people) {
      const auto first = person_as_read(canonical(spellings.front(), form, "here"));
      EXPECT_TRUE(written.insert(first).second) << spellings.front();
      for (const auto& spelling : spellings) {
        EXPECT_EQ(person_as_read(canonical(spelling, form, "here")), first) << spelling;
      }
    }
  }
  // Settings say more: which of two dates it is.
  const auto person = [](const std::string& name, const CanonicalForm& form) {
    return person_as_read(canonical(name, form, "here"));
  };
  EXPECT_NE(person("05/03/1970", {}), person("1970-03-05", {}));
  EXPECT_EQ(person("05/03/1970", {.dates = "day-first"}), person("1970-03-05", {}));
  EXPECT_EQ(person("\xd4\xb1", {}), person("\xd5\xa1", {}));  // Armenian
  EXPECT_NE(refusal([&] { (void)person("  ", {}); }), "");
}

TEST(Element, IsAnotherPointInEveryListAndSession) {
  const Sha256Digest one{1};
  const Sha256Digest other{2};
  EXPECT_EQ(hash_to_group("x", List::samples, one), hash_to_group("x", List::samples, one));
  EXPECT_NE(hash_to_group("x", List::samples, one), hash_to_group("x", List::samples, other));
  EXPECT_NE(hash_to_group("x", List::samples, one), hash_to_group("x", List::people, one));
}

}  // namespace
}  // namespace pratique::consortium::session_test
