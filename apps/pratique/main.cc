#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <new>

#include "command.h"
#include "nouns.h"
#include "parser.h"
#include "pratique/core/error.h"
#include "pratique/server/child_process.h"
#include "signals.h"
#include "terminal.h"

namespace pratique::app {
namespace {

int parse_and_run(const CommandLine& program, Session& session) {
  try {
    const Parsed parsed = parse(program, session.common, session.arguments);
    if (parsed.verb != nullptr) return session.run(*parsed.verb);
    return print_help(stdout, parsed.text) ? 0 : static_cast<int>(ErrorCode::machine);
  } catch (const Error& error) {
    session.print_error(error);
    return static_cast<int>(error.code());
  } catch (const std::bad_alloc&) {
    session.print_error(Error::machine("there is not enough memory")
                            .hint("Use fewer columns or a larger machine."));
    return static_cast<int>(ErrorCode::machine);
  } catch (const std::filesystem::filesystem_error& error) {
    session.print_error(
        Error::input("cannot use this place: " + error.code().message())
            .at(error.path1().string())
            .hint("Check that nothing else has this name and that you may write there."));
    return static_cast<int>(ErrorCode::bad_input);
  } catch (const std::exception&) {
    // Its text may hold data; a fault of ours deserves no more words than this.
    session.print_error(Error::machine("an unexpected fault inside pratique")
                            .hint("Please report the command (not the data) as a bug."));
    return static_cast<int>(ErrorCode::machine);
  }
}

// A closed descriptor would be given to the next file that is opened, and what is printed would go
// into that file. Reading from nothing and failing to write are what a closed one means.
void fill_closed_descriptors() {
  while (true) {
    const int opened = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (opened < 0) return;
    if (opened > STDERR_FILENO) {
      close(opened);
      return;
    }
  }
}

// Those of a job of the workbench, if this is one.
int take_on_limits(Session& session) {
  try {
    server::join_job();
    return 0;
  } catch (const Error& error) {
    session.print_error(error);
    return static_cast<int>(error.code());
  }
}

}  // namespace
}  // namespace pratique::app

int main(int argc, char** argv) {
  using namespace pratique;
  app::fill_closed_descriptors();
  app::Session session;
  if (const int code = app::take_on_limits(session); code != 0) return code;
  app::watch_for_signals(session.progress);
  session.arguments.assign(argv + 1, argv + argc);

  app::CommandLine program;
  app::declare_program(program, session);
  return app::parse_and_run(program, session);
}
