// multiplication_yardstick SECONDS THREADS: how often libsodium alone multiplies a point of
// ristretto255 by a number, on so many threads for so long. Prints {"rate": per second,
// "processor": seconds of one processor for each}.
#include <fmt/format.h>
#include <sodium.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>

int main(int count, char** words) {
  if (count != 3 || sodium_init() < 0) return 2;
  const double seconds = std::strtod(words[1], nullptr);
  const long threads = std::strtol(words[2], nullptr, 10);
  std::atomic<std::uint64_t> done{0};
  const auto began = std::chrono::steady_clock::now();
  const auto until = began + std::chrono::duration<double>(seconds);
  {
    std::vector<std::jthread> running;
    for (long t = 0; t < threads; ++t) {
      running.emplace_back([&] {
        std::array<std::uint8_t, 32> point{};
        std::array<std::uint8_t, 32> number{};
        crypto_core_ristretto255_random(point.data());
        crypto_core_ristretto255_scalar_random(number.data());
        std::uint64_t own = 0;
        while (std::chrono::steady_clock::now() < until) {
          for (int i = 0; i < 64; ++i) {
            if (crypto_scalarmult_ristretto255(point.data(), number.data(), point.data()) != 0)
              std::abort();
          }
          own += 64;
        }
        done += own;
      });
    }
  }
  const double took =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const double processor = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  fmt::print("{{\"rate\": {:.1f}, \"processor\": {:.9f}}}\n", static_cast<double>(done) / took,
             processor / static_cast<double>(done));
  return 0;
}
