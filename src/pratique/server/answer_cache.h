// Answers that cost time to find, kept for as long as the file they are about stays as it is.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <utility>

namespace pratique::server {

class AnswerCache {
 public:
  explicit AnswerCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // The answer under this key, found now unless it is known. When finding it throws, nothing is
  // kept.
  [[nodiscard]] std::string get(const std::string& key, const std::function<std::string()>& find);

 private:
  std::size_t most_bytes_;
  std::mutex mutex_;
  std::list<std::pair<std::string, std::string>> known_;  // the last used first
  std::size_t bytes_ = 0;
};

}  // namespace pratique::server
