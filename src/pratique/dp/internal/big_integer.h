// Whole numbers of any size, on OpenSSL's.
#pragma once

#include <cstdint>
#include <memory>

struct bignum_st;

namespace pratique::dp {

class BigInteger {
 public:
  BigInteger(std::uint64_t value = 0);
  BigInteger(const BigInteger& other);
  BigInteger(BigInteger&& other) noexcept = default;
  BigInteger& operator=(BigInteger other) noexcept;
  ~BigInteger() = default;

  friend BigInteger operator+(const BigInteger& a, const BigInteger& b);
  friend BigInteger operator-(const BigInteger& a, const BigInteger& b);
  friend BigInteger operator*(const BigInteger& a, const BigInteger& b);
  friend BigInteger operator/(const BigInteger& a, const BigInteger& b);  // rounded down, a >= 0
  friend BigInteger operator<<(const BigInteger& a, unsigned bits);
  friend BigInteger operator>>(const BigInteger& a, unsigned bits);  // rounded down, a >= 0
  friend bool operator==(const BigInteger& a, const BigInteger& b);
  friend bool operator<(const BigInteger& a, const BigInteger& b);

  [[nodiscard]] unsigned bits() const;           // that it takes
  [[nodiscard]] std::uint64_t low_word() const;  // modulo 2^64, of what is not below 0

 private:
  struct Free {
    void operator()(bignum_st* number) const;
  };
  std::unique_ptr<bignum_st, Free> number_;
};

}  // namespace pratique::dp
