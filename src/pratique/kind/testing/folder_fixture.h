// What tests that read and write files share: a folder that goes with the test and all that is in
// it, an engine, and the error that a call ends with.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/engine/engine.h"

namespace pratique {

class FolderFixture : public testing::Test {
 protected:
  PrivateFolder folder;

  // One for all tests: it keeps nothing of a file.
  static Engine& engine() {
    static const std::unique_ptr<Engine> kEngine = Engine::duckdb({.threads = 1});
    return *kEngine;
  }

  [[nodiscard]] std::string path(const std::string& name) const {
    return folder.path() + "/" + name;
  }
  // Writes it, and says where.
  std::string file(const std::string& name, const std::string& text) const {
    const std::filesystem::path whole = path(name);
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole) << text;
    return whole.string();
  }

  // A test fails where nothing is refused.
  template <typename Call>
  static Error error_of(const Call& call) {
    try {
      (void)call();
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "nothing was refused";
    return Error::machine("");
  }
  template <typename Call>
  static std::string message_of(const Call& call) {
    return error_of(call).message();
  }
};

}  // namespace pratique
