#include "pratique/server/assets.h"

#include <zlib.h>

#include <algorithm>
#include <string>

namespace pratique::server {
namespace {

const Asset* find(std::span<const Asset> assets, std::string_view path) {
  const auto match = std::find_if(assets.begin(), assets.end(),
                                  [&](const Asset& asset) { return asset.path == path; });
  return match == assets.end() ? nullptr : &*match;
}

std::string unpacked(std::string_view bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) return {};
  std::string text;
  std::string buffer(65536, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  int state = Z_OK;
  while (state == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    state = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  return text;
}

net::Response bare_page() {
  net::Response response;
  response.type = "text/html; charset=utf-8";
  response.body =
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Pratique</title>"
      "<h1>Pratique</h1><p>This program was built without the web app. The API is described at "
      "<a href=\"/api/v1/openapi.json\">/api/v1/openapi.json</a>.</p></html>";
  return response;
}

}  // namespace

net::Response give_asset(std::span<const Asset> assets, const net::Request& request) {
  if (assets.empty() && request.path == "/") return bare_page();
  std::string_view path = request.path;
  path.remove_prefix(std::min<std::size_t>(1, path.size()));
  const Asset* asset = find(assets, path);
  const bool is_place = path.find('.') == std::string_view::npos;
  if (asset == nullptr && is_place) asset = find(assets, "index.html");
  if (asset == nullptr) throw net::Problem(404, "there is no such page");

  net::Response response;
  response.type = asset->type;
  const std::string tag = '"' + std::string(asset->hash) + '"';
  response.headers.emplace_back("ETag", tag);
  response.headers.emplace_back("Vary", "Accept-Encoding");
  // Vite puts a hash of the content into the names below assets/.
  response.headers.emplace_back("Cache-Control", asset->path.starts_with("assets/")
                                                     ? "public, max-age=31536000, immutable"
                                                     : "no-cache");
  if (request.header("if-none-match") == tag) {
    response.status = 304;
  } else if (request.header("accept-encoding").find("gzip") != std::string::npos) {
    response.headers.emplace_back("Content-Encoding", "gzip");
    response.fixed = asset->bytes;
  } else {
    response.body = unpacked(asset->bytes);
  }
  return response;
}

}  // namespace pratique::server
