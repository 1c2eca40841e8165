#include "pratique/server/jobs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/version.h"
#include "pratique/net/problem.h"
#include "pratique/server/child_process.h"

namespace pratique::server::jobs_test {
namespace {

using namespace std::chrono_literals;

// A shell stands in for the program: it ends as it is told to, and ignores --json.
class JobsTest : public testing::Test {
 protected:
  [[nodiscard]] static JobRequest shell(const std::string& script) {
    return {.noun = "n",
            .verb = "v",
            .arguments = {"-c", script, "--memory"},
            .command = "pratique n v",
            .request = R"({"inputs": ["a"], "options": {"k": 5}})"};
  }
  [[nodiscard]] static Json wait(const Jobs& jobs, const std::string& id) {
    Jobs::Cursor cursor;
    while (!jobs.watch(id, cursor, 10s).ended) {
    }
    return Json::parse(jobs.describe(id));
  }
  [[nodiscard]] Jobs::News wait_for_progress(const Jobs& jobs, const std::string& id) {
    Jobs::Cursor cursor;
    while (true) {
      auto news = jobs.watch(id, cursor, 10s);
      if (!news.progress.empty() || news.ended) return news;
    }
  }
  static constexpr const char* kTell = "echo '{\"progress\":{\"step\":\"s\"}}' >&2; ";
  PrivateFolder folder;
};

TEST_F(JobsTest, ResultPointsAndProgress) {
  Jobs jobs("/bin/sh", folder.path(), {});
  const Job job = jobs.submit(
      shell("echo '{\"progress\":{\"step\":\"a\",\"done\":1,\"total\":3}}' >&2; echo "
            "'{\"point\":{\"k\":2}}' >&2;"
            "echo '{\"point\":{\"k\":3}}' >&2; echo some words >&2; echo '{\"x\": [1]}'; exit 1"));
  const Json ended = wait(jobs, job.id);
  EXPECT_EQ(ended.at("state"), "done");
  EXPECT_EQ(ended.at("exit"), 1);
  EXPECT_EQ(ended.at("result").at("x"), Json::array({1}));
  EXPECT_EQ(ended.at("points"), Json::parse(R"([{"k":2},{"k":3}])"));
  EXPECT_EQ(ended.at("progress").at("step"), "a");
  EXPECT_EQ(ended.at("progress").at("done"), 3);  // it is done
  Jobs::Cursor cursor;
  const auto news = jobs.watch(job.id, cursor, 0ms);
  EXPECT_EQ(news.points.size(), 2U);
  EXPECT_TRUE(news.ended);
}

TEST_F(JobsTest, AQuickOneDoesNotWaitForALongOne) {
  Jobs jobs("/bin/sh", folder.path(), {.running = 1});
  const Job slow = jobs.submit(shell("sleep 60; echo '{}'"));
  const Job behind = jobs.submit(shell("echo '{}'"));
  JobRequest request = shell("echo '{\"x\": 1}'");
  request.quick = true;
  const Job quick = jobs.submit(request);
  EXPECT_EQ(wait(jobs, quick.id).at("result").at("x"), 1);
  EXPECT_EQ(Json::parse(jobs.describe(behind.id)).at("state"), "queued");
  jobs.cancel_or_forget(slow.id);
  EXPECT_EQ(wait(jobs, behind.id).at("state"), "done");
}

TEST_F(JobsTest, WhatMayNotRunAnyMoreDoesNot) {
  Jobs jobs("/bin/sh", folder.path(), {}, [](const Job& job) {
    if (job.verb == "v") throw net::Problem(409, "not any more");
  });
  const Json refused = wait(jobs, jobs.submit(shell("echo '{}' >made; echo '{}'")).id);
  EXPECT_EQ(refused.at("state"), "failed");
  EXPECT_EQ(refused.at("problem").at("detail"), "not any more");
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/made"));
}

TEST_F(JobsTest, TheFolderOfTheirStateIsOurs) {
  const auto refusal = [&] {
    try {
      const Jobs jobs("/bin/sh", folder.path(), {});
      return std::string("none");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input);
      return error.message();
    }
  };
  const std::string state = folder.path() + "/.pratique";
  std::filesystem::create_directory(folder.path() + "/elsewhere");
  std::filesystem::create_directory_symlink("elsewhere", state);
  EXPECT_EQ(refusal(), "the folder for the state of jobs is a link");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path() + "/elsewhere"));
  unlink(state.c_str());
  std::ofstream(state) << "x";
  EXPECT_EQ(refusal(), "the folder for the state of jobs is not a folder");
  unlink(state.c_str());
  EXPECT_EQ(refusal(), "none");
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  ASSERT_EQ(chown(state.c_str(), 12345, 12345), 0);
  EXPECT_EQ(refusal(), "the folder for the state of jobs belongs to somebody else");
}

TEST_F(JobsTest, FailuresSayWhatTheProgramSaid) {
  Jobs jobs("/bin/sh", folder.path(), {});
  const auto failed = wait(
      jobs,
      jobs.submit(shell("echo '{\"error\":{\"exit\":2,\"message\":\"bad\",\"place\":\"a.csv:3\","
                        "\"hint\":\"mend it\"}}'; exit 2"))
          .id);
  EXPECT_EQ(failed.at("state"), "failed");
  EXPECT_EQ(failed.at("problem").at("status"), 422);
  EXPECT_EQ(failed.at("problem").at("detail"), "bad");
  EXPECT_EQ(failed.at("problem").at("place").at("line"), 3);
  EXPECT_EQ(
      wait(jobs, jobs.submit(shell("echo out of luck >&2; exit 3")).id).at("problem").at("detail"),
      "out of luck");
  EXPECT_EQ(wait(jobs, jobs.submit(shell("echo no json")).id).at("state"), "failed");
  EXPECT_EQ(wait(jobs, jobs.submit(shell("kill -9 $$")).id).at("exit"), 137);
}

TEST_F(JobsTest, CancelledAndTheQueueGoesOn) {
  Jobs jobs("/bin/sh", folder.path(), {.running = 1, .queued = 2});
  const Job first = jobs.submit(shell(std::string(kTell) + "sleep 60"));
  (void)wait_for_progress(jobs, first.id);
  const Job second = jobs.submit(shell("echo '{}'"));
  const Job third = jobs.submit(shell("echo '{}'"));
  EXPECT_THROW(jobs.submit(shell("true")), net::Problem);
  jobs.cancel_or_forget(third.id);
  EXPECT_EQ(wait(jobs, third.id).at("state"), "cancelled");
  jobs.cancel_or_forget(first.id);
  EXPECT_EQ(wait(jobs, first.id).at("state"), "cancelled");
  EXPECT_EQ(wait(jobs, second.id).at("state"), "done");
  jobs.cancel_or_forget(second.id);
  EXPECT_THROW((void)jobs.describe(second.id), net::Problem);
  EXPECT_EQ(jobs.list().size(), 2U);
  EXPECT_EQ(jobs.list().front().id, third.id);
}

TEST_F(JobsTest, AreThereAfterARestart) {
  std::string done;
  std::string running;
  {
    Jobs jobs("/bin/sh", folder.path(), {});
    done = jobs.submit(shell("echo '{\"a\":1}'")).id;
    (void)wait(jobs, done);
    running =
        jobs.submit(shell("echo '{\"point\":{\"k\":2}}' >&2; " + std::string(kTell) + "sleep 60"))
            .id;
    (void)wait_for_progress(jobs, running);
    // Written as it came: a server that is killed has no time for it.
    EXPECT_EQ(read_json_file(folder.path() + "/.pratique/jobs/" + running + ".json").at("points"),
              Json::parse(R"([{"k":2}])"));
    EXPECT_THROW(Jobs("/bin/sh", folder.path(), {}), Error);  // one server a folder
  }
  // What a killed server leaves: a record that says running. And rubbish.
  const std::string state = folder.path() + "/.pratique/jobs/";
  Json killed = read_json_file(state + running + ".json");
  EXPECT_EQ(killed.at("state"), "interrupted");
  killed["state"] = "running";
  killed.erase("request");  // as servers of before wrote it
  std::ofstream(state + running + ".json") << killed.dump();
  std::ofstream(state + "half.json") << "{\"id\": \"ha";
  std::ofstream(state + "other.json") << killed.dump();
  Jobs jobs("/bin/sh", folder.path(), {});
  EXPECT_EQ(jobs.list().size(), 2U);
  EXPECT_EQ(Json::parse(jobs.describe(done)).at("result").at("a"), 1);
  EXPECT_EQ(Json::parse(jobs.describe(done)).at("version"), kVersion);
  EXPECT_EQ(Json::parse(jobs.describe(done)).at("request"),
            Json::parse(R"({"inputs": ["a"], "options": {"k": 5}})"));
  EXPECT_EQ(Json::parse(jobs.describe(running)).at("request"), nullptr);
  EXPECT_EQ(Json::parse(jobs.describe(running)).at("state"), "interrupted");
  EXPECT_EQ(Json::parse(jobs.describe(running)).at("points"), Json::parse(R"([{"k":2}])"));
  struct stat status {};
  stat((state + done + ".json").c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(JobsTest, KeepsOnlySoMany) {
  Jobs jobs("/bin/sh", folder.path(), {.running = 1, .queued = 1, .kept = 2});
  std::vector<std::string> ids;
  for (int i = 0; i < 6; ++i) {
    ids.push_back(jobs.submit(shell("echo '{}'")).id);
    (void)wait(jobs, ids.back());
  }
  EXPECT_EQ(jobs.list().size(), 4U);
  EXPECT_THROW((void)jobs.describe(ids[0]), net::Problem);
  EXPECT_NO_THROW((void)jobs.describe(ids[5]));
}

TEST_F(JobsTest, AskAnswersAtOnceOrNotAtAll) {
  const Jobs jobs("/bin/sh", folder.path(), {});
  EXPECT_EQ(jobs.ask({"-c", "echo '{}'"}, 10s), "{}\n");
  EXPECT_THROW((void)jobs.ask({"-c", "sleep 60"}, 100ms), net::Problem);
  try {
    (void)jobs.ask({"-c", "echo '{\"error\":{\"message\":\"no\"}}'; exit 2"}, 10s);
    FAIL();
  } catch (const net::Problem& problem) {
    EXPECT_EQ(problem.status(), 422);
    EXPECT_EQ(problem.detail(), "no");
  }
}

// In a process of its own, as main would.
bool can(const std::string& folder, const std::string& script) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("PRATIQUE_JOB", fmt::format("{} 0 {}", getppid(), folder).c_str(), 1);
    join_job();
    _exit(chdir(folder.c_str()) == 0 && std::system(script.c_str()) == 0 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0;
}

TEST_F(JobsTest, ChildrenAreConfined) {
  if (!children_are_confined()) GTEST_SKIP() << "this kernel has no Landlock";
  const PrivateFolder elsewhere;
  const std::string secret = elsewhere.path() + "/secret";
  std::ofstream(secret) << "s\n";
  EXPECT_TRUE(can(folder.path(), "echo x > here && cat here > /dev/null && mkdir d && mv here d"));
  EXPECT_TRUE(can(folder.path(), "cat /etc/passwd > /dev/null"));
  EXPECT_FALSE(can(folder.path(), "cat 2>/dev/null " + secret));
  EXPECT_FALSE(can(folder.path(), "touch 2>/dev/null " + elsewhere.path() + "/new"));
  EXPECT_FALSE(can(folder.path(), "ln -s " + secret + " link && cat link 2>/dev/null"));
  EXPECT_FALSE(can(folder.path(), "rm 2>/dev/null " + secret));
  EXPECT_TRUE(std::filesystem::exists(secret));
}

TEST_F(JobsTest, AChildWhoseParentIsGoneEnds) {
  // Nobody is his own parent.
  setenv("PRATIQUE_JOB", fmt::format("{} 0 {}", getpid(), folder.path()).c_str(), 1);
  EXPECT_THROW(join_job(), Error);
  unsetenv("PRATIQUE_JOB");
  prctl(PR_SET_PDEATHSIG, 0);
  EXPECT_NO_THROW(join_job());
}

TEST_F(JobsTest, ChildrenHaveNoDescriptorOfOursAndEndWithTheirGroup) {
  const int ours = open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  const Jobs jobs("/bin/sh", folder.path(), {});
  // 0, 1, 2 and the one by which ls reads the folder.
  EXPECT_EQ(jobs.ask({"-c", "exec ls -1 /proc/self/fd"}, 10s), "0\n1\n2\n3\n");
  close(ours);
  const std::string pid = jobs.ask({"-c", "sleep 60 >/dev/null 2>&1 & echo $!"}, 10s);
  // It was killed with its group; give the kernel the moment to take it away.
  const auto alive = [&] {
    std::ifstream status("/proc/" + pid.substr(0, pid.size() - 1) + "/stat");
    std::string text;
    std::getline(status, text);
    return !text.empty() && text.find(") Z ") == std::string::npos;
  };
  for (int i = 0; i < 500 && alive(); ++i) usleep(10'000);
  EXPECT_FALSE(alive());
}

}  // namespace
}  // namespace pratique::server::jobs_test
