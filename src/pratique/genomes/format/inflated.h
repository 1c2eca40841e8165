// Text that may be compressed: gzip is told by its first two bytes, whatever the file is called.
// bgzip writes many members behind each other; all of them are read.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "pratique/core/progress.h"

namespace pratique::genomes {

class Inflater {
 public:
  explicit Inflater(std::string name);  // of the file, for messages
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Throws Error::input where the file is damaged.
  void take(std::string_view block, const std::function<void(std::string_view)>& text);
  // Throws where it ends too early.
  void finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// As read_in_blocks (core/file.h), of the text that is in the file.
void read_inflated(const std::string& path, const std::string& name,
                   const std::function<void(std::string_view)>& text, Progress& progress);
[[nodiscard]] std::string inflated_text(const std::string& name, std::string_view bytes);

}  // namespace pratique::genomes
