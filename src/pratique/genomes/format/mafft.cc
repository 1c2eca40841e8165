#include "pratique/genomes/format/mafft.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <thread>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/parallel.h"
#include "pratique/genomes/format/fasta.h"

namespace pratique::genomes {
namespace {

// What the process is to do with its descriptors.
class MafftDescriptors {
 public:
  explicit MafftDescriptors(const std::string& out) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, out.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  ~MafftDescriptors() { posix_spawn_file_actions_destroy(&actions_); }
  MafftDescriptors(const MafftDescriptors&) = delete;
  MafftDescriptors& operator=(const MafftDescriptors&) = delete;
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

// Waits, and ends the whole group of processes when the run is asked to stop.
int wait_for(pid_t process, Progress& progress) {
  constexpr std::chrono::milliseconds kBetweenLooks{20};
  int status = 0;
  while (true) {
    const pid_t ended = waitpid(process, &status, WNOHANG);
    if (ended == process) return status;
    if (ended < 0 && errno != EINTR) throw Error::machine("mafft cannot be waited for");
    try {
      progress.check();
    } catch (...) {
      (void)kill(-process, SIGTERM);
      (void)waitpid(process, &status, 0);
      throw;
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

void run_mafft(const std::string& in, const std::string& out, Progress& progress) {
  std::string threads = std::to_string(available_threads());
  std::array<std::string, 6> words = {"mafft", "--auto", "--quiet", "--thread", threads, in};
  std::array<char*, 7> arguments{};
  for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
  const MafftDescriptors descriptors(out);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t process = 0;
  const int failed = posix_spawnp(&process, words[0].c_str(), descriptors.get(), &attributes,
                                  arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0) {
    throw Error::input("mafft is not installed")
        .hint("Install it (apt install mafft), or leave --aligner out.");
  }
  const int status = wait_for(process, progress);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw Error::machine("mafft did not align the sequences")
        .hint("Run it by itself to see why, or leave --aligner out.");
  }
}

}  // namespace

std::vector<Sequence> align_by_mafft(const std::vector<Sequence>& sequences, Progress& progress) {
  progress.begin("aligning sequences with MAFFT", 0);
  const PrivateFolder folder;
  const std::string in = folder.path() + "/in.fasta";
  const std::string out = folder.path() + "/out.fasta";
  std::string text;
  for (std::size_t s = 0; s < sequences.size(); ++s)
    text += fmt::format(">{}\n{}\n", s, to_text(without_gaps(sequences[s])));
  write_file_atomically(in, text);
  run_mafft(in, out, progress);
  SequenceSet read = read_fasta(out, progress);
  std::vector<Sequence> aligned(sequences.size());
  for (std::size_t s = 0; s < read.size(); ++s) {
    std::size_t number = sequences.size();
    (void)std::from_chars(read.names[s].data(), read.names[s].data() + read.names[s].size(),
                          number);
    if (number < sequences.size()) aligned[number] = std::move(read.sequences[s]);
  }
  // It is another program's work: the letters must be those that went in.
  for (std::size_t s = 0; s < sequences.size(); ++s) {
    if (aligned[s].size() != aligned.front().size() ||
        without_gaps(aligned[s]) != without_gaps(sequences[s]))
      throw Error::machine("what mafft wrote is no alignment of the sequences");
  }
  return aligned;
}

}  // namespace pratique::genomes
