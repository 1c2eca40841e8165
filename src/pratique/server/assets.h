// The web app as it lies in the program: files of web/dist, each compressed once when it was built
// in (tools/embed.py).
#pragma once

#include <span>
#include <string_view>

#include "pratique/net/http.h"

namespace pratique::server {

struct Asset {
  std::string_view path;   // index.html, assets/index-4f3a.js
  std::string_view type;   // text/html; charset=utf-8
  std::string_view bytes;  // gzip
  std::string_view hash;   // of the content, for the ETag
};

// GET or HEAD of anything that is not the API. A path without a dot that is no file is a place
// inside the web app: it is answered by index.html. Without a web app, a page that names the API.
[[nodiscard]] net::Response give_asset(std::span<const Asset> assets, const net::Request& request);

}  // namespace pratique::server
