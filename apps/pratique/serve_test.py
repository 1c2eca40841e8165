#!/usr/bin/env python3
"""apps/pratique/serve_test.py PROGRAM: the workbench's API as clients, kind and hostile, meet it."""
import contextlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
import warnings

from database_test import make_database
from program_in_folder import PROGRAM

PATIENCE = 60


class Server:
    """One pratique serve on a free port of this machine."""

    def __init__(self, folder, *options, **environment):
        self.folder = pathlib.Path(folder)
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--port", "0", "--data", str(folder), "--json", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **environment})
        text = b""
        while not text.rstrip().endswith(b"}"):
            line = self.process.stdout.readline()
            if not line:
                raise AssertionError("the server did not start: " + self.process.stderr.read().decode())
            text += line
        said = json.loads(text)
        self.port = said["port"]
        self.url = said["url"]
        self.token = said["url"].partition("token=")[2]

    def close(self, how=signal.SIGINT):
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()

    def children(self):
        listed = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True)
        return [int(line) for line in listed.stdout.split()]

    def raw(self, method, path, body=None, headers=None):
        """Sends just these headers (and Host); gives status, headers and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, dict((k.lower(), v) for k, v in answer.getheaders()), answer.read()
        finally:
            connection.close()

    def ask(self, method, path, body=None, headers=None):
        """As a client with the token; JSON in and out."""
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        status, _, text = self.raw(method, "/api/v1/" + path, body,
                                   {"Authorization": "Bearer " + self.token, **(headers or {})})
        return status, json.loads(text) if text else None

    def start(self, path, inputs=(), **options):
        status, job = self.ask("POST", path, {"inputs": list(inputs),
                                              "options": {k.replace("_", "-"): v for k, v in options.items()}})
        if status != 202:
            raise AssertionError(f"{path}: {status} {job}")
        return job

    def wait(self, job, state=None):
        """Until the job has ended, or is in that state."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            _, now = self.ask("GET", "jobs/" + job["id"])
            if now["state"] == state or (state is None and now["state"] not in ("queued", "running")):
                return now
            time.sleep(0.02)
        raise AssertionError(f"the job is still {now['state']}")

    def run(self, path, inputs=(), **options):
        return self.wait(self.start(path, inputs, **options))

    def events(self, job):
        """Everything its stream says until it ends: pairs of event and data."""
        _, headers, text = self.raw("GET", f"/api/v1/jobs/{job['id']}/events", None,
                                    {"Authorization": "Bearer " + self.token})
        assert headers["content-type"] == "text/event-stream", headers
        events = []
        for block in text.decode().split("\n\n"):
            lines = [line.partition(": ") for line in block.splitlines() if not line.startswith(":")]
            event = [value for name, _, value in lines if name == "event"]
            data = "\n".join(value for name, _, value in lines if name == "data")
            if event:
                events.append((event[0], json.loads(data)))
        return events


def patients(rows):
    lines = ["id,age,sex,zip,diagnosis"]
    for i in range(rows):
        lines.append(f"{i},{20 + i % 40},{'FM'[i % 2]},{10000 + i % 7},{'flu asthma gout'.split()[i % 3]}")
    return "\n".join(lines) + "\n"


class WithServer(unittest.TestCase):
    options = ()

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.data = pathlib.Path(self.folder.name) / "data"
        self.data.mkdir()
        self.server = Server(self.data, *self.options)
        self.addCleanup(lambda: self.server.close())

    def check_problem(self, answer, status):
        """The answer is a problem+json of this status, as RFC 9457 has it."""
        actual, headers, text = answer
        self.assertEqual(actual, status, text[:300])
        self.assertEqual(headers["content-type"], "application/problem+json")
        problem = json.loads(text)
        self.assertEqual(problem["status"], status)
        self.assertTrue(problem["title"] and problem["detail"])

    def slow_job(self):
        """A job that takes far longer than any test."""
        return self.server.start("trails/simulate", subjects=5000, locations=40, runs=100000, seed=1)


class Flow(WithServer):
    def test_the_whole_flow(self):
        server = self.server
        text = patients(600)
        status, file = server.ask("PUT", "files/patients.csv", text)
        self.assertEqual((status, file["kind"], file["bytes"]), (201, "table", len(text)))
        self.assertEqual((self.data / "patients.csv").read_text(), text)

        profile = server.run("tables/profile", ["patients.csv"])
        self.assertEqual((profile["state"], profile["exit"]), ("done", 0))
        self.assertEqual([c["name"] for c in profile["result"]["columns"]], ["id", "age", "sex", "zip", "diagnosis"])
        self.assertEqual(profile["command"], "pratique tables profile patients.csv")

        assess = server.run("tables/assess", ["patients.csv"], qi=["age", "sex", "zip"])
        self.assertEqual(assess["result"]["rows"], 600)
        # 280 = lcm(40, 2, 7) combinations, met by rows i and i + 280 and i + 560.
        self.assertEqual(assess["result"]["classes"], 280)

        job = server.run("tables/protect", ["patients.csv"], id=["id"], qi=["age", "sex", "zip"], k=5,
                         sensitive=["diagnosis"], hierarchy=["age=interval:5,10,20", "zip=prefix"], suppression=0.1,
                         out="release.csv", seed=1)
        self.assertEqual(job["state"], "done", job["problem"])
        # What was asked for, as it was posted.
        self.assertEqual(job["request"]["inputs"], ["patients.csv"])
        self.assertEqual(job["request"]["options"],
                         {"id": ["id"], "qi": ["age", "sex", "zip"], "k": 5, "hierarchy": ["age=interval:5,10,20", "zip=prefix"],
                          "sensitive": ["diagnosis"], "suppression": 0.1, "out": "release.csv", "seed": 1})
        listed = next(other for other in server.ask("GET", "jobs")[1] if other["id"] == job["id"])
        self.assertEqual(listed["request"], job["request"])
        # The command as shown does the same, where the data is.
        again = subprocess.run([PROGRAM, *job["arguments"]], cwd=self.data, capture_output=True)
        self.assertEqual(again.returncode, 0, again.stderr)
        shown = subprocess.run(job["command"].replace("pratique", PROGRAM, 1), shell=True, cwd=self.data,
                               capture_output=True)
        self.assertEqual(shown.returncode, 0, shown.stderr)

        _, rows = server.ask("GET", "rows/release.csv?offset=2&limit=3")
        released = (self.data / "release.csv").read_text().splitlines()
        self.assertEqual(rows["columns"], released[0].split(","))
        self.assertEqual(rows["rows"], [line.split(",") for line in released[3:6]])
        self.assertEqual(rows["total"], len(released) - 1)

        _, spread = server.ask("GET", "distributions/patients.csv?columns=sex,age&top=8")
        self.assertEqual(spread["rows"], 600)
        self.assertEqual({b["label"]: b["count"] for b in spread["columns"][0]["bins"]}, {"F": 300, "M": 300})
        # Ages 20 to 59, 15 times each, in 8 bins of width 4.875: the bounds are worked out here.
        ages = [20 + i % 40 for i in range(600)]
        edges = [20 + 39 / 8 * i for i in range(9)]
        expected = [sum(edges[i] <= a < edges[i + 1] or (i == 7 and a == 59) for a in ages) for i in range(8)]
        self.assertEqual([b["count"] for b in spread["columns"][1]["bins"]], expected)

        verify = server.run("verify", ["release.csv"])
        self.assertEqual((verify["state"], verify["exit"]), ("done", 0))
        status, headers, body = server.raw("GET", "/api/v1/files/release.csv", None,
                                           {"Authorization": "Bearer " + server.token})
        self.assertEqual((status, body), (200, (self.data / "release.csv").read_bytes()))
        self.assertIn("attachment", headers["content-disposition"])
        _, files = server.ask("GET", "files")
        self.assertEqual({f["path"]: f["kind"] for f in files},
                         {"patients.csv": "table", "release.csv": "table", "release.csv.manifest.json": "manifest"})
        self.assertEqual(server.ask("DELETE", "files/release.csv")[0], 204)
        self.assertFalse((self.data / "release.csv").exists())
        self.assertEqual(server.ask("GET", "files/release.csv")[0], 404)
        _, jobs = server.ask("GET", "jobs")
        self.assertEqual([j["verb"] for j in jobs], ["verify", "protect", "assess", "profile"])
        self.assertEqual(server.ask("DELETE", "jobs/" + jobs[0]["id"])[0], 204)
        self.assertEqual(server.ask("GET", "jobs/" + jobs[0]["id"])[0], 404)

    def test_a_check_that_does_not_hold_and_an_error(self):
        (self.data / "patients.csv").write_text(patients(100))
        job = self.server.run("tables/protect", ["patients.csv"], qi=["id"], roles="suggested", k=1000, out="r.csv")
        self.assertEqual(job["state"], "failed")
        self.assertTrue(job["problem"]["detail"])
        job = self.server.run("tables/assess", ["patients.csv"], qi=["agee"])
        self.assertEqual((job["state"], job["exit"], job["problem"]["status"]), ("failed", 2, 422))
        self.assertEqual(job["problem"]["place"]["file"], "patients.csv")
        (self.data / "bad.csv").write_text("a,b\n1,2\n3\n")
        job = self.server.run("tables/profile", ["bad.csv"])
        self.assertEqual(job["problem"]["place"], {"file": "bad.csv", "line": 3})
        self.check_problem(self.server.raw("GET", "/api/v1/rows/bad.csv", None,
                                           {"Authorization": "Bearer " + self.server.token}), 422)

    def test_points_of_the_map_arrive_as_events_and_again_after_a_reload(self):
        (self.data / "patients.csv").write_text(patients(400))
        job = self.server.start("tables/explore", ["patients.csv"], id=["id"], qi=["age", "sex"], ks=["2", "5"],
                                methods=["optimal", "mondrian"], hierarchy=["age=interval:5,10,20"], out="map")
        first, again = self.server.events(job), self.server.events(job)
        points = [data for event, data in first if event == "point"]
        self.assertEqual([(p["method"], p["k"]) for p in points],
                         [("optimal", 2), ("optimal", 5), ("mondrian", 2), ("mondrian", 5)])
        self.assertEqual([d for e, d in again if e == "point"], points)
        self.assertEqual(first[-1][0], "end")
        self.assertEqual(first[-1][1]["state"], "done", first[-1][1]["problem"])
        for point, final in zip(points, first[-1][1]["result"]["points"]):
            self.assertEqual((point["risk_mean"], point["utility"]), (final["risk_mean"], final["utility"]))
        self.assertEqual(first[-1][1]["points"], points)

    def test_parquet_pages(self):
        (self.data / "patients.csv").write_text(patients(50))
        job = self.server.run("tables/protect", ["patients.csv"], qi=["sex"], id=["id", "zip"], insensitive=["age", "diagnosis"],
                              allow=["age"], k=5, out="r.parquet",
                              seed=1, method="optimal")
        self.assertEqual(job["state"], "done", job["problem"])
        _, rows = self.server.ask("GET", "rows/r.parquet?offset=48&limit=10")
        self.assertEqual((rows["total"], len(rows["rows"]), rows["offset"]), (50, 2, 48))

    def test_pages_of_a_table_in_a_database(self):
        make_database(self.server.folder / "hospital.duckdb",
                      ["CREATE TABLE patients AS SELECT i AS id, i % 7 AS ward FROM range(100) r(i)"])
        status, page = self.server.ask("GET", "rows/hospital.duckdb:patients?offset=10&limit=2")
        self.assertEqual((status, page["columns"], page["rows"], page["total"]),
                         (200, ["id", "ward"], [["10", "3"], ["11", "4"]], 100))
        for name in ("hospital.duckdb:none", "none.duckdb:patients"):
            self.assertIn(self.server.ask("GET", "rows/" + name)[0], (400, 404, 422), name)

    def test_hierarchy(self):
        (self.data / "patients.csv").write_text(patients(80))
        (self.data / "sexes.csv").write_text("F;*\nMM;*\n")
        job = self.server.run("tables/hierarchy", ["patients.csv"], column="sex", hierarchy=["sex=sexes.csv"])
        self.assertEqual((job["state"], job["exit"]), ("done", 1))
        [gap] = job["result"]["gaps"]["list"]
        self.assertEqual((gap["value"], gap["rows"]), ("M", 40))
        self.assertIn("MM", gap["nearest"])
        self.assertEqual(job["result"]["tree"]["rows"], 40)

    def test_two_clients_share_what_happens(self):
        (self.data / "patients.csv").write_text(patients(200))
        jobs = []
        def work():
            jobs.append(self.server.run("tables/assess", ["patients.csv"], qi=["age"]))
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([j["state"] for j in jobs], ["done"] * 4)
        self.assertEqual(len({j["id"] for j in jobs}), 4)
        self.assertEqual({j["id"] for j in self.server.ask("GET", "jobs")[1]}, {j["id"] for j in jobs})


class Jobs(WithServer):
    options = ("--max-jobs", "1")

    def test_cancel_running_and_queued(self):
        running, queued = self.slow_job(), self.slow_job()
        self.server.wait(running, "running")
        self.assertEqual(self.server.ask("GET", "jobs/" + queued["id"])[1]["state"], "queued")
        self.assertEqual(self.server.ask("DELETE", "jobs/" + queued["id"])[0], 204)
        self.assertEqual(self.server.wait(queued)["state"], "cancelled")
        self.assertEqual(self.server.ask("DELETE", "jobs/" + running["id"])[0], 204)
        self.assertEqual(self.server.wait(running)["state"], "cancelled")
        self.assertEqual(self.server.events(running)[-1][0], "end")

    def test_a_map_tells_how_much_of_it_is_done(self):
        rows = "".join(f"{i * 7919 % 997},{i * 31 % 89},{i * 17 % 61},{i * 13 % 7}\n" for i in range(60000))
        (self.data / "many.csv").write_text("a,b,c,s\n" + rows)
        trees = [f"{column}=interval:10,20,40,80,160,320,640" for column in "abc"]
        job = self.server.start("tables/explore", ["many.csv"], qi=["a", "b", "c"], sensitive=["s"], hierarchy=trees,
                                ks=[2, 3, 5, 10], methods=["local", "mondrian"], out="map")
        events = self.server.events(job)
        told = [data for event, data in events if event == "progress" and data["step"] == "trying settings"]
        self.assertGreater(len(told), 1)
        self.assertEqual({step["total"] for step in told}, {8 * 1000})
        done = [step["done"] for step in told]
        self.assertEqual(done, sorted(done))
        # Work within a point counts too.
        self.assertTrue(any(count % 1000 for count in done), done)
        points = [point for event, point in events if event == "point"]
        # Of a large table a first point is told at once, and told again when it is done.
        self.assertTrue(points[0]["provisional"])
        self.assertEqual(sum("provisional" not in point for point in points), 8)
        ended = self.server.wait(job)
        self.assertEqual(ended["state"], "done", ended)
        self.assertEqual((ended["progress"]["done"], ended["progress"]["seconds_left"]), (8000, 0))
        # Whatever the method, as long as it settles for the best so far.
        job = self.server.start("tables/explore", ["many.csv"], qi=["a", "b", "c"], sensitive=["s"], hierarchy=trees,
                                ks=[10], methods=["optimal"], out="map-2")
        points = [point for event, point in self.server.events(job) if event == "point"]
        self.assertEqual([(point["method"], "provisional" in point) for point in points],
                         [("optimal", True), ("optimal", False)])

    def test_killed_and_started_again(self):
        (self.data / "patients.csv").write_text(patients(100))
        done = self.server.run("tables/assess", ["patients.csv"], qi=["age"])
        running, queued = self.slow_job(), self.slow_job()
        self.server.wait(running, "running")
        [child] = self.server.children()
        token = self.server.token
        self.server.close(signal.SIGKILL)
        # The child is told to stop when its parent dies, and does.
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and pathlib.Path(f"/proc/{child}/cmdline").exists() and \
                pathlib.Path(f"/proc/{child}/cmdline").read_bytes():
            time.sleep(0.02)
        self.assertLess(time.monotonic(), until)
        self.server = Server(self.data, *self.options)
        self.assertEqual(self.server.token, token)
        _, jobs = self.server.ask("GET", "jobs")
        self.assertEqual({j["id"]: j["state"] for j in jobs},
                         {done["id"]: "done", running["id"]: "interrupted", queued["id"]: "interrupted"})
        self.assertEqual(self.server.ask("GET", "jobs/" + done["id"])[1]["result"], done["result"])
        for path in [self.data / ".pratique", *(self.data / ".pratique").rglob("*")]:
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)
        # One folder, one server.
        second = subprocess.run([PROGRAM, "serve", "--port", "0", "--data", str(self.data)], capture_output=True)
        self.assertEqual(second.returncode, 2)

    def growing_job(self):
        """A job whose unfinished output lies in the data folder, and the names there."""
        job = self.server.start("generate/census", rows=100000000, out="sub/census.csv", seed=1)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and not list((self.data / "sub").glob(".pratique-*/*.csv")):
            time.sleep(0.02)
        self.assertEqual(len(list((self.data / "sub").glob(".pratique-*/*.csv"))), 1)
        return job

    def test_what_was_half_written_is_removed(self):
        (self.data / "sub").mkdir()
        (self.data / "sub" / ".0123456789abcdef.csv.mine").write_text("x")  # somebody else's
        job = self.growing_job()
        [child] = self.server.children()
        os.kill(child, signal.SIGKILL)
        self.assertEqual(self.server.wait(job)["state"], "failed")
        self.assertEqual(os.listdir(self.data / "sub"), [".0123456789abcdef.csv.mine"])
        # Now both die, as when the machine runs out of memory; the next server cleans up.
        self.growing_job()
        [child] = self.server.children()
        self.server.process.send_signal(signal.SIGSTOP)
        os.kill(child, signal.SIGKILL)
        self.server.close(signal.SIGKILL)
        self.assertEqual(len(os.listdir(self.data / "sub")), 2)
        self.server = Server(self.data, *self.options)
        self.assertEqual(os.listdir(self.data / "sub"), [".0123456789abcdef.csv.mine"])

    def test_a_state_folder_that_goes_away_ends_jobs_and_not_the_server(self):
        running, queued = self.slow_job(), self.slow_job()
        self.server.wait(running, "running")
        shutil.rmtree(self.data / ".pratique" / "jobs")
        self.server.ask("DELETE", "jobs/" + running["id"])
        self.assertEqual(self.server.wait(queued)["state"], "failed")
        self.assertEqual(self.server.ask("GET", "status")[0], 200)

    def test_a_second_server_does_not_change_the_token(self):
        second = subprocess.run([PROGRAM, "serve", "--port", "0", "--data", str(self.data), "--new-token"],
                                capture_output=True)
        self.assertEqual(second.returncode, 2)
        self.assertEqual((self.data / ".pratique" / "token").read_text(), self.server.token)

    def test_memory_limit(self):
        self.server.close()
        self.server = Server(self.data, "--job-memory", "200MB")
        (self.data / "patients.csv").write_text(patients(100))
        job = self.server.run("tables/profile", ["patients.csv"])
        self.assertIn(job["state"], ("done", "failed"))
        job = self.server.run("trails/simulate", subjects=1000000, locations=1000, runs=1, seed=1)
        self.assertEqual(job["state"], "failed", job)
        self.assertEqual(self.server.ask("GET", "status")[0], 200)

    def test_ctrl_c_ends_it_and_its_jobs(self):
        job = self.slow_job()
        self.server.wait(job, "running")
        self.server.close(signal.SIGINT)
        self.assertEqual(self.server.process.returncode, 0)
        self.server = Server(self.data, *self.options)
        self.assertEqual(self.server.ask("GET", "jobs/" + job["id"])[1]["state"], "interrupted")


class Safety(WithServer):
    options = ("--max-upload", "100000")

    def bearer(self, **more):
        return {"Authorization": "Bearer " + self.server.token, **more}

    def test_login(self):
        raw = self.server.raw
        self.check_problem(raw("GET", "/api/v1/status"), 401)
        self.check_problem(raw("GET", "/api/v1/status", None, {"Authorization": "Bearer " + "0" * 64}), 401)
        self.check_problem(raw("GET", "/login?token=" + "0" * 64), 401)
        self.check_problem(raw("POST", "/api/v1/session", json.dumps({"token": "wrong"})), 401)
        for status, headers, _ in (raw("GET", "/login?token=" + self.server.token),
                                   raw("POST", "/api/v1/session", json.dumps({"token": self.server.token}))):
            self.assertIn(status, (303, 204))
            cookie = headers["set-cookie"]
            self.assertIn("HttpOnly", cookie)
            self.assertIn("SameSite=Strict", cookie)
            self.assertNotIn(self.server.token, cookie)
            status, _, _ = raw("GET", "/api/v1/status", None, {"Cookie": "a=b; " + cookie.partition(";")[0]})
            self.assertEqual(status, 200)
        status, headers, _ = raw("DELETE", "/api/v1/session", None, self.bearer())
        self.assertIn("Max-Age=0", headers["set-cookie"])
        # Whoever copied the cookie is out, too; another session is not.
        mine, other = ({"Cookie": raw("GET", "/login?token=" + self.server.token)[1]["set-cookie"].partition(";")[0],
                        "X-Pratique": "1"} for _ in range(2))
        self.assertEqual(raw("DELETE", "/api/v1/session", None, mine)[0], 204)
        self.check_problem(raw("GET", "/api/v1/status", None, mine), 401)
        self.assertEqual(raw("GET", "/api/v1/status", None, other)[0], 200)

    def test_other_sites_cannot_use_the_cookie(self):
        raw = self.server.raw
        cookie = raw("GET", "/login?token=" + self.server.token)[1]["set-cookie"].partition(";")[0]
        mine = {"Cookie": cookie, "X-Pratique": "1"}
        self.assertEqual(raw("PUT", "/api/v1/files/a.csv", "a\n1\n", mine)[0], 201)
        ours = f"http://127.0.0.1:{self.server.port}"
        self.assertEqual(raw("PUT", "/api/v1/files/b.csv", "a\n1\n", {**mine, "Origin": ours})[0], 201)
        for headers in ({"Cookie": cookie}, {**mine, "Origin": "http://evil.example"}, {**mine, "Origin": "null"},
                        {**mine, "Sec-Fetch-Site": "cross-site"}, {**mine, "Sec-Fetch-Site": "same-site"}):
            self.check_problem(raw("PUT", "/api/v1/files/c.csv", "a\n1\n", headers), 403)
            self.check_problem(raw("DELETE", "/api/v1/files/a.csv", None, headers), 403)
        self.check_problem(raw("GET", "/api/v1/files", None, {"Cookie": cookie, "Origin": "http://evil.example"}), 403)
        # Not even with the token itself.
        bearer = {"Authorization": "Bearer " + self.server.token}
        self.check_problem(raw("PUT", "/api/v1/files/c.csv", "a\n1\n", {**bearer, "Origin": "http://evil.example"}), 403)
        self.assertEqual(raw("GET", "/api/v1/files", None, {**bearer, "Origin": ours})[0], 200)
        self.assertFalse((self.data / "c.csv").exists())

    def test_a_ledger_and_its_key_are_out_of_reach(self):
        ask = self.server.ask
        self.assertEqual(self.server.run("ledger/init", ["x.ledger"])["state"], "done")
        (self.data / "renamed.csv").write_bytes((self.data / "x.ledger.key").read_bytes())
        (self.data / "a.csv").write_text("a\n1\n")
        before = {name: (self.data / name).read_bytes() for name in ("x.ledger", "x.ledger.key", "renamed.csv")}
        self.assertIn(b"PRIVATE KEY", before["renamed.csv"])
        self.assertEqual([file["path"] for file in ask("GET", "files")[1]], ["a.csv", "x.ledger"])
        for key in ("x.ledger.key", "renamed.csv"):
            for path in ("files/", "rows/", "distributions/"):
                self.assertEqual(ask("GET", path + key)[0], 404, path + key)
            self.assertEqual(ask("DELETE", "files/" + key)[0], 404)
            self.assertEqual(ask("PUT", f"files/{key}?replace=1", "a\n1\n")[0], 409)
            self.assertEqual(ask("POST", "tables/rows", {"inputs": [key]})[0], 422)
            for options in ({"config": key}, {"out": key}, {"hierarchy": {"a": key}}, {"hierarchy": "a=" + key}):
                status, _ = ask("POST", "tables/protect", {"inputs": ["a.csv"], "options": {"out": "o.csv", **options}})
                self.assertEqual(status, 422, options)
        self.assertEqual(ask("PUT", "files/mine.key", before["renamed.csv"])[0], 422)
        self.assertFalse((self.data / "mine.key").exists())
        self.assertEqual(ask("DELETE", "files/x.ledger")[0], 409)
        self.assertEqual(ask("PUT", "files/x.ledger?replace=1", "a\n1\n")[0], 409)
        self.assertEqual(ask("POST", "tables/protect", {"inputs": ["a.csv"], "options": {"out": "x.ledger"}})[0], 422)
        self.assertEqual({name: (self.data / name).read_bytes() for name in before}, before)
        # The program itself still uses it.
        self.assertEqual(self.server.run("ledger/verify", ["x.ledger"])["state"], "done")

    def test_what_is_no_parquet_file_is_not_taken(self):
        for name, content in (("bad.parquet", b"PAR1xxxx"), ("bad.csv", b"PAR1xxxx"), ("a.parquet", b"a,b\n1,2\n"),
                              ("cut.parquet", b"PAR1" + bytes(100))):
            status, problem = self.server.ask("PUT", "files/" + name, content)
            self.assertEqual(status, 422, name)
            self.assertIn("not a Parquet file", problem["detail"])
            self.assertFalse((self.data / name).exists())
            (self.data / name).write_bytes(content)
            job = self.server.run("tables/profile", [name])
            self.assertEqual(job["state"], "failed", name)
            self.assertIn("not a Parquet file", job["problem"]["detail"])
        self.assertEqual(self.server.ask("PUT", "files/fine.csv", "PAR1,b\n1,2\n")[0], 201)
        self.assertEqual(self.server.run("tables/profile", ["fine.csv"])["state"], "done")

    def test_only_its_own_names_are_answered(self):
        for host in ("evil.example", f"evil.example:{self.server.port}", "127.0.0.1", "", "127.0.0.1:1"):
            self.check_problem(self.server.raw("GET", "/", None, {"Host": host}), 421)
        for host in ("127.0.0.1", "localhost", "LOCALHOST", "[::1]"):
            self.assertEqual(self.server.raw("GET", "/", None, {"Host": f"{host}:{self.server.port}"})[0], 200)
        self.check_problem(self.send(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nHost: evil.example\r\n\r\n"
                                     % self.server.port), 421)

    def send(self, raw_bytes):
        """A request as bytes; its answer parsed."""
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=PATIENCE) as connection:
            connection.sendall(raw_bytes)
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            return answer.status, dict((k.lower(), v) for k, v in answer.getheaders()), answer.read()

    def test_paths_stay_inside(self):
        outside = self.data.parent / "secret.csv"
        outside.write_text("name\nAda\n")
        (self.data / "link.csv").symlink_to(outside)
        (self.data / "out").symlink_to(self.data.parent)
        (self.data / "new").symlink_to(self.data.parent / "not-there-yet.csv")
        (self.data / "inside.csv").write_text("a\n1\n")
        (self.data / "good.csv").symlink_to("inside.csv")
        (self.data / ".hidden.csv").write_text("a\n1\n")
        bad = ["../secret.csv", "..%2fsecret.csv", "%2e%2e/secret.csv", "a/../../secret.csv", "/etc/passwd",
               "%2fetc%2fpasswd", "link.csv", "out/secret.csv", ".pratique/token", ".hidden.csv", "a%00b.csv",
               "a%0ab.csv", "%ff%fe.csv", ".", "..", "out/../inside.csv", "a//b.csv", "./inside.csv"]
        for path in bad:
            for method, where in (("GET", "files"), ("GET", "rows"), ("GET", "distributions"), ("DELETE", "files"),
                                  ("PUT", "files")):
                status, _, text = self.server.raw(method, f"/api/v1/{where}/{path}?replace=1",
                                                  "x\n1\n" if method == "PUT" else None, self.bearer())
                self.assertIn(status, (400, 404, 405), (method, where, path, text))
                self.assertNotIn(b"Ada", text)
        self.assertEqual(self.server.raw("PUT", "/api/v1/files/new?replace=1", "x\n", self.bearer())[0], 400)
        self.assertEqual(outside.read_text(), "name\nAda\n")
        self.assertFalse((self.data.parent / "not-there-yet.csv").exists())
        self.assertEqual(self.server.ask("GET", "rows/good.csv")[1]["rows"], [["1"]])
        self.assertEqual([f["path"] for f in self.server.ask("GET", "files")[1]], ["good.csv", "inside.csv"])

        for inputs, options in ((["../secret.csv"], {}), (["link.csv"], {}), (["/etc/passwd"], {}),
                                (["--out=x"], {}), (["-"], {}), (["inside.csv"], {"config": "../c.yaml"}),
                                (["inside.csv"], {"config": "out/c.yaml"}),
                                (["inside.csv"], {"hierarchy": ["a=../secret.csv"]}),
                                (["inside.csv"], {"hierarchy": ["a=/etc/passwd"]}),
                                (["inside.csv"], {"hierarchy": ["a=link.csv"]}),
                                (["inside.csv"], {"population": ".pratique/token"})):
            status, problem = self.server.ask("POST", "tables/assess",
                                              {"inputs": inputs, "options": {"qi": ["a"], **options}})
            self.assertEqual(status, 400, (inputs, options, problem))
        # A file's own text may name another.
        (self.data / "tree.csv").write_text("1;*\n")
        (self.data / ".tree.csv").write_text("1;*\n")
        for place, state in (("tree.csv", "done"), (outside, "failed"), ("../secret.csv", "failed"),
                             ("link.csv", "failed"), ("/etc/passwd", "failed"), (".tree.csv", "failed"),
                             ("/proc/self/cwd/.tree.csv", "failed"), (".pratique/token", "failed")):
            (self.data / "c.yaml").write_text(f"quasi_identifiers: [a]\nhierarchies:\n  a: {place}\n")
            job = self.server.run("tables/hierarchy", ["inside.csv"], column="a", config="c.yaml")
            self.assertEqual(job["state"], state, (place, job))
            if state == "failed":
                self.assertIn("outside the data folder", job["problem"]["detail"])
        self.server.run("ledger/init", ["x.ledger"], key="k.key")
        status, problem = self.server.ask("POST", "ledger/verify",
                                          {"inputs": ["x.ledger"], "options": {"save-head": ".profile"}})
        self.assertEqual(status, 400, problem)
        self.assertFalse((self.data / ".profile").exists())

    def test_a_number_that_is_none_is_refused_at_once(self):
        (self.data / "a.csv").write_text("a\n1\n")
        for k in ("abc", "", "5x"):
            status, problem = self.server.ask("POST", "tables/protect", {"inputs": ["a.csv"], "options": {
                "qi": ["a"], "k": k, "out": "o.csv"}})
            self.assertEqual(status, 422, k)
            self.assertIn("'k' takes a number", problem["detail"])

    def test_requests_that_are_wrong(self):
        (self.data / "a.csv").write_text("a\n1\n")
        for body, status in ((b"{", 400), (b"[]", 400), (b"\xff\xfe", 400), (b"[" * 100000, 400),
                             (b'{"inputs": "a.csv"}', 400), (b'{"inputs": [1]}', 400), (b'{"options": []}', 400),
                             (b'{"inputs": []}', 422), (b'{"inputs": ["a.csv", "a.csv"]}', 422),
                             (b'{"inputs": ["a.csv"], "options": {"nonsense": 1}}', 422),
                             (b'{"inputs": ["a.csv"], "options": {"json": true}}', 422),
                             (b'{"inputs": ["a.csv"], "extra": 1}', 422),
                             (b'{"inputs": ["a.csv"], "options": {"top": "many"}}', 422),
                             (b'{"inputs": ["a.csv"], "options": {"top": [1, 2]}}', 422),
                             (b'{"inputs": ["a.csv"], "options": {"columns": ["a\\\\"]}}', 422),
                             (b'{"inputs": ["a.csv"], "options": {"columns": {"a": 1}}}', 422),
                             (b'{"inputs": ["a.csv"], "options": {"top": 1e999}}', 400)):
            self.check_problem(self.server.raw("POST", "/api/v1/tables/distributions", body, self.bearer()), status)
        for method, path, status in (("GET", "/api/v1/nothing", 404), ("POST", "/api/v1/serve", 404),
                                     ("POST", "/api/v1/help", 404), ("GET", "/api/v1/tables/assess", 405),
                                     ("PUT", "/api/v1/jobs", 405), ("PATCH", "/api/v1/files/a.csv", 405),
                                     ("OPTIONS", "/api/v1/files", 405), ("POST", "/", 405), ("GET", "/no.js", 404),
                                     ("GET", "/api/v1/jobs/../../token", 404), ("GET", "/api/v1/jobs/none", 404),
                                     ("GET", "/api/v1/jobs/none/events", 404), ("GET", "/api/v1/rows/a.csv?limit=x", 400),
                                     ("GET", "/api/v1/rows/a.csv?offset=-1", 400), ("GET", "/" + "a" * 9000, 414)):
            self.check_problem(self.server.raw(method, path, None, self.bearer()), status)
        self.check_problem(self.send(b"nonsense\r\n\r\n"), 400)
        self.check_problem(self.send(b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 20000 + b"\r\n"), 400)
        self.assertEqual(self.server.ask("GET", "status")[0], 200)

    def test_long_heads_do_not_exhaust_the_stack(self):
        ranges = b"bytes=" + b",".join(b"%d-%d" % (i, i + 1) for i in range(1000))
        host = b"Host: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n" % (self.server.port, self.server.token.encode())
        for head in (b"GET / HTTP/1.1\r\nRange: " + ranges[:8000] + b"\r\n",
                     b"POST /api/v1/" + b"a" * 8000 + b" HTTP/1.1\r\nContent-Length: 0\r\n",
                     b"GET /?" + b"a=b&" * 2000 + b" HTTP/1.1\r\n"):
            status, _, _ = self.send(head + host + b"\r\n")
            self.assertIn(status, (200, 400, 404, 414, 416))
        self.assertEqual(self.server.ask("GET", "status")[0], 200)

    def test_a_body_has_one_frame(self):
        """Whatever two programs could cut in two places is refused, and the connection closed."""
        def put(head, body):
            return b"PUT /api/v1/files/framed.csv HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n%s\r\n%s" % (
                self.server.port, self.server.token.encode(), head, body)
        chunked = b"Transfer-Encoding: chunked\r\n"
        for head, body, status in ((b"Content-Length: 3\r\n" + chunked, b"3\r\na\n1\r\n0\r\n\r\n", 400),
                                   (b"Content-Length: 3\r\nContent-Length: 5\r\n", b"a\n1", 400),
                                   (b"Content-Length: -1\r\n", b"a\n1", 400), (b"Content-Length: 0x3\r\n", b"a\n1", 400),
                                   (b"Content-Length : 3\r\n", b"a\n1", 400),
                                   (b"Transfer-Encoding: gzip, chunked\r\n", b"0\r\n\r\n", 501),
                                   (b"Content-Encoding: gzip\r\nContent-Length: 3\r\n", b"a\n1", 415),
                                   (chunked, b"3\r\na\n1XX0\r\n\r\n", 400), (chunked, b"-3\r\na\n1\r\n0\r\n\r\n", 400)):
            smuggled = b"DELETE /api/v1/files/framed.csv HTTP/1.1\r\n\r\n"
            with socket.create_connection(("127.0.0.1", self.server.port), timeout=PATIENCE) as connection:
                connection.sendall(put(head, body) + smuggled)
                said = b""
                with contextlib.suppress(ConnectionResetError):
                    while block := connection.recv(65536):
                        said += block
            self.assertTrue(said.startswith(b"HTTP/1.1 %d" % status), (head, said))
            self.assertEqual(said.count(b"HTTP/1.1 "), 1, (head, said))
            self.assertFalse((self.data / "framed.csv").exists())
        self.assertEqual(self.send(put(chunked, b"3;x=y\r\na\n1\r\n0\r\na: b\r\n\r\n"))[0], 201)
        form = b"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 3\r\n"
        self.assertEqual(self.send(put(form, b"b\n1").replace(b"framed.csv", b"form.csv"))[0], 201)
        self.assertEqual([(self.data / name).read_text() for name in ("framed.csv", "form.csv")], ["a\n1", "b\n1"])

    def test_a_head_has_plain_lines(self):
        """Folded, nameless and broken lines are refused, and the connection closed."""
        host = b"Host: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n" % (self.server.port, self.server.token.encode())
        for line, status in ((b"X: a\r\n", 200), (b"", 200), (b" folded\r\n", 400), (b"\tfolded\r\n", 400), (b": x\r\n", 400),
                             (b"nothing\r\n", 400), (b"X : a\r\n", 400), (b"X: a\nY: b\r\n", 400), (b"X: a\rY: b\r\n", 400),
                             (b"X: \x01\r\n", 400), (b"X: \x00\r\n", 400)):
            with self.subTest(line):
                self.assertEqual(self.send(b"GET /api/v1/status HTTP/1.1\r\n" + host + line + b"\r\n")[0], status)
        self.assertEqual(self.send(b"\r\nGET /api/v1/status HTTP/1.1\r\n" + host + b"\r\n")[0], 400)
        self.assertEqual(self.server.ask("GET", "status")[0], 200)

    def test_an_endless_chunk_size_is_not_kept(self):
        """Nobody needs a token to try to log in."""
        def peak():
            text = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text()
            return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmHWM"))
        before = peak()
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=PATIENCE) as connection:
            connection.sendall(b"POST /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nTransfer-Encoding: chunked\r\n\r\n1;"
                               % self.server.port)
            with contextlib.suppress(OSError):
                for _ in range(100):
                    connection.sendall(b"a" * 1000000)
        self.assertLess(peak() - before, 30000)

    def test_a_long_list_is_read_once(self):
        """A megabyte of commas is checked for paths, and is not a reason to think for minutes."""
        (self.data / "a.csv").write_text("a\n1\n")
        status, _ = self.server.ask("POST", "tables/assess", {"inputs": ["a.csv"], "options": {
            "qi": ["a"], "hierarchy": ["a=" + ",b" * 1800] * 200}})
        self.assertEqual(status, 202)

    def test_uploads_are_whole_or_not_at_all(self):
        raw = self.server.raw
        self.assertEqual(raw("PUT", "/api/v1/files/deep/er/a.csv", "a\n1\n", self.bearer())[0], 201)
        self.check_problem(raw("PUT", "/api/v1/files/deep/er/a.csv", "b\n", self.bearer()), 409)
        self.assertEqual((self.data / "deep/er/a.csv").read_text(), "a\n1\n")
        self.assertEqual(raw("PUT", "/api/v1/files/deep/er/a.csv?replace=1", "b\n", self.bearer())[0], 201)
        self.check_problem(raw("PUT", "/api/v1/files/deep", "b\n", self.bearer()), 409)
        self.check_problem(raw("PUT", "/api/v1/files/deep/er/a.csv/b", "b\n", self.bearer()), 409)
        self.check_problem(raw("PUT", "/api/v1/files/far/big.csv", "x" * 100001, self.bearer()), 413)
        self.check_problem(raw("PUT", "/api/v1/files/far/big.csv", iter([b"x" * 60000, b"y" * 60000]), self.bearer()), 413)
        self.assertEqual(raw("PUT", "/api/v1/files/chunks.csv", iter([b"a\n", b"1\n"]), self.bearer())[0], 201)
        self.assertEqual((self.data / "chunks.csv").read_text(), "a\n1\n")
        self.assertEqual((self.data / "chunks.csv").stat().st_mode & 0o777, 0o600)
        # A client that goes away in the middle.
        with socket.create_connection(("127.0.0.1", self.server.port)) as connection:
            connection.sendall(b"PUT /api/v1/files/half.csv HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n"
                               b"Content-Length: 50000\r\n\r\nabc" % (self.server.port, self.server.token.encode()))
        time.sleep(0.2)
        self.assertEqual(sorted(p.name for p in self.data.iterdir()), [".pratique", "chunks.csv", "deep"])

    def test_headers_and_the_sandbox(self):
        (self.data / "report.html").write_text("<script>alert(1)</script>")
        for path in ("/", "/api/v1/status", "/no.js", "/api/v1/files/report.html"):
            _, headers, _ = self.server.raw("GET", path, None, self.bearer())
            policy = headers["content-security-policy"]
            self.assertIn("script-src 'self'", policy)
            self.assertNotIn("unsafe-eval", policy)
            self.assertIn("frame-ancestors 'none'", policy)
            self.assertEqual(headers["x-content-type-options"], "nosniff")
            self.assertNotIn("access-control-allow-origin", headers)
        _, headers, body = self.server.raw("GET", "/api/v1/files/report.html?inline=1", None, self.bearer())
        self.assertEqual(headers["content-type"], "text/html; charset=utf-8")
        self.assertIn("sandbox; default-src 'none'", headers["content-security-policy"])
        self.assertEqual(headers["cache-control"], "no-store")
        status, headers, body = self.server.raw("HEAD", "/api/v1/files/report.html", None, self.bearer())
        self.assertEqual((status, headers["content-length"], body), (200, "25", b""))

    def test_beyond_this_machine_only_with_tls_and_token(self):
        for options, code in ((["--address", "0.0.0.0"], 2), (["--certificate", "x"], 2),
                              (["--address", "0.0.0.0", "--certificate", "x", "--key", "y", "--no-token"], 2),
                              (["--certificate", "x", "--key", "y"], 2), (["--address", "nowhere"], 2)):
            done = subprocess.run([PROGRAM, "serve", "--port", "0", "--data", str(self.data), *options],
                                  capture_output=True, timeout=PATIENCE)
            self.assertEqual(done.returncode, code, (options, done.stderr))


class Document(WithServer):
    """The OpenAPI document against what is served."""

    def setUp(self):
        super().setUp()
        self.document = self.server.ask("GET", "openapi.json")[1]

    def resolve(self, reference):
        node = self.document
        for part in reference.removeprefix("#/").split("/"):
            node = node[part]
        return node

    def fits(self, value, schema, where=""):
        """Whether a value is as the schema has it, for those words of JSON Schema that the document uses."""
        if "$ref" in schema:
            return self.fits(value, self.resolve(schema["$ref"]), where)
        self.assertLessEqual(set(schema), {"type", "properties", "required", "additionalProperties", "items", "enum",
                                           "anyOf", "oneOf", "minItems", "maxItems", "description"}, where)
        for word in ("anyOf", "oneOf"):
            if word in schema and not any(self.fits(value, choice, where) for choice in schema[word]):
                return False
        kinds = {"string": str, "object": dict, "array": list, "boolean": bool, "null": type(None), "integer": int,
                 "number": (int, float)}
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        if types and not any(isinstance(value, kinds[t]) and (t == "boolean" or not isinstance(value, bool)) for t in types):
            return False
        if "enum" in schema and value not in schema["enum"]:
            return False
        if isinstance(value, list):
            if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
                return False
            return all(self.fits(item, schema.get("items", {}), where) for item in value)
        if isinstance(value, dict):
            known = schema.get("properties", {})
            if any(name not in value for name in schema.get("required", ())):
                return False
            if schema.get("additionalProperties") is False and any(name not in known for name in value):
                return False
            return all(self.fits(member, known.get(name, {}), f"{where}.{name}") for name, member in value.items())
        return True

    def check(self, method, pattern, body=None, query="", **parts):
        """Asks, and holds the answer against the document."""
        operation = self.document["paths"][pattern][method.lower()]
        url = pattern
        for name, value in parts.items():
            url = url.replace("{" + name + "}", value)
        if isinstance(body, dict):
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            self.assertTrue(self.fits(body, schema), (pattern, body))
            body = json.dumps(body)
        status, headers, text = self.server.raw(method, url + query, body,
                                                {"Authorization": "Bearer " + self.server.token})
        if str(status) not in operation["responses"]:
            self.assertGreaterEqual(status, 400, (method, url))
        answer = operation["responses"].get(str(status), operation["responses"]["default"])
        if "content" not in answer:
            self.assertEqual(text, b"", (method, url, status))
            return status, None
        [(kind, content)] = answer["content"].items()
        self.assertEqual(headers["content-type"], kind, (method, url, status))
        if not kind.endswith("json"):
            return status, text
        parsed = json.loads(text)
        self.assertTrue(self.fits(parsed, content.get("schema", {})), (method, url, status, parsed))
        return status, parsed

    def test_every_answer_is_as_the_document_says(self):
        (self.data / "p.csv").write_text(patients(300))
        (self.data / "bad.csv").write_text("a,b\n1\n")
        api = "/api/v1/"
        self.assertEqual(self.document["openapi"], "3.1.0")
        for path in ("openapi.json", "status", "commands", "files"):
            self.assertEqual(self.check("GET", api + path)[0], 200)
        self.assertEqual(self.check("POST", api + "session", {"token": self.server.token})[0], 204)
        self.assertEqual(self.check("POST", api + "session", {"token": "no"})[0], 401)
        self.assertEqual(self.check("DELETE", api + "session")[0], 204)
        for method, body, name, query, status in (
                ("PUT", "a\n1\n", "new.csv", "", 201), ("PUT", "a\n1\n", "new.csv", "", 409),
                ("PUT", "a\n1\n", "new.csv", "?replace=1", 201), ("GET", None, "new.csv", "", 200),
                ("GET", None, "none.csv", "", 404), ("GET", None, ".hidden", "", 400), ("DELETE", None, "new.csv", "", 204),
                ("DELETE", None, "new.csv", "", 404)):
            self.assertEqual(self.check(method, api + "files/{path}", body, path=name, query=query)[0], status)
        for where in ("rows", "distributions"):
            for name, status in (("p.csv", 200), ("none.csv", 404), ("bad.csv", 422)):
                self.assertEqual(self.check("GET", api + where + "/{path}", path=name)[0], status)
        jobs = [self.check("POST", api + path, {"inputs": inputs, "options": options})
                for path, inputs, options in (
                    ("tables/profile", ["p.csv"], {}), ("tables/assess", ["p.csv"], {"qi": ["age", "sex"]}),
                    ("tables/protect", ["p.csv"], {"qi": ["age"], "roles": "suggested", "k": 5, "out": "r.csv", "seed": 1,
                                                   "method": "mondrian"}),
                    ("tables/explore", ["p.csv"], {"qi": "age", "ks": [2, 5], "methods": ["mondrian"], "out": "map"}),
                    ("tables/profile", ["none.csv"], {}))]
        self.assertEqual([status for status, _ in jobs], [202] * 5)
        for _, job in jobs:
            self.server.wait(job)
            self.assertEqual(self.check("GET", api + "jobs/{id}", id=job["id"])[0], 200)
            self.assertEqual(self.check("GET", api + "jobs/{id}/events", id=job["id"])[0], 200)
        self.assertEqual([j["state"] for j in self.check("GET", api + "jobs")[1]], ["failed"] + ["done"] * 4)
        self.assertEqual(self.check("DELETE", api + "jobs/{id}", id=jobs[0][1]["id"])[0], 204)
        self.assertEqual(self.check("DELETE", api + "jobs/{id}", id="none")[0], 404)
        self.assertEqual(self.check("GET", api + "jobs/{id}", id="none")[0], 404)

    def test_every_path_is_served_and_nothing_else(self):
        _, commands = self.server.ask("GET", "commands")
        verbs = {"/api/v1/" + "/".join(f"{c['noun']} {c['verb']}".split()) for c in commands}
        self.assertTrue({"/api/v1/tables/protect", "/api/v1/verify", "/api/v1/trails/attack"} <= verbs)
        self.assertLess(verbs, set(self.document["paths"]))
        missing = {"id": "none", "path": "none.csv"}
        for path, operations in self.document["paths"].items():
            url = path
            for name, value in missing.items():
                url = url.replace("{" + name + "}", value)
            for method in ("get", "put", "post", "delete", "patch", "options"):
                if (method, path) == ("delete", "/api/v1/session"):
                    continue
                status, _, _ = self.server.raw(method.upper(), url, "{" if method == "post" else None,
                                               {"Authorization": "Bearer " + self.server.token})
                if method not in operations:
                    self.assertEqual(status, 405, (method, path))
                    continue
                operation = operations[method]
                names = [p["name"] for p in operation.get("parameters", ()) if p["in"] == "path"]
                self.assertEqual(names, [n for n in missing if "{" + n + "}" in path])
                self.assertIn("default", operation["responses"])
                self.assertIn(status, {200, 201, 204, 400, 422} | ({404} if names else set()), (method, path))
        for path in ("", "login", "job", "files/", "tables", "tables/", "tables/protect/x", "serve", "help", "rows", "events"):
            self.check_problem(self.server.raw("GET", "/api/v1/" + path, None,
                                               {"Authorization": "Bearer " + self.server.token}), 404)


class WithoutToken(WithServer):
    options = ("--no-token",)

    def test_changes_still_need_the_header(self):
        self.assertEqual(self.server.raw("GET", "/api/v1/status")[0], 200)
        self.check_problem(self.server.raw("PUT", "/api/v1/files/a.csv", "a\n"), 403)
        self.assertEqual(self.server.raw("PUT", "/api/v1/files/a.csv", "a\n", {"X-Pratique": "1"})[0], 201)


class Open(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.data = pathlib.Path(self.folder.name) / "data"
        self.data.mkdir()

    def test_the_browser_is_led_to_the_address_and_others_see_no_token(self):
        programs = pathlib.Path(self.folder.name) / "bin"
        programs.mkdir()
        fake, said = programs / "xdg-open", pathlib.Path(self.folder.name) / "said"
        fake.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {said}.new && mv {said}.new {said}\n')
        fake.chmod(0o755)
        server = Server(self.data, "--open", PATH=f"{programs}:{os.environ['PATH']}")
        try:
            until = time.monotonic() + PATIENCE
            while not said.exists() and time.monotonic() < until:
                time.sleep(0.02)
            [place] = said.read_text().splitlines()
            self.assertNotIn(server.token, place)
            page = pathlib.Path(place)
            self.assertEqual(page.stat().st_mode & 0o777, 0o600)
            self.assertIn(f"http://127.0.0.1:{server.port}/login?token={server.token}", page.read_text())
        finally:
            server.close()

    def test_without_a_browser_it_says_so_and_serves_all_the_same(self):
        programs = pathlib.Path(self.folder.name) / "bin"
        programs.mkdir()
        for text in (None, "#!/bin/sh\nexit 3\n"):  # no xdg-open, or one that finds no browser
            if text:
                (programs / "xdg-open").write_text(text)
                (programs / "xdg-open").chmod(0o755)
            server = Server(self.data, "--open", PATH=str(programs))
            try:
                self.assertIn(b"no browser", server.process.stderr.readline())
                self.assertEqual(server.ask("GET", "status")[0], 200)
            finally:
                server.close()


class Load(WithServer):
    """However many clients keep the server waiting, one that does its part is answered. PATIENCE is all the time that
    is measured: it is far more than an answer takes and, where a slow client is given up sooner, far less than a
    server needs that lets slow ones go first."""

    def hold(self, stack, count, request=b"", **options):
        """So many connections that send this and then no more."""
        held = []
        for _ in range(count):
            client = stack.enter_context(socket.socket())
            client.settimeout(PATIENCE)
            if options.get("narrow"):
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", self.server.port))
            with contextlib.suppress(OSError):  # it may be closed by now, in favour of others
                client.sendall(request)
            held.append(client)
        return held

    def head(self, line):
        return b"%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n" % (
            line, self.server.port, self.server.token.encode())

    def check_answers(self, count):
        """So many clients ask at once, and each gets what it asked for."""
        (self.data / "a.csv").write_text(patients(3000))
        answers = {}
        def ask(i):
            try:
                status, rows = self.server.ask("GET", f"rows/a.csv?offset={i}&limit=10")
                answers[i] = (status, len(rows["rows"]), rows["rows"][0][0])
            except (OSError, http.client.HTTPException) as error:
                answers[i] = error
        askers = [threading.Thread(target=ask, args=(i,)) for i in range(count)]
        for thread in askers:
            thread.start()
        for thread in askers:
            thread.join()
        self.assertEqual(answers, {i: (200, 10, str(i)) for i in range(count)})
        self.assertLess(len(os.listdir(f"/proc/{self.server.process.pid}/task")), 600)

    def test_two_hundred_that_dribble_and_three_hundred_that_are_silent(self):
        with contextlib.ExitStack() as stack:
            slow = self.hold(stack, 200, b"GET / HTTP/1.1\r\nHost: ")
            self.hold(stack, 300)
            stop = threading.Event()
            def dribble():
                while not stop.wait(0.3):
                    for client in slow:
                        with contextlib.suppress(OSError):
                            client.send(b"x")
            dribbler = threading.Thread(target=dribble)
            dribbler.start()
            stack.callback(dribbler.join)
            stack.callback(stop.set)
            self.check_answers(200)
        self.assertEqual(self.server.ask("GET", "status")[0], 200)

    def test_bodies_that_do_not_come(self):
        with contextlib.ExitStack() as stack:
            self.hold(stack, 300, self.head(b"PUT /api/v1/files/b.csv") + b"Content-Length: 5000\r\n\r\na")
            self.hold(stack, 300, self.head(b"PUT /api/v1/files/b.csv") + b"Transfer-Encoding: chunked\r\n\r\n5")
            self.check_answers(20)

    def test_answers_that_are_not_taken(self):
        (self.data / "big.csv").write_bytes(b"a\n" + b"1234567\n" * 2000000)
        with contextlib.ExitStack() as stack:
            self.hold(stack, 300, self.head(b"GET /api/v1/files/big.csv") + b"\r\n", narrow=True)
            self.check_answers(20)

    def test_events_that_nobody_reads(self):
        job = self.slow_job()
        self.server.wait(job, "running")
        with contextlib.ExitStack() as stack:
            self.hold(stack, 600, self.head(b"GET /api/v1/jobs/%s/events" % job["id"].encode()) + b"\r\n", narrow=True)
            self.check_answers(20)


class Tls(unittest.TestCase):
    def test_the_address_that_is_told_answers(self):
        for address, host in (("127.0.0.2", "127.0.0.2"), ("::1", "[::1]")):
            with tempfile.TemporaryDirectory() as data:
                server = Server(data, "--address", address, "--host-name", "elsewhere.example")
                try:
                    self.assertTrue(server.url.startswith(f"http://{host}:{server.port}/login"), host)
                    connection = http.client.HTTPConnection(address, server.port, timeout=PATIENCE)
                    connection.request("GET", "/login?token=" + server.token)
                    self.assertEqual(connection.getresponse().status, 303)
                    connection.close()
                finally:
                    server.close()

    def test_a_server_with_a_certificate(self):
        import ssl
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = os.path.join(folder, "key.pem"), os.path.join(folder, "certificate.pem")
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                            "-keyout", key, "-out", certificate, "-days", "1", "-subj", "/CN=localhost",
                            "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
            data = pathlib.Path(folder) / "data"
            data.mkdir()
            server = Server(data, "--address", "0.0.0.0", "--certificate", certificate, "--key", key)
            try:
                trust = ssl.create_default_context(cafile=certificate)
                connection = http.client.HTTPSConnection("localhost", server.port, context=trust, timeout=PATIENCE)
                connection.request("GET", "/login?token=" + server.token)
                answer = connection.getresponse()
                answer.read()
                self.assertEqual(answer.status, 303)
                self.assertIn("; Secure", answer.getheader("Set-Cookie"))
                big = b"a\n" + b"1234567\n" * 500000
                connection.request("PUT", "/api/v1/files/a.csv", big, {"Authorization": "Bearer " + server.token})
                answer = connection.getresponse()
                self.assertEqual((answer.status, json.loads(answer.read())["bytes"]), (201, len(big)))
                connection.request("GET", "/api/v1/files/a.csv", None, {"Authorization": "Bearer " + server.token})
                self.assertEqual(connection.getresponse().read(), big)
                connection.close()
                # Those who never finish a handshake keep nobody out.
                with contextlib.ExitStack() as stack:
                    for _ in range(300):
                        stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE))
                    connection.request("GET", "/api/v1/status", None, {"Authorization": "Bearer " + server.token})
                    self.assertEqual(connection.getresponse().status, 200)
                    connection.close()
                for version in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1):
                    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
                    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore", DeprecationWarning)
                        old.minimum_version = old.maximum_version = version
                    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as plain:
                        self.assertRaises((ssl.SSLError, ConnectionError), old.wrap_socket, plain)
                # Somebody who speaks no TLS gets nothing, and nobody is hurt.
                with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as plain:
                    plain.sendall(b"GET / HTTP/1.1\r\n\r\n")
                    with contextlib.suppress(ConnectionResetError):
                        self.assertNotIn(b"HTTP", plain.recv(100))
            finally:
                server.close()


if __name__ == "__main__":
    unittest.main()
