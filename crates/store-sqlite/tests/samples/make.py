#!/usr/bin/env python3
"""Makes a sample store with the binary of a release: make.py BINARY FOLDER.

Pages, feeds and receivers are here, on loopback; what they show changes while the server looks.
The folder gets tidings.toml, token and tidings.db.zst, as that release leaves them when killed.
"""
import http.server, json, os, shutil, signal, sqlite3, subprocess, sys, tempfile, threading, time
import urllib.request

binary, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
home = tempfile.mkdtemp(prefix="tidings-sample-")
pages, asked = {}, {}


def links(count):
    items = "".join(f'<li><a href="/story/{n}">Story {n} of the day</a></li>' for n in range(count))
    return f"<html><title>News</title><body><h1>News</h1><p>Pause and effect, take {count}.</p><ul>{items}</ul></body></html>"


def feed(count):
    items = "".join(
        f"<item><guid>g{n}</guid><title>Entry {n}</title><link>http://127.0.0.4/{n}</link></item>" for n in range(count)
    )
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>Feed</title>{items}</channel></rss>'


class Web(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=b"", kind="text/html; charset=utf-8", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        asked[self.path] = asked.get(self.path, 0) + 1
        if self.path == "/held":
            return self.answer(503, retry_after="7200")
        if self.path == "/broken":
            return self.answer(500)
        if self.path not in pages:
            return self.answer(404)
        kind = "application/rss+xml" if self.path == "/feed" else "text/html; charset=utf-8"
        body = pages[self.path].encode()
        tag = '"%x"' % (hash(body) & 0xFFFFFFFF)
        if self.headers.get("if-none-match") == tag:
            return self.answer(304, etag=tag)
        self.answer(200, body, kind, etag=tag)

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        status = {"/fine": 204, "/gone": 410, "/busy": 503}[self.path]
        self.answer(status)

    def log_message(self, *_):
        pass


web = http.server.ThreadingHTTPServer(("0.0.0.0", 0), Web)
threading.Thread(target=web.serve_forever, daemon=True).start()
port = web.server_port
at = lambda n, path: f'"http://127.0.0.{n}:{port}{path}"'
secret = "whsec_" + "c2FtcGxlIHNlY3JldCBvZiB0aGUgZmlyc3QgcmVsZWFzZQ=="
config = f"""
data_dir = "data"
listen = "127.0.0.1:0"
timezone = "Europe/Lisbon"
chronon_seconds = 0.1
budget = "50 per second"
host_interval_seconds = 0.1
interval_initial_seconds = 0.5
interval_min_seconds = 0.5
interval_max_seconds = 2
default_channel = "interactive"
retention_days = 30
fetch.allow_addresses = ["127.0.0.0/8"]

[deliver]
retry_first_seconds = 3

""" + "".join(
    f'[channels.{name}]\nkind = "webhook"\nurl = "http://127.0.0.1:{port}/{name}"\nsecret = "{secret}"\n\n'
    for name in ("fine", "busy", "gone")
)
open(f"{home}/tidings.toml", "w").write(config)
sentinels = f"""
create sentinel news using {at(1, "/news")} monitor links added notify by fine notify by busy
create sentinel wording using {at(1, "/news")} monitor all words except story fetch every 2 seconds within 1 second
  notify by fine every 1 hour notify by busy every 1 day
create sentinel daily using {at(2, "/other")} monitor phrase "take", "Story 3" from 2026-11-01 09:00 fetch every 1 day notify by fine every 1 week
create sentinel month using {at(2, "/other")} monitor any change to now + 30 days notify by interactive
create sentinel shifting using {at(3, "/news")} monitor images or links fetch every 2 seconds compare moving 3 notify by busy best effort
create sentinel every_third using {at(3, "/news")} monitor keywords story, effect compare every 3 changehistory 5 notify by gone
create sentinel feed using {at(4, "/feed")} monitor any change weight 2.5
create sentinel later using {at(5, "/news")} monitor links from 2031-01-01 fetch on change
create sentinel brief using {at(5, "/news")} monitor links to now + 5 seconds notify by fine every 1 hour
create sentinel asleep using {at(6, "/news")} monitor links notify by fine
create sentinel doomed using {at(6, "/news")} monitor links notify by busy
create sentinel held using {at(7, "/held")} monitor any change
create sentinel broken using {at(8, "/broken")} monitor any change notify by fine
create sentinel absent using {at(9, "/absent")} monitor images
"""
open(f"{home}/sentinels.tidings", "w").write(sentinels)
replaced = f'create sentinel month using {at(2, "/other")} monitor links or images to now + 30 days notify by interactive\n'
open(f"{home}/again.tidings", "w").write(replaced)


def show(count):
    pages.update({"/news": links(count), "/other": links(count + 1), "/feed": feed(count)})


def run(*arguments):
    ran = subprocess.run([binary, *arguments], cwd=home, capture_output=True, text=True)
    assert ran.returncode == 0, (arguments, ran.stdout, ran.stderr)
    return ran.stdout


def serve():
    server = subprocess.Popen([binary, "serve"], cwd=home, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert "dashboard" in server.stdout.readline()
    return server


show(3)
server = serve()
run("apply", "sentinels.tidings")
for count in range(4, 9):
    time.sleep(4)
    show(count)
    if count == 6:
        run("disable", "asleep")
        run("apply", "again.tidings")
    if count == 7:
        run("remove", "doomed")
time.sleep(3)
server.send_signal(signal.SIGTERM)
server.wait()
# Seven hours of failures, as if they had passed.
with sqlite3.connect(f"{home}/data/tidings.db") as store:
    hours = int(time.time() * 1000) - 7 * 3_600_000
    changed = store.execute("UPDATE sources SET failing_since = ?, failures = failures + 5 WHERE url LIKE '%/broken'", (hours,))
    assert changed.rowcount == 1
server = serve()
show(10)
time.sleep(12)
server.kill()
server.wait()
os.makedirs(folder, exist_ok=True)
with sqlite3.connect(f"{home}/data/tidings.db") as store:
    store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for table in [row[0] for row in store.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]:
        print(table, store.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    for row in store.execute("SELECT kind, state, count(*), max(attempts) FROM outbox GROUP BY 1, 2"):
        print("outbox", *row)
    for row in store.execute("SELECT name, state FROM sentinels JOIN sentinel_lives USING (id)"):
        print("sentinel", *row)
shutil.copy(f"{home}/data/token", folder)
shutil.copy(f"{home}/tidings.toml", folder)
subprocess.run(["zstd", "-q", "-19", "-f", f"{home}/data/tidings.db", "-o", f"{folder}/tidings.db.zst"], check=True)
shutil.rmtree(home)
