// What a writer does when the file, the folder or the disk is not as it should be.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/ledger/ledger.h"

namespace pratique::ledger::ledger_file_test {
namespace {

// As somebody would who means harm: pratique itself never replaces a ledger.
void replace_by_force(const std::string& path, const std::string& text) {
  write_file_atomically(path + ".new", text);
  std::filesystem::rename(path + ".new", path);
}

namespace fs = std::filesystem;

// While it lives, no file of this process grows beyond so many bytes: a disk that is full.
class FullDisk {
 public:
  explicit FullDisk(std::size_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    (void)std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

ErrorCode code_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_FALSE(error.place().empty());
    return error.code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorCode::cancelled;
}

class LedgerOnDisk : public testing::Test {
 protected:
  PrivateFolder folder;
  std::string path = folder.path() + "/ledger";
  std::string key_path = path + ".key";

  void SetUp() override { (void)LedgerFile::create(path, key_path); }

  Head add(bool repair = false, const Json& body = {{"rows", 5}}) const {
    LedgerFile file(path, repair, Progress::silent());
    return file.append("release", body, SigningKey::load(key_path));
  }
};

TEST_F(LedgerOnDisk, OnAFullDiskNothingIsRecordedAndNothingIsTorn) {
  (void)add();
  const std::string before = read_file(path);
  // No byte more, a part of the line, and all of it but its end.
  (void)add();
  const std::size_t line = read_file(path).size() - before.size();
  for (const std::size_t room : {std::size_t{0}, std::size_t{1}, std::size_t{100}, line - 1}) {
    replace_by_force(path, before);
    {
      LedgerFile file(path, false, Progress::silent());
      const SigningKey key = SigningKey::load(key_path);
      const FullDisk full(before.size() + room);
      EXPECT_EQ(code_of([&] {
                  (void)file.append("release", {{"rows", 5}}, key);
                }),
                ErrorCode::machine);
    }
    EXPECT_EQ(read_file(path), before) << room;
    EXPECT_EQ(add().size, 3U);
  }
}

TEST_F(LedgerOnDisk, OnAFullDiskATornLineIsNotGivenItsEnd) {
  (void)add();
  const std::string whole = read_file(path);
  const std::string torn = whole.substr(0, whole.size() - 1);
  replace_by_force(path, torn);
  {
    const FullDisk full(torn.size());
    EXPECT_EQ(code_of([&] { LedgerFile(path, true, Progress::silent()); }), ErrorCode::machine);
  }
  EXPECT_EQ(read_file(path), torn);
  const LedgerFile file(path, true, Progress::silent());
  EXPECT_EQ(read_file(path), whole);
}

TEST_F(LedgerOnDisk, AWriterGoesOnFromWhatItWrote) {
  LedgerFile file(path, false, Progress::silent());
  const SigningKey key = SigningKey::load(key_path);
  for (std::uint64_t size = 2; size <= 5; ++size) {
    const Head head = file.append("release", {{"rows", size}}, key);
    EXPECT_EQ(head.size, size);
    EXPECT_EQ(head.key, key.public_key());
    EXPECT_TRUE(head.authentic());
    EXPECT_EQ(file.ledger().entries().size(), size);
    EXPECT_EQ(file.ledger().head().root, head.root);
    EXPECT_EQ(Ledger::read(path).head().root, head.root);
  }
}

TEST_F(LedgerOnDisk, LongLinesAreWrittenAndReadWhole) {
  (void)add(false, {{"text", std::string(300'000, 'x')}});
  EXPECT_EQ(add().size, 3U);
  EXPECT_FALSE(Ledger::read(path).fault());
}

TEST_F(LedgerOnDisk, ASoundLedgerNeedsNoRepair) {
  (void)add();
  const std::string before = read_file(path);
  const LedgerFile file(path, true, Progress::silent());
  EXPECT_EQ(read_file(path), before);
}

TEST_F(LedgerOnDisk, OnlyATornLineIsRepaired) {
  (void)add();
  const std::string sound = read_file(path);
  const std::string first = sound.substr(0, sound.find('\n') + 1);
  // A line too many; a file without one whole line; an empty one.
  for (const std::string& text :
       {sound + first, first.substr(0, first.size() - 2), std::string(), first + "\n"}) {
    replace_by_force(path, text);
    EXPECT_EQ(code_of([&] { LedgerFile(path, true, Progress::silent()); }),
              ErrorCode::check_failed);
    EXPECT_EQ(read_file(path), text);
  }
}

TEST_F(LedgerOnDisk, AFaultIsToldWithItsLine) {
  const std::string sound = read_file(path);
  const auto place = [&](const std::string& text) {
    replace_by_force(path, text);
    try {
      const LedgerFile file(path, false, Progress::silent());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::check_failed);
      EXPECT_FALSE(error.hint().empty());
      return error.place();
    }
    return std::string("sound");
  };
  EXPECT_EQ(place(sound), "sound");
  EXPECT_EQ(place(sound + "x\n"), path + ":2");
  EXPECT_EQ(place("x\n"), path + ":1");
  EXPECT_EQ(place(""), path);
}

TEST_F(LedgerOnDisk, AFileOfALedgerIsReadableByAllAndItsKeyByItsOwner) {
  const mode_t mask = umask(0);
  const std::string other = folder.path() + "/other";
  (void)LedgerFile::create(other, other + ".key");
  umask(mask);
  EXPECT_EQ(fs::status(other).permissions(), static_cast<fs::perms>(0644));
  EXPECT_EQ(fs::status(other + ".key").permissions(), static_cast<fs::perms>(0600));
}

TEST_F(LedgerOnDisk, WhereALedgerCannotBeMadeNoKeyIsLeft) {
  const std::string fresh = folder.path() + "/fresh.key";
  EXPECT_EQ(code_of([&] { (void)LedgerFile::create(folder.path() + "/none/ledger", fresh); }),
            ErrorCode::bad_input);  // a folder that is not there is the user's mistake
  EXPECT_FALSE(fs::exists(fresh));
  {
    const FullDisk full(300);  // room for a key, but not for the first line
    EXPECT_EQ(code_of([&] { (void)LedgerFile::create(folder.path() + "/fresh", fresh); }),
              ErrorCode::machine);
  }
  EXPECT_FALSE(fs::exists(fresh));
  EXPECT_FALSE(fs::exists(folder.path() + "/fresh"));
}

TEST_F(LedgerOnDisk, ALinkThatLeadsNowhereIsNotWrittenThrough) {
  const std::string link = folder.path() + "/link";
  ASSERT_EQ(symlink((folder.path() + "/elsewhere").c_str(), link.c_str()), 0);
  EXPECT_EQ(code_of([&] { (void)LedgerFile::create(link, folder.path() + "/link.key"); }),
            ErrorCode::bad_input);
  EXPECT_FALSE(fs::exists(folder.path() + "/elsewhere"));
  EXPECT_FALSE(fs::exists(folder.path() + "/link.key"));
}

TEST_F(LedgerOnDisk, ALedgerIsAFileThatIsThere) {
  const auto open = [](const std::string& name) { LedgerFile(name, false, Progress::silent()); };
  EXPECT_EQ(code_of([&] { open(folder.path() + "/none"); }), ErrorCode::bad_input);
  EXPECT_EQ(code_of([&] { open(folder.path()); }), ErrorCode::bad_input);
  const std::string pipe = folder.path() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(code_of([&] { open(pipe); }), ErrorCode::bad_input);
  try {
    require_ledger(folder.path() + "/none");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(error.hint().find("ledger init"), std::string::npos);
  }
  EXPECT_NO_THROW(require_ledger(path));
}

// Another process, or another descriptor, holds the lock: here for as long as this test likes.
class Lock {
 public:
  explicit Lock(const std::string& path) : descriptor_(open(path.c_str(), O_RDWR | O_CLOEXEC)) {
    EXPECT_EQ(flock(descriptor_, LOCK_EX), 0);
  }
  ~Lock() { close(descriptor_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int descriptor_;
};

TEST_F(LedgerOnDisk, WhoWaitsForAnotherWriterCanBeStopped) {
  const Lock lock(path);
  Progress progress;
  std::thread stopping([&] {
    while (progress.snapshot().step.empty()) std::this_thread::yield();
    progress.stop();
  });
  try {
    const LedgerFile file(path, false, progress);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::cancelled);
  }
  stopping.join();
}

TEST_F(LedgerOnDisk, ATornLineThatNobodyWritesIsTornAtOnce) {
  const std::string sound = read_file(path);
  replace_by_force(path, sound + "{");
  const Ledger torn = Ledger::read(path);
  ASSERT_TRUE(torn.fault());
  EXPECT_TRUE(torn.fault()->torn);
  // Reading leaves no lock behind.
  EXPECT_EQ(add(true).size, 2U);
}

TEST_F(LedgerOnDisk, AReaderWaitsForTheLineThatIsBeingWritten) {
  (void)add();
  const std::string whole = read_file(path);
  const std::string sound = whole.substr(0, whole.find('\n') + 1);
  replace_by_force(path, whole.substr(0, whole.size() - 10));
  std::optional<Ledger> read;
  auto lock = std::make_unique<Lock>(path);
  std::thread reader([&] { read = Ledger::read(path); });
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  const int descriptor = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  EXPECT_EQ(write(descriptor, whole.data() + whole.size() - 10, 10), 10);
  close(descriptor);
  reader.join();  // the line is whole: the reader need not wait for the lock
  lock.reset();
  EXPECT_FALSE(read->fault());
  EXPECT_EQ(read->entries().size(), 2U);
}

}  // namespace
}  // namespace pratique::ledger::ledger_file_test
