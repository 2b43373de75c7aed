// Keeps pages fresh: listens to /api/v1/events, asks for the rows that changed, puts them in place.
// Rows come rendered and escaped from the server; text of ours goes in by textContent only.
"use strict";
(() => {
  const $ = (selector, root = document) => root.querySelector(selector);
  const home = $("#home");
  const BASE = document.body.dataset.base;
  const FLUSH_MS = 1000, BATCH_MAX = 50;

  // ---- times -----------------------------------------------------------------------------
  const UNITS = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
  function tick() {
    for (const time of document.querySelectorAll("time[data-relative]")) {
      const at = Date.parse(time.dateTime), ahead = (at - Date.now()) / 1000;
      if (Number.isNaN(at)) continue;
      const size = Math.abs(ahead), [unit, name] = UNITS.find(([unit]) => size >= unit) || [0, ""];
      const text = !unit || (ahead < 0 && "due" in time.dataset) ? "now"
        : ahead > 0 ? `in ${Math.floor(size / unit)} ${name}` : `${Math.floor(size / unit)} ${name} ago`;
      if (time.textContent !== text) time.textContent = text;
      if (!time.dataset.local) { time.title = local.format(at); time.dataset.local = "1"; }
    }
  }

  // Dates that stand as dates, in the reader's zone and not the server's.
  function dates() {
    for (const time of document.querySelectorAll("time[data-local]:not([data-relative])")) {
      time.textContent = local.format(Date.parse(time.dateTime));
    }
    for (const option of document.querySelectorAll("option[data-at]")) {
      const [, ...rest] = option.textContent.split(", ");
      option.textContent = [local.format(Date.parse(option.dataset.at)), ...rest].join(" · ");
      delete option.dataset.at;
    }
    for (const zone of document.querySelectorAll(".zone")) zone.hidden = true;
  }

  // ---- rows of the first page ------------------------------------------------------------
  const dirty = { sources: new Set(), sentinels: new Set(), notifications: new Set() };
  const one = { sources: "source", sentinels: "sentinel", notifications: "notification" };
  let flushing = null;

  function mark(list, id) {
    if (!home) return;
    const known = document.getElementById(`${one[list]}-${id}`);
    const rows = document.getElementById(list);
    // Later pages of a list change in place, and get nothing new.
    const room = list === "notifications" || ("liveLists" in home.dataset
      && rows.children.length < Number(home.dataset.rowsMax));
    if (!known && !room) return;
    dirty[list].add(id);
    flushing ||= setTimeout(flush, FLUSH_MS);
  }

  // Nobody is to lose what he is writing.
  let written = false;
  document.addEventListener("input", ({ target }) => {
    if (target.form?.method === "post" && target.id !== "quick") written = true;
  });
  const stays = () => written || Boolean($("#text")?.value);

  // A session that has ended: the log-in page comes next, unless that would lose a text.
  function away(answer) {
    if (answer.status !== 401) return false;
    if (!stays()) location.reload();
    return true;
  }

  async function flush() {
    flushing = null;
    if (document.hidden) return;
    const query = new URLSearchParams();
    const taken = {};
    for (const [list, ids] of Object.entries(dirty)) {
      taken[list] = [...ids].slice(0, BATCH_MAX);
      taken[list].forEach((id) => ids.delete(id));
      if (taken[list].length) query.set(list, taken[list].join(","));
    }
    if (![...query].length) return;
    try {
      const answer = await fetch(`${BASE}/fragments/rows?${query}`);
      if (answer.ok) {
        const piece = new DOMParser().parseFromString(await answer.text(), "text/html");
        for (const row of piece.querySelectorAll("li[data-list]")) place(row);
        const there = (list, id) => piece.getElementById(`${one[list]}-${id}`);
        for (const id of taken.sentinels || []) {
          if (!there("sentinels", id)) document.getElementById(`sentinel-${id}`)?.remove();
        }
        tick();
      }
    } catch { /* The stream's own state says that the server is away. */ }
    if (Object.values(dirty).some((ids) => ids.size)) flushing ||= setTimeout(flush, FLUSH_MS);
  }

  function place(row) {
    const known = document.getElementById(row.id);
    const list = document.getElementById(row.dataset.list);
    if (!list) return;
    row = document.importNode(row, true);
    if (known) {
      const focused = known.contains(document.activeElement) && document.activeElement.href;
      known.replaceWith(row);
      if (focused) [...row.querySelectorAll("a")].find((a) => a.href === focused)?.focus();
      return;
    }
    row.classList.add("fresh");
    if (row.dataset.list === "notifications") {
      list.prepend(row);
      const title = $("h3 a", row).textContent, summary = $(".summary", row).textContent;
      $("#announce").textContent = `New: ${title}: ${summary}`;
      while (list.children.length > Number(home.dataset.notificationsMax)) list.lastChild.remove();
      for (const node of [...list.childNodes]) if (node.nodeType === Node.TEXT_NODE) node.remove();
    } else {
      list.append(row);
      const total = document.getElementById(`${row.dataset.list}-total`);
      const count = Number(total?.textContent.replaceAll(",", "")) + 1;
      if (total) total.textContent = count.toLocaleString("en");
    }
  }

  async function budget() {
    if (!home || document.hidden) return;
    try {
      const answer = await fetch(`${BASE}/fragments/budget`);
      if (away(answer) || !answer.ok) return;
      const piece = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = piece.getElementById("budget");
      if (fresh) $("#budget")?.replaceWith(document.importNode(fresh, true));
    } catch { /* The next one comes soon. */ }
  }

  // ---- pages of one thing ----------------------------------------------------------------
  let refreshing = null;
  // Somebody is in it, or has written or chosen something there.
  const first = ({ options }) => Math.max([...options].findIndex((one) => one.defaultSelected), 0);
  const changed = (field) => field.options ? field.selectedIndex !== first(field)
    : field.value !== field.defaultValue || field.checked !== field.defaultChecked;
  const inUse = (part) => part.contains(document.activeElement)
    || [...part.querySelectorAll("input:not([type=hidden]), textarea, select")].some(changed);
  function refreshSoon() { refreshing ||= setTimeout(refresh, FLUSH_MS); }
  async function refresh() {
    refreshing = null;
    try {
      const answer = await fetch(location.href);
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const old of document.querySelectorAll("[data-refresh]")) {
        const fresh = page.getElementById(old.id);
        // What is not there any more goes.
        if (!fresh && !inUse(old)) old.remove();
        if (!fresh || fresh.innerHTML === old.innerHTML || inUse(old)) continue;
        const shown = document.importNode(fresh, true);
        // What a person has opened stays open.
        const opened = [...old.querySelectorAll("details")].map((one) => one.open);
        shown.querySelectorAll("details").forEach((one, at) => { one.open ||= opened[at] ?? false; });
        old.replaceWith(shown);
      }
      dates();
      tick();
    } catch { /* The stream's own state says that the server is away. */ }
  }
  function concerns(kind, id) { return $(`[data-live-${kind}="${id}"]`); }

  // ---- the stream ------------------------------------------------------------------------
  // One for all pages of a browser where it has shared workers, else one for each. A hidden page
  // has none, and hears what it missed when it is shown again.
  function shared(told) {
    const { port } = new SharedWorker(document.body.dataset.events, "tidings events");
    port.onmessage = (event) => told(event.data);
    setInterval(() => { if (!document.hidden) port.postMessage({ kind: "here" }); }, 5000);
    return {
      attach: (address, after) => port.postMessage({ kind: "attach", address, after }),
      leave: () => port.postMessage({ kind: "leave" }),
    };
  }
  function own(told) {
    let events = null;
    const attach = (address, after) => {
      events?.close();
      const mine = events = new EventSource(`${address}?after=${after}`);
      mine.onopen = () => told({ kind: "open" });
      mine.onerror = () => told({ kind: "error", ended: mine.readyState === EventSource.CLOSED });
      for (const name of ["probe", "version", "sentinel", "detection", "notification", "gap"]) {
        mine.addEventListener(name, ({ data, lastEventId }) => told({ kind: "event", name, data, id: Number(lastEventId) }));
      }
    };
    return { attach, leave: () => { events?.close(); events = null; } };
  }

  function listen() {
    const state = $("#live");
    if (!state) return;
    const say = (on, text) => {
      state.classList.toggle("on", on);
      const words = $(".live-text", state);
      if (words.textContent !== text) words.textContent = text;
    };
    const acts = {}, on = (name, act) => { acts[name] = act; };
    const told = (message) => {
      if (message.kind === "open") say(true, "live");
      else if (message.kind === "error") lost(message.ended);
      else {
        document.body.dataset.after = message.id;
        acts[message.name]?.(JSON.parse(message.data));
      }
    };
    let stream;
    try { stream = shared(told); } catch { stream = own(told); }
    const attach = () => {
      if (!document.hidden) stream.attach(`${BASE}/api/v1/events`, Number(document.body.dataset.after));
    };
    // A refusal ends a stream for good; a page that was away tries again.
    const lost = (ended) => {
      say(false, "reconnecting");
      if (!ended) return;
      fetch(`${BASE}/fragments/rows`).then((answer) => {
        if (answer.status === 401) say(false, "logged out");
        return away(answer);
      }, () => false).then((gone) => { if (!gone) setTimeout(attach, 5000); });
    };
    const shown = () => { if (document.hidden) stream.leave(); else attach(); };
    document.addEventListener("visibilitychange", shown);
    addEventListener("pagehide", () => stream.leave());
    addEventListener("pageshow", (event) => { if (event.persisted) shown(); });
    const source = (data) => {
      mark("sources", data.source_id);
      // A sentinel's next look is its source's next probe.
      for (const row of document.querySelectorAll(`#sentinels [data-source="${data.source_id}"]`)) {
        mark("sentinels", Number(row.dataset.id));
      }
      if (concerns("source", data.source_id)) refreshSoon();
    };
    on("probe", source);
    on("version", source);
    on("sentinel", (data) => {
      mark("sentinels", data.sentinel_id);
      if (concerns("sentinel", data.sentinel_id)) refreshSoon();
    });
    on("detection", (data) => {
      mark("sentinels", data.sentinel_id);
      if (concerns("sentinel", data.sentinel_id)) refreshSoon();
    });
    on("notification", (data) => {
      // It is told when it is queued; written and sent a little later.
      for (const ms of [0, 2000, 10000]) setTimeout(mark, ms, "notifications", data.notification_id);
      if (concerns("notification", data.notification_id)) refreshSoon();
    });
    on("gap", () => {
      if (stays()) say(true, "live; reload to see what was missed");
      else if (home || $("[data-refresh]")) location.reload();
    });
    attach();
  }

  // ---- writing a sentinel ----------------------------------------------------------------
  const API = `${BASE}/api/v1`;
  const text = { "Content-Type": "text/plain; charset=utf-8" };
  const form = $("#write-form");
  function tell(verdict, kind, words) {
    const p = document.createElement("p");
    p.className = kind;
    p.textContent = words;
    verdict.replaceChildren(p);
  }
  function list(verdict, diagnostics) {
    const ul = document.createElement("ul");
    for (const d of diagnostics) {
      const li = document.createElement("li");
      li.className = d.severity;
      li.textContent = `${d.severity === "error" ? "Error" : "Warning"}, line ${d.line}, column ${d.column}: ${d.message}`;
      if (d.help) {
        const help = document.createElement("span");
        help.className = "help";
        help.textContent = d.help;
        li.append(help);
      }
      ul.append(li);
    }
    verdict.append(ul);
  }
  if (form) {
    const area = $("#text"), verdict = $("#verdict"), add = $("#add");
    add.disabled = true;
    $("#example").hidden = false;
    let wait = null, asked = 0;
    async function check() {
      const mine = ++asked;
      if (!area.value.trim()) { verdict.replaceChildren(); add.disabled = true; return; }
      try {
        const answer = await fetch(`${API}/check?mode=create`, { method: "POST", headers: text, body: area.value });
        const result = await answer.json();
        if (mine !== asked) return;
        if (!answer.ok) { tell(verdict, "error", result.detail || "The text could not be checked."); return; }
        const more = result.sentinels_left_out ? ` and ${result.sentinels_left_out} more` : "";
        const names = result.sentinels.map((s) => s.name).join(", ") + more;
        const good = result.ok && result.sentinels.length > 0;
        verdict.replaceChildren();
        if (good) tell(verdict, "good", `Ready to add: ${names}`);
        list(verdict, result.diagnostics);
        add.disabled = !good;
      } catch { tell(verdict, "error", "The server does not answer."); }
    }
    area.addEventListener("input", () => { add.disabled = true; clearTimeout(wait); wait = setTimeout(check, 350); });
    $("#example").addEventListener("click", () => { area.value = area.placeholder; check(); area.focus(); });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      add.disabled = true;
      try {
        const headers = { ...text, "Idempotency-Key": key() };
        const answer = await fetch(`${API}/sentinels`, { method: "POST", headers, body: area.value });
        const result = await answer.json();
        if (!answer.ok) {
          tell(verdict, "error", result.detail);
          list(verdict, result.diagnostics || []);
          return;
        }
        const names = result.sentinels.map((s) => s.name).join(", ");
        tell(verdict, "good", `Added: ${names}. The first look comes next.`);
        area.value = "";
        written = false;
        for (const s of result.sentinels) mark("sentinels", s.id);
      } catch { tell(verdict, "error", "The server does not answer; try again."); add.disabled = false; }
    });
    if (area.value) check();
  }

  // What is wrong, as one writes; and the words that fit.
  const ask = async (path, body) => {
    const answer = await fetch(`${API}${path}`, { method: "POST", headers: text, body });
    return answer.ok ? answer.json() : null;
  };
  function watched(area) {
    const verdict = $(`#verdict-${area.id}`), names = document.createElement("ul");
    names.className = "suggestions";
    names.id = `${area.id}-words`;
    names.hidden = true;
    names.setAttribute("role", "listbox");
    names.setAttribute("aria-label", "Words that fit");
    area.after(names);
    area.setAttribute("aria-autocomplete", "list");
    area.setAttribute("aria-controls", names.id);
    let wait = null, asked = 0, chosen = -1, begun = "";
    const close = () => { names.hidden = true; chosen = -1; area.removeAttribute("aria-activedescendant"); };
    const choose = (at) => {
      chosen = (at + names.children.length) % names.children.length;
      [...names.children].forEach((one, nth) => one.setAttribute("aria-selected", String(nth === chosen)));
      area.setAttribute("aria-activedescendant", names.children[chosen].id);
    };
    const take = (word) => {
      const end = area.selectionStart, open = /["(]$/.test(word);
      area.setRangeText(open ? word : `${word} `, end - begun.length, end, "end");
      if (word.endsWith('""')) area.selectionStart = area.selectionEnd = area.selectionEnd - 1;
      close();
      area.focus();
      area.dispatchEvent(new Event("input"));
    };
    const suggest = async (mine) => {
      const before = area.value.slice(0, area.selectionStart);
      const found = await ask("/complete", before).catch(() => null);
      if (mine !== asked || !found) return;
      begun = /[\w-]*$/.exec(before)[0];
      const fits = ({ text }) => text.toLowerCase().startsWith(begun.toLowerCase()) && text !== begun;
      names.replaceChildren(...found.items.filter(fits).slice(0, 8).map((one, nth) => {
        const li = document.createElement("li"), meaning = document.createElement("span");
        li.id = `${names.id}-${nth}`;
        li.setAttribute("role", "option");
        li.setAttribute("aria-selected", "false");
        li.textContent = `${one.text} `;
        meaning.className = "meta";
        meaning.textContent = one.meaning;
        li.append(meaning);
        li.addEventListener("mousedown", (event) => { event.preventDefault(); take(one.text); });
        li.dataset.word = one.text;
        return li;
      }));
      close();
      names.hidden = !names.children.length || document.activeElement !== area;
    };
    const check = async (mine) => {
      const result = await ask("/check", area.value).catch(() => null);
      if (mine !== asked || !result || !verdict) return;
      verdict.replaceChildren();
      list(verdict, result.diagnostics);
      // What was said of another text holds no more.
      $("#means")?.remove();
    };
    const soon = () => {
      clearTimeout(wait);
      const mine = ++asked;
      wait = setTimeout(() => { suggest(mine); check(mine); }, 200);
    };
    area.addEventListener("input", soon);
    area.addEventListener("blur", close);
    area.addEventListener("keydown", (event) => {
      if (event.key === " " && event.ctrlKey) { event.preventDefault(); suggest(++asked); return; }
      if (names.hidden) return;
      if (event.key === "ArrowDown") choose(chosen + 1);
      else if (event.key === "ArrowUp") choose(chosen < 0 ? -1 : chosen - 1);
      else if (event.key === "Escape") close();
      else if ((event.key === "Enter" || event.key === "Tab") && chosen >= 0) take(names.children[chosen].dataset.word);
      else return;
      event.preventDefault();
    });
  }
  document.querySelectorAll("textarea[data-language]").forEach(watched);

  function key() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
  }

  // ---- buttons that ask before -------------------------------------------------------------
  document.addEventListener("submit", (event) => {
    const question = event.submitter?.dataset.ask;
    if (question && !confirm(question)) event.preventDefault();
  });

  // ---- copying ---------------------------------------------------------------------------
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const field = document.getElementById(button.dataset.copy);
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
        button.firstChild.textContent = "Copied";
      } catch { /* It is selected: the keyboard copies it. */ }
    });
  }

  // ---- keys --------------------------------------------------------------------------------
  // Single letters, where nobody writes; they can be turned off on the page of help that lists them.
  const OFF = "tidings-keys-off";
  const stored = () => { try { return localStorage.getItem(OFF); } catch { return null; } };
  const PLACES = { h: "/", i: "/inbox", w: "/watches", c: "/channels", p: "/plan", s: "/settings" };
  let going = 0;
  document.addEventListener("keydown", (event) => {
    const busy = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (stored() || busy || event.ctrlKey || event.altKey || event.metaKey) return;
    const rows = [...document.querySelectorAll("main .card, main .row")];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const focus = (row) => row && ($("h2 a, h3 a, a, button", row) || row).focus();
    if (Date.now() - going < 1500 && PLACES[event.key]) location.assign(BASE + PLACES[event.key]);
    else if (event.key === "g") { going = Date.now(); return; }
    else if (event.key === "j") focus(rows[Math.min(at + 1, rows.length - 1)]);
    else if (event.key === "k") focus(rows[Math.max(at - 1, 0)]);
    else if (event.key === "r" && at >= 0) $("button[name=read]", rows[at])?.click();
    else if (event.key === "x" && at >= 0) $("input[type=checkbox]", rows[at])?.click();
    else if (event.key === "/") ($("main [role=search] input") || $("#quick"))?.focus();
    else if (event.key === "?") location.assign(`${BASE}/help/starting#keys`);
    else return;
    going = 0;
    event.preventDefault();
  });
  const keysHead = $(".book #keys");
  if (keysHead) {
    const button = document.createElement("button");
    const say = () => { button.textContent = stored() ? "Turn these keys on" : "Turn these keys off"; };
    button.type = "button";
    button.className = "quiet";
    button.addEventListener("click", () => {
      try { if (stored()) localStorage.removeItem(OFF); else localStorage.setItem(OFF, "1"); } catch { /* It stays as it is. */ }
      say();
    });
    say();
    keysHead.after(button);
  }

  // Where a button was pressed, the keyboard goes on. A browser that goes to a place on a page takes
  // the focus away first.
  addEventListener("load", () => setTimeout(() => {
    const card = document.getElementById(location.hash.slice(1));
    if (card?.matches(".card")) $("h2 a", card)?.focus({ preventScroll: true });
  }));

  dates();
  tick();
  setInterval(tick, 5000);
  setInterval(budget, 5000);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) { flush(); budget(); tick(); } });
  listen();
})();
