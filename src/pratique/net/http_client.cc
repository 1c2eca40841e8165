#include "pratique/net/http_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/net/body.h"
#include "pratique/net/problem.h"
#include "pratique/net/socket.h"

namespace pratique::net {
namespace {

constexpr std::size_t kLongestAnswerHead = 32768;

Error not_understood() {
  return Error::machine("the answer is not understood")
      .hint("Check that the other side is the server that is meant.");
}

// A line end in what is put into a head would begin another line, or another request.
void refuse_line_ends(std::string_view text) {
  if (text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos) return;
  throw Error::input("a request's head has a line end in it");
}

std::string head_of(const HttpQuestion& question, const HttpClientOptions& options) {
  std::string head = fmt::format("{} {} HTTP/1.1\r\n", question.method, question.path);
  refuse_line_ends(question.method + question.path + options.host);
  const bool brackets = options.host.find(':') != std::string::npos;  // an IPv6 address
  head += fmt::format("Host: {}{}{}:{}\r\n", brackets ? "[" : "", options.host, brackets ? "]" : "",
                      options.port);
  for (const auto& [name, value] : question.headers) {
    refuse_line_ends(name + value);
    head += fmt::format("{}: {}\r\n", name, value);
  }
  if (!question.body.empty() || question.method == "POST" || question.method == "PUT") {
    head += fmt::format("Content-Length: {}\r\n", question.body.size());
  }
  return head + "Connection: close\r\n\r\n";
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// The bytes of the answer, each pause and the whole bounded.
class Answer {
 public:
  Answer(Socket& socket, const HttpClientOptions& options, Deadline until)
      : socket_(socket), options_(options), until_(until) {}

  HttpAnswer read(bool has_body) {
    HttpAnswer answer = read_head();
    // Hints that precede the answer.
    while (answer.status / 100 == 1) answer = read_head();
    if (!has_body || answer.status == 204 || answer.status == 304) return answer;
    read_body_of(answer);
    return answer;
  }

 private:
  std::ptrdiff_t bytes(char* into, std::size_t most) {
    if (begin_ == end_) {
      begin_ = 0;
      end_ = socket_.read(buffer_.data(), buffer_.size(), std::min(until_, within(options_.pause)));
      if (end_ == 0) return 0;
    }
    const std::size_t given = std::min(most, end_ - begin_);
    std::copy_n(buffer_.data() + begin_, given, into);
    begin_ += given;
    return static_cast<std::ptrdiff_t>(given);
  }

  // Without its line end, which is CR LF.
  std::string line() {
    std::string text;
    char c = 0;
    while (head_bytes_ < kLongestAnswerHead && bytes(&c, 1) == 1) {
      ++head_bytes_;
      text += c;
      if (!text.ends_with("\r\n")) continue;
      text.resize(text.size() - 2);
      return text;
    }
    throw not_understood();
  }

  HttpAnswer read_head() {
    const std::string first = line();
    HttpAnswer answer;
    // HTTP/1.1 200 OK
    const char* digits = first.data() + 9;
    if (first.size() < 12 || !first.starts_with("HTTP/1.") || first[8] != ' ' ||
        std::from_chars(digits, digits + 3, answer.status).ptr != digits + 3 ||
        answer.status < 100) {
      throw not_understood();
    }
    headers_.clear();
    for (std::string field = line(); !field.empty(); field = line()) {
      const auto colon = field.find(':');
      if (colon == std::string::npos || colon == 0) throw not_understood();
      headers_.emplace_back(lower(field.substr(0, colon)),
                            std::string(trimmed(std::string_view(field).substr(colon + 1))));
      answer.headers[headers_.back().first] = headers_.back().second;
    }
    return answer;
  }

  void read_body_of(HttpAnswer& answer) {
    const auto take = [&](std::string_view block) {
      if (answer.body.size() + block.size() > options_.largest_body) {
        throw Error::machine(
            fmt::format("the answer is larger than {} bytes", options_.largest_body));
      }
      answer.body += block;
      return true;
    };
    const bool framed =
        answer.headers.contains("content-length") || answer.headers.contains("transfer-encoding");
    if (!framed) {  // it ends with the connection
      std::array<char, 16384> block{};
      while (const auto received = bytes(block.data(), block.size())) {
        take({block.data(), static_cast<std::size_t>(received)});
      }
      return;
    }
    try {
      const BodyFrame frame = body_frame(headers_);
      if (!net::read_body(
              frame, [&](char* into, std::size_t most) { return bytes(into, most); }, take)) {
        throw Error::machine("the answer ended early");
      }
    } catch (const Problem&) {
      throw not_understood();
    }
  }

  Socket& socket_;
  const HttpClientOptions& options_;
  Deadline until_;
  std::array<char, 16384> buffer_{};
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t head_bytes_ = 0;
  std::vector<std::pair<std::string, std::string>> headers_;
};

}  // namespace

HttpClient::HttpClient(HttpClientOptions options) : options_(std::move(options)) {
  if (options_.tls) tls_.emplace(TlsContext::client(*options_.tls));
}

HttpAnswer HttpClient::ask(const HttpQuestion& question) const {
  const std::string head = head_of(question, options_);
  const Deadline until = within(options_.total);
  Socket socket =
      Socket::connect(options_.host, options_.port, std::min(until, within(options_.connect)),
                      tls_ ? &*tls_ : nullptr);
  socket.write(head + question.body, until);
  return Answer(socket, options_, until).read(question.method != "HEAD");
}

}  // namespace pratique::net
