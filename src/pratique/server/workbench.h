// The workbench's API: every request comes here, and an answer comes back, whatever happens.
//
// The API is the command line: a POST to /api/v1/NOUN/VERB runs that command as a child process
// (jobs.h). Beside that there are only files, rows, jobs and the login.
#pragma once

#include <functional>
#include <memory>
#include <semaphore>
#include <span>
#include <string>
#include <vector>

#include "pratique/net/http.h"
#include "pratique/server/answer_cache.h"
#include "pratique/server/assets.h"
#include "pratique/server/catalogue.h"
#include "pratique/server/confined_path.h"
#include "pratique/server/files.h"
#include "pratique/server/gate.h"
#include "pratique/server/jobs.h"
#include "pratique/server/openapi.h"
#include "pratique/server/row_pages.h"

namespace pratique::server {

struct WorkbenchOptions {
  std::string program;     // what jobs run
  std::string data;        // the folder
  std::string token;       // empty: nobody needs to log in
  std::string ended = {};  // a file for sessions that ended; empty: none is kept
  std::vector<std::string> hosts;
  bool secure = false;  // TLS
  bool loopback = true;
  std::uint64_t upload_bytes = 0;
  JobLimits jobs;
  std::span<const Asset> assets;
};

class Workbench {
 public:
  Workbench(const WorkbenchOptions& options, Catalogue catalogue);

  // Never throws.
  [[nodiscard]] net::Response handle(const net::Request& request);
  // Ends jobs and streams.
  void stop() { jobs_.stop(); }
  [[nodiscard]] const std::vector<RouteDescription>& routes() const { return descriptions_; }

 private:
  // What stands in the place of {id} or {path}.
  using Handler =
      std::function<net::Response(const net::Request& request, const std::string& part)>;
  void add(RouteDescription description, Handler handler);
  void add_routes();
  void add_job_routes();
  void add_file_routes();
  [[nodiscard]] net::Response answer(const net::Request& request);
  [[nodiscard]] net::Response route(const net::Request& request);
  [[nodiscard]] net::Response start_job(const Command& command, const net::Request& request);
  [[nodiscard]] net::Response log_in(const net::Request& request);
  [[nodiscard]] net::Response events(const std::string& id);
  [[nodiscard]] net::Response distributions(const net::Request& request, const std::string& path);
  // What held when a job was asked for must still hold when it begins.
  void check_job(const Job& job) const;
  // What a child says at once; at most two are asked at a time.
  [[nodiscard]] std::string ask(const std::vector<std::string>& arguments);
  [[nodiscard]] Json status() const;

  WorkbenchOptions options_;
  Catalogue catalogue_;
  DataFolder folder_;
  Gate gate_;
  Jobs jobs_;
  Files files_;
  std::counting_semaphore<> askers_{2};
  RowPages rows_;
  AnswerCache distributions_{std::size_t{16} << 20U};
  std::vector<RouteDescription> descriptions_;
  std::vector<Handler> handlers_;
};

}  // namespace pratique::server
