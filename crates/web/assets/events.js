// One event stream for all pages of a browser, which opens only six connections to a server. A
// shared worker: pages attach while they are shown, and leave when they are hidden.
"use strict";
const NAMES = ["probe", "version", "sentinel", "detection", "notification", "gap"];
// A page that crashed says nothing any more.
const SILENT_MS = 60000;
// By port: the last event that the page has, and when it was heard of.
const pages = new Map();
let events = null, newest = 0, address = "";

function open(after) {
  events?.close();
  newest = after;
  events = new EventSource(`${address}?after=${after}`);
  const mine = events;
  mine.onopen = () => tell({ kind: "open" });
  mine.onerror = () => {
    const ended = mine.readyState === EventSource.CLOSED;
    if (ended && mine === events) events = null;
    tell({ kind: "error", ended });
  };
  for (const name of NAMES) mine.addEventListener(name, (event) => { if (mine === events) pass(name, event); });
}

function pass(name, event) {
  const id = Number(event.lastEventId), data = event.data;
  // A server that starts anew may count from below: then everybody has missed something.
  const anew = name === "gap" && id < newest;
  newest = id;
  for (const [port, page] of pages) {
    if (id <= page.last && !anew) continue;
    page.last = id;
    port.postMessage({ kind: "event", name, id, data });
  }
}

function tell(message) {
  for (const port of pages.keys()) port.postMessage(message);
}

function leave(port) {
  if (pages.delete(port) && !pages.size) {
    events?.close();
    events = null;
  }
}

function attach(port, message) {
  address = message.address;
  pages.set(port, { last: message.after, heard: Date.now() });
  // What the page has missed comes again, for it alone: the others have it.
  if (!events || message.after < newest) open(message.after);
  else if (events.readyState === EventSource.OPEN) port.postMessage({ kind: "open" });
}

function sweep() {
  const since = Date.now() - SILENT_MS;
  for (const [port, page] of pages) if (page.heard < since) leave(port);
}

onconnect = (connection) => {
  const port = connection.ports[0];
  port.onmessage = ({ data: message }) => {
    if (message.kind === "attach") attach(port, message);
    else if (message.kind === "leave") leave(port);
    else if (pages.has(port)) pages.get(port).heard = Date.now();
    sweep();
  };
};
