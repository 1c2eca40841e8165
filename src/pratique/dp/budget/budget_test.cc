// With real files and real processes: whatever is killed when, nothing is overspent.
#include "pratique/dp/budget/budget.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"

namespace pratique::dp::budget_test {
namespace {

namespace fs = std::filesystem;

class Budget : public ::testing::Test {
 protected:
  void SetUp() override {
    write_file_atomically(data_, "id,age\n1,30\n");
    open("budget");
  }

  void open(const std::string& name, bool additional = false, double epsilon = 1) {
    open_budget(at(name), terms(epsilon), registry_, {{sha256_file(data_), {"age", "sex"}}},
                additional, Progress::silent());
  }
  [[nodiscard]] BudgetTerms terms(double epsilon) const {
    return {.data = fs::weakly_canonical(data_).string(),
            .limit = {Epsilon::from(epsilon), Delta::from(1e-6)},
            .person = "id",
            .max_rows = 2,
            .analysts = analysts_};
  }
  [[nodiscard]] std::string at(const std::string& name) const {
    return folder_.path() + "/" + name;
  }
  [[nodiscard]] std::string ledger() const { return at("budget"); }

  BudgetState charge(double epsilon, double delta = 0, const std::string& analyst = {},
                     const ChargeObserver& observer = {}) {
    return charge_budget(
        ledger(),
        {{Epsilon::from(epsilon), Delta::from(delta)}, "dp query", "SELECT COUNT(*)", analyst},
        Progress::silent(), observer);
  }

  // In a process of its own; how it ended.
  template <class Work>
  int in_child(const Work& work) {
    const pid_t child = fork();
    if (child == 0) {
      try {
        work();
        _exit(0);
      } catch (const Error& error) {
        _exit(static_cast<int>(error.code()));
      }
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

  PrivateFolder folder_;
  std::string data_ = folder_.path() + "/data.csv";
  std::string registry_ = registry_beside(data_);
  std::map<std::string, Epsilon> analysts_;
};

std::string message_of(const std::function<void()>& work, ErrorCode code) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.message();
    return error.message();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

TEST_F(Budget, KnowsWhatWasAgreedAndSpent) {
  const BudgetState fresh = read_budget(ledger());
  EXPECT_EQ(fresh.charges, 0U);
  EXPECT_EQ(fresh.terms.person, "id");
  EXPECT_EQ(fresh.terms.max_rows, 2U);
  EXPECT_EQ(fresh.left().epsilon, Epsilon::from(1));
  const BudgetState charged = charge(0.3, 5e-7);
  EXPECT_EQ(charged.left().epsilon, Epsilon::from(0.7));
  const BudgetState read = read_budget(ledger());
  EXPECT_EQ(read.charges, 1U);
  EXPECT_EQ(read.spent.epsilon, Epsilon::from(0.3));
  EXPECT_EQ(read.spent.delta, Delta::from(5e-7));
}

TEST_F(Budget, IsSpentToTheLastBillionthAndNoFurther) {
  for (int i = 0; i < 10; ++i) charge(0.1);
  const std::string before = read_file(ledger());
  EXPECT_NE(message_of([&] { charge(1e-9); }, ErrorCode::check_failed).find("0 is left"),
            std::string::npos);
  EXPECT_EQ(read_file(ledger()), before);
}

TEST_F(Budget, RefusesDeltaBeyondWhatIsLeft) {
  charge(0.1, 8e-7);
  (void)message_of([&] { charge(0.1, 3e-7); }, ErrorCode::check_failed);
  charge(0.1, 2e-7);
}

TEST_F(Budget, TellsNeitherTheHashOfTheDataNorItsContent) {
  charge(0.1);
  const std::string hash = sha256_file(data_);
  EXPECT_EQ(read_file(ledger()).find(hash), std::string::npos);
  EXPECT_EQ(read_file(registry_).find(hash), std::string::npos);
  EXPECT_EQ(fs::status(registry_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Budget, ASecondLedgerForTheSameDataNeedsAWord) {
  (void)message_of([&] { open("second"); }, ErrorCode::check_failed);
  EXPECT_FALSE(fs::exists(at("second")));
  EXPECT_FALSE(fs::exists(at("second.key")));
  // The same bytes elsewhere, and other bytes in the same place.
  const std::string copy = at("copy.csv");
  fs::copy_file(data_, copy);
  BudgetTerms elsewhere = terms(1);
  elsewhere.data = copy;
  (void)message_of(
      [&] {
        open_budget(at("second"), elsewhere, registry_, {{sha256_file(copy), {"age"}}}, false,
                    Progress::silent());
      },
      ErrorCode::check_failed);
  write_file_atomically(data_, "id,age\n1,31\n");
  (void)message_of([&] { open("second"); }, ErrorCode::check_failed);
  // Other bytes elsewhere with the same columns may be of the same people; those with others are
  // not asked about.
  write_file_atomically(copy, "sex,age\nF,31\n");
  const auto open_copy = [&](const std::vector<std::string>& columns) {
    open_budget(at("third"), elsewhere, registry_, {{sha256_file(copy), columns}}, false,
                Progress::silent());
  };
  EXPECT_NE(message_of(
                [&] {
                  open_copy({"sex", "age"});
                },
                ErrorCode::check_failed)
                .find("same columns"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(at("third")));
  open_copy({"sex", "age", "zip"});
  open("second", true);
  EXPECT_EQ(read_budget(at("second")).charges, 0U);
}

TEST_F(Budget, NoticesALedgerPutBack) {
  charge(0.2);
  fs::copy_file(ledger(), at("saved"));
  charge(0.7);
  fs::copy_file(at("saved"), ledger(), fs::copy_options::overwrite_existing);
  EXPECT_NE(message_of([&] { charge(0.2); }, ErrorCode::check_failed).find("not what it was"),
            std::string::npos);
  (void)message_of([&] { (void)read_budget(ledger()); }, ErrorCode::check_failed);
}

TEST_F(Budget, AnswersFromNoCopyAndWithoutNoRegistry) {
  for (const char* ending : {"", ".key"}) {
    fs::copy_file(ledger() + ending, at("copied") + ending);
  }
  (void)message_of(
      [&] {
        charge_budget(at("copied"), {{Epsilon::from(0.1), {}}, "dp query", "", ""},
                      Progress::silent());
      },
      ErrorCode::check_failed);
  fs::rename(registry_, at("away"));
  (void)message_of([&] { charge(0.1); }, ErrorCode::check_failed);
  write_file_atomically(registry_, "{}");
  (void)message_of([&] { charge(0.1); }, ErrorCode::check_failed);
}

TEST_F(Budget, NoticesOtherData) {
  const BudgetState state = read_budget(ledger());
  const auto check = [&] {
    require_same_data(ledger(), state, [&](const std::string&) { return sha256_file(data_); });
  };
  check();
  const std::string text = read_file(data_);
  write_file_atomically(data_, "id,age\n1,31\n");
  (void)message_of(check, ErrorCode::check_failed);
  write_file_atomically(data_, text);
  check();
}

TEST_F(Budget, IsBoundToTablesBesideTheData) {
  const std::string visits = at("visits.csv");
  write_file_atomically(visits, "id,ward\n1,x\n");
  BudgetTerms with_table = terms(1);
  with_table.tables = {{"visits", fs::weakly_canonical(visits).string()}};
  const std::vector<DataIdentity> identities = {{sha256_file(data_), {"age"}},
                                                {sha256_file(visits), {"id", "ward"}}};
  open_budget(at("two"), with_table, registry_, identities, true, Progress::silent());
  const BudgetState state = read_budget(at("two"));
  ASSERT_EQ(state.terms.tables.size(), 1U);
  EXPECT_EQ(state.terms.tables.front().name, "visits");
  const auto check = [&] { require_same_data(at("two"), state, sha256_file); };
  check();
  // The table has a budget now, and data that changed is noticed there, too.
  BudgetTerms alone = terms(1);
  alone.data = with_table.tables.front().data;
  (void)message_of(
      [&] {
        open_budget(at("alone"), alone, registry_, {{sha256_file(visits), {"other"}}}, false,
                    Progress::silent());
      },
      ErrorCode::check_failed);
  write_file_atomically(visits, "id,ward\n1,y\n");
  (void)message_of(check, ErrorCode::check_failed);
}

TEST_F(Budget, KnowsWhichAnswersHadTheNoiseOfASeed) {
  charge(0.1);
  EXPECT_EQ(read_budget(ledger()).insecure, 0U);
  const auto state =
      charge_budget(ledger(), {{Epsilon::from(0.1), {}}, "dp query", "SELECT COUNT(*)", "", true},
                    Progress::silent());
  EXPECT_EQ(state.insecure, 1U);
  EXPECT_EQ(state.charges, 2U);
}

TEST_F(Budget, AnalystsSpendTheirSharesAndNoMore) {
  analysts_ = {{"ann", Epsilon::from(0.3)}, {"bob", Epsilon::from(0.9)}};
  open("shared", true);
  const auto ask = [&](const std::string& who, double epsilon) {
    return charge_budget(at("shared"), {{Epsilon::from(epsilon), {}}, "dp query", "", who},
                         Progress::silent());
  };
  ask("ann", 0.2);
  (void)message_of([&] { ask("ann", 0.2); }, ErrorCode::check_failed);
  ask("bob", 0.8);
  // Bob has 0.1 of his share left, and nothing is left of the whole.
  (void)message_of([&] { ask("bob", 0.1); }, ErrorCode::check_failed);
  (void)message_of([&] { ask("", 0.01); }, ErrorCode::bad_input);
  (void)message_of([&] { ask("eve", 0.01); }, ErrorCode::bad_input);
  (void)message_of([&] { charge(0.1, 0, "ann"); }, ErrorCode::bad_input);
}

TEST_F(Budget, TwoProcessesAtOnceCannotOverspend) {
  // Each wants 0.3 six times; three fit.
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      int charged = 0;
      for (int attempt = 0; attempt < 3; ++attempt) {
        try {
          charge(0.3);
          ++charged;
        } catch (const Error& error) {
          if (error.code() != ErrorCode::check_failed) _exit(100);
        }
      }
      _exit(charged);
    }
    children.push_back(child);
  }
  int charged = 0;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    charged += WEXITSTATUS(status);
  }
  EXPECT_EQ(charged, 3);
  const BudgetState state = read_budget(ledger());
  EXPECT_EQ(state.charges, 3U);
  EXPECT_EQ(state.spent.epsilon, Epsilon::from(0.9));
}

TEST_F(Budget, AKillAtAnyStepCostsBudgetAtMost) {
  double least_spent = 0;
  for (const ChargeStep step : {ChargeStep::locked, ChargeStep::appended, ChargeStep::registered}) {
    const int status = in_child([&] {
      charge(0.1, 0, {}, [step](ChargeStep reached) {
        if (reached == step) raise(SIGKILL);
      });
    });
    ASSERT_TRUE(WIFSIGNALED(status));
    least_spent += step == ChargeStep::locked ? 0 : 0.1;
    EXPECT_EQ(read_budget(ledger()).spent.epsilon, Epsilon::from(std::max(least_spent, 1e-9)) -
                                                       (least_spent == 0 ? Epsilon{1} : Epsilon{}));
    // And the next goes on.
    charge(0.05);
    least_spent += 0.05;
    EXPECT_EQ(read_budget(ledger()).spent.epsilon, Epsilon::from(least_spent));
  }
}

TEST_F(Budget, ALineThatTheMachineFailedToFinishCostsNothing) {
  charge(0.2);
  const std::string whole = read_file(ledger());
  charge(0.1);
  const std::string longer = read_file(ledger());
  // The registry as it was before the second charge.
  PrivateFolder elsewhere;
  for (std::size_t cut = whole.size() + 1; cut < longer.size(); cut += 97) {
    fs::remove(ledger());
    fs::remove(registry_);
    fs::remove(ledger() + ".key");
    open("budget");
    charge(0.2);
    const std::string sound = read_file(ledger());
    {
      const int file = ::open(ledger().c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
      const std::string torn = longer.substr(whole.size(), cut - whole.size());
      ASSERT_EQ(write(file, torn.data(), torn.size()), static_cast<ssize_t>(torn.size()));
      close(file);
    }
    EXPECT_EQ(read_budget(ledger()).spent.epsilon, Epsilon::from(0.2));
    EXPECT_EQ(charge(0.1).spent.epsilon, Epsilon::from(0.3));
    EXPECT_TRUE(read_file(ledger()).starts_with(sound));
  }
}

TEST_F(Budget, APlainLedgerIsNoBudget) {
  write_file_atomically(at("other"), "nothing\n");
  (void)message_of([&] { (void)read_budget(at("other")); }, ErrorCode::check_failed);
  (void)message_of([&] { (void)read_budget(at("missing")); }, ErrorCode::bad_input);
}

}  // namespace
}  // namespace pratique::dp::budget_test
