#include "pratique/consortium/element_list.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>

#include "pratique/core/error.h"
#include "pratique/core/file.h"

namespace pratique::consortium {
namespace {

constexpr std::size_t kBlock = 32;                             // records that are read at once
constexpr std::size_t kBytesInMemory = std::size_t{1} << 18U;  // before they go to the file
constexpr std::uint32_t kAlike = std::numeric_limits<std::uint32_t>::max();  // spelled as compared

Error spool_error() {
  return Error::machine("a list cannot be kept on disk")
      .hint("Make room where temporary files go, or name another folder with TMPDIR.");
}

int open_without_name() {
  const PrivateFolder folder;
  const std::string path = folder.path() + "/elements";
  const int descriptor =
      open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor < 0) throw spool_error();
  unlink(path.c_str());
  return descriptor;
}

void put_size(std::string& to, std::uint32_t size) {
  to.append(reinterpret_cast<const char*>(&size), sizeof(size));
}

// Takes it off the front.
std::uint32_t size_at(std::string_view& from) {
  std::uint32_t size = 0;
  std::memcpy(&size, from.data(), sizeof(size));
  from.remove_prefix(sizeof(size));
  return size;
}

}  // namespace

// One after the other: the sizes of both texts, and the texts; the spelling only where it differs.
class ElementList::Records {
 public:
  Records() = default;
  ~Records() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;

  struct Both {
    std::string element;
    std::string spelled;
  };

  void add(std::string_view element, std::string_view spelled) {
    if (size_ % kBlock == 0) {
      if (tail_.size() >= kBytesInMemory) flush();
      starts_.push_back(written_ + tail_.size());
    }
    put_size(tail_, static_cast<std::uint32_t>(element.size()));
    put_size(tail_, spelled == element ? kAlike : static_cast<std::uint32_t>(spelled.size()));
    tail_ += element;
    if (spelled != element) tail_ += spelled;
    ++size_;
  }

  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] Both read(std::size_t place) const {
    std::string from_file;
    std::string_view rest = block(place / kBlock, from_file);
    for (std::size_t skip = place % kBlock;; --skip) {
      const std::size_t of_element = size_at(rest);
      const std::uint32_t of_spelled = size_at(rest);
      const std::size_t more = of_spelled == kAlike ? 0 : of_spelled;
      if (skip == 0) {
        const auto element = rest.substr(0, of_element);
        return {std::string(element),
                std::string(of_spelled == kAlike ? element : rest.substr(of_element, more))};
      }
      rest.remove_prefix(of_element + more);
    }
  }

 private:
  [[nodiscard]] std::string_view block(std::size_t number, std::string& from_file) const {
    const std::uint64_t begin = starts_[number];
    if (begin >= written_) return std::string_view(tail_).substr(begin - written_);
    const std::uint64_t end = number + 1 < starts_.size() ? starts_[number + 1] : written_;
    from_file.resize(end - begin);
    for (std::size_t got = 0; got < from_file.size();) {
      const ssize_t part = pread(descriptor_, from_file.data() + got, from_file.size() - got,
                                 static_cast<off_t>(begin + got));
      if (part < 0 && errno == EINTR) continue;
      if (part <= 0) throw spool_error();
      got += static_cast<std::size_t>(part);
    }
    return from_file;
  }

  // Whole blocks.
  void flush() {
    if (descriptor_ < 0) descriptor_ = open_without_name();
    for (std::string_view rest = tail_; !rest.empty();) {
      const ssize_t put = write(descriptor_, rest.data(), rest.size());
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) throw spool_error();
      rest.remove_prefix(static_cast<std::size_t>(put));
    }
    written_ += tail_.size();
    tail_.clear();
  }

  int descriptor_ = -1;
  std::string tail_;                   // not yet written
  std::uint64_t written_ = 0;          // bytes before it
  std::vector<std::uint64_t> starts_;  // by block: where it begins
  std::size_t size_ = 0;
};

ElementList::ElementList() : records_(std::make_shared<Records>()) {}

ElementList::ElementList(std::initializer_list<std::string_view> elements) : ElementList() {
  for (const auto element : elements) add(element, element);
}

void ElementList::add(std::string_view element, std::string_view spelled) {
  records_->add(element, spelled);
}

std::size_t ElementList::size() const { return records_->size(); }

std::string ElementList::operator[](std::size_t place) const {
  return records_->read(place).element;
}

std::string ElementList::spelled(std::size_t place) const { return records_->read(place).spelled; }

bool DistinctElements::add(std::string_view element, std::string_view spelled) {
  if (list_.size() >= slots_.size() / 4 * 3) grow();
  const Slot slot{static_cast<std::uint32_t>(std::hash<std::string_view>{}(element)),
                  static_cast<std::uint32_t>(list_.size() + 1)};
  std::size_t at = slot.hash & (slots_.size() - 1);
  for (; slots_[at].place != 0; at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].hash != slot.hash || list_[slots_[at].place - 1] != element) continue;
    if (list_.spelled(slots_[at].place - 1) != spelled) joined_spellings_ = true;
    return false;
  }
  list_.add(element, spelled);
  slots_[at] = slot;
  return true;
}

ElementList DistinctElements::take() {
  slots_ = {};
  joined_spellings_ = false;
  return std::exchange(list_, ElementList());
}

void DistinctElements::grow() {
  const std::vector<Slot> before =
      std::exchange(slots_, std::vector<Slot>(std::max<std::size_t>(64, 2 * slots_.size())));
  for (const Slot& slot : before) {
    if (slot.place == 0) continue;
    std::size_t at = slot.hash & (slots_.size() - 1);
    while (slots_[at].place != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

}  // namespace pratique::consortium
