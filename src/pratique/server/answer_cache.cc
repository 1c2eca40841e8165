#include "pratique/server/answer_cache.h"

#include <algorithm>

namespace pratique::server {

std::string AnswerCache::get(const std::string& key, const std::function<std::string()>& find) {
  {
    const std::lock_guard lock(mutex_);
    const auto answer = std::find_if(known_.begin(), known_.end(),
                                     [&](const auto& entry) { return entry.first == key; });
    if (answer != known_.end()) {
      known_.splice(known_.begin(), known_, answer);
      return answer->second;
    }
  }
  std::string answer = find();
  const std::lock_guard lock(mutex_);
  known_.emplace_front(key, answer);
  bytes_ += key.size() + answer.size();
  while (bytes_ > most_bytes_) {
    bytes_ -= known_.back().first.size() + known_.back().second.size();
    known_.pop_back();
  }
  return answer;
}

}  // namespace pratique::server
