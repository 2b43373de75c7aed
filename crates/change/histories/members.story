kind json
media application/json
{"generated": "{time}", "packages": [{list}]}
-- looks --
first time="2026-03-02T09:00:00Z" list="{'id': 'a', 'version': '1.0', 'size': 10}, {'id': 'b', 'version': '2.0', 'size': 20}"
noise time="2026-03-02T09:10:00Z"
noise time="2026-03-02T09:20:00Z" list="{'id': 'b', 'version': '2.0', 'size': 20}, {'id': 'a', 'version': '1.0', 'size': 10}"
noise time="2026-03-02T09:30:00Z" list="{'id': 'b', 'size': 20, 'version': '2.0'}, {'id': 'a', 'version': '1.0', 'size': 10}"
noise time="2026-03-02T09:40:00Z"
noise time="2026-03-02T09:50:00Z"
wanted time="2026-03-02T10:00:00Z" list="{'id': 'b', 'version': '2.1', 'size': 20}, {'id': 'a', 'version': '1.0', 'size': 10}"
noise time="2026-03-02T10:10:00Z"
wanted time="2026-03-02T10:20:00Z" list="{'id': 'c', 'version': '0.1', 'size': 5}, {'id': 'b', 'version': '2.1', 'size': 20}, {'id': 'a', 'version': '1.0', 'size': 10}"
noise time="2026-03-02T10:30:00Z"
