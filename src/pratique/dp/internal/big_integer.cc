#include "pratique/dp/internal/big_integer.h"

#include <openssl/bn.h>

#include <array>
#include <utility>

#include "pratique/core/error.h"

namespace pratique::dp {
namespace {

struct FreeBigContext {
  void operator()(BN_CTX* context) const { BN_CTX_free(context); }
};

BN_CTX* big_context() {
  thread_local const std::unique_ptr<BN_CTX, FreeBigContext> context(BN_CTX_new());
  return context.get();
}

void require_big(bool done) {
  if (!done) throw Error::machine("out of memory for the digits of a probability");
}

}  // namespace

void BigInteger::Free::operator()(bignum_st* number) const { BN_free(number); }

BigInteger::BigInteger(std::uint64_t value) : number_(BN_new()) {
  static_assert(sizeof(BN_ULONG) == sizeof(std::uint64_t));
  require_big(number_ != nullptr && BN_set_word(number_.get(), value) == 1);
}

BigInteger::BigInteger(const BigInteger& other) : number_(BN_dup(other.number_.get())) {
  require_big(number_ != nullptr);
}

BigInteger& BigInteger::operator=(BigInteger other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

BigInteger operator+(const BigInteger& a, const BigInteger& b) {
  BigInteger sum;
  require_big(BN_add(sum.number_.get(), a.number_.get(), b.number_.get()) == 1);
  return sum;
}

BigInteger operator-(const BigInteger& a, const BigInteger& b) {
  BigInteger difference;
  require_big(BN_sub(difference.number_.get(), a.number_.get(), b.number_.get()) == 1);
  return difference;
}

BigInteger operator*(const BigInteger& a, const BigInteger& b) {
  BigInteger product;
  require_big(BN_mul(product.number_.get(), a.number_.get(), b.number_.get(), big_context()) == 1);
  return product;
}

BigInteger operator/(const BigInteger& a, const BigInteger& b) {
  BigInteger quotient;
  require_big(BN_div(quotient.number_.get(), nullptr, a.number_.get(), b.number_.get(),
                     big_context()) == 1);
  return quotient;
}

BigInteger operator<<(const BigInteger& a, unsigned bits) {
  BigInteger shifted;
  require_big(BN_lshift(shifted.number_.get(), a.number_.get(), static_cast<int>(bits)) == 1);
  return shifted;
}

BigInteger operator>>(const BigInteger& a, unsigned bits) {
  BigInteger shifted;
  require_big(BN_rshift(shifted.number_.get(), a.number_.get(), static_cast<int>(bits)) == 1);
  return shifted;
}

bool operator==(const BigInteger& a, const BigInteger& b) {
  return BN_cmp(a.number_.get(), b.number_.get()) == 0;
}

bool operator<(const BigInteger& a, const BigInteger& b) {
  return BN_cmp(a.number_.get(), b.number_.get()) < 0;
}

unsigned BigInteger::bits() const { return static_cast<unsigned>(BN_num_bits(number_.get())); }

std::uint64_t BigInteger::low_word() const {
  BigInteger low(*this);
  if (BN_num_bits(low.number_.get()) > 64) BN_mask_bits(low.number_.get(), 64);
  std::array<unsigned char, 8> bytes{};
  BN_bn2binpad(low.number_.get(), bytes.data(), static_cast<int>(bytes.size()));
  std::uint64_t word = 0;
  for (const unsigned char byte : bytes) word = (word << 8U) | byte;
  return word;
}

}  // namespace pratique::dp
