// Who a participant is: an Ed25519 key, and a certificate for it that the consortium's own
// certificate authority signed, for the host it listens on and with its name as common name. The
// same key opens TLS 1.3 connections and signs messages, so that a message that broke a rule can
// be shown to others and names its sender.
//
// For a trial, init makes all keys in one place. For a real roll-out a site makes its key and a
// signing request (make_request), and only the request leaves the house (sign_request).
#pragma once

#include <map>
#include <string>

#include "pratique/consortium/configuration.h"
#include "pratique/crypto/signing.h"
#include "pratique/net/tls.h"

namespace pratique::consortium {

inline constexpr int kDaysOfCertificates = 365;

// FOLDER/ca.key (0600) and FOLDER/ca.pem. Refuses those that are there.
void make_certificate_authority(const std::string& folder, int days = kDaysOfCertificates);
// FOLDER/NAME.key (0600).
void make_key(const std::string& folder, const std::string& name);
// FOLDER/NAME.csr for FOLDER/NAME.key.
void make_request(const std::string& folder, const std::string& name);
// FOLDER/NAME.pem for the public key of FOLDER/NAME.key, or of a request, signed by FOLDER/ca.key.
void certify(const std::string& folder, const std::string& name, const std::string& host,
             int days = kDaysOfCertificates);
void sign_request(const std::string& folder, const std::string& request, const std::string& name,
                  const std::string& host, int days = kDaysOfCertificates);

// Of a certificate in a file. Throws Error::input where it is none, or not of an Ed25519 key.
[[nodiscard]] PublicKey key_of_certificate(const std::string& path);

struct Identity {
  std::string name;
  SigningKey key;
  net::TlsContext server;
  net::TlsContext client;
  std::map<std::string, PublicKey> everybody;  // by name: what messages are verified with

  // Throws Error::input where a file is missing, expired, not valid yet, of another authority, or
  // not this participant's.
  static Identity load(const Configuration& configuration, const std::string& name);
};

}  // namespace pratique::consortium
