#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <new>

#include "command.h"
#include "ledger.h"
#include "markdown.h"
#include "nouns.h"
#include "pratique/core/error.h"
#include "pratique/core/version.h"
#include "pratique/server/child_process.h"
#include "signals.h"
#include "usage_error.h"

namespace pratique::app {
namespace {

int parse_and_run(CLI::App& program, Session& session, int argc, char** argv) {
  try {
    program.parse(argc, argv);
    return session.run();
  } catch (const CLI::ParseError& error) {
    // --help, --version; help on a command that there is none of would mislead.
    if (error.get_exit_code() == 0 && program.remaining(true).empty()) return program.exit(error);
    session.print_error(usage_error(program, error));
    return static_cast<int>(ErrorCode::bad_input);
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

  CLI::App program("Pratique: attack, protect, verify and release health data", "pratique");
  program.set_version_flag("--version", std::string("pratique ") + kVersion);
  program.require_subcommand(0, 1);
  app::add_generate(program, session);
  app::add_tables(program, session);
  app::add_trails(program, session);
  app::add_codes(program, session);
  app::add_fusion(program, session);
  app::add_verify(program, session);
  app::add_report(program, session);
  app::add_ledger(program, session);
  app::add_serve(program, session);

  bool markdown = false;
  CLI::App* help = program.add_subcommand("help", "Print this help, or all of it as Markdown");
  help->add_flag("--markdown", markdown, "print the whole reference as Markdown (docs/cli.md)");
  help->callback([&] {
    // program.help() would be that of the chosen command, which is this one.
    const std::string text = markdown
                                 ? app::command_line_reference(program)
                                 : program.get_formatter()->make_help(&program, program.get_name(),
                                                                      CLI::AppFormatMode::Normal);
    (void)std::fputs(text.c_str(), stdout);
  });
  if (argc == 1) {
    (void)std::fputs(program.help().c_str(), stdout);
    return std::fflush(stdout) == 0 ? 0 : static_cast<int>(ErrorCode::machine);
  }
  const int code = app::parse_and_run(program, session, argc, argv);
  return std::fflush(stdout) == 0 || code != 0 ? code : static_cast<int>(ErrorCode::machine);
}
