// Lets every bound number of a post tell where it comes from. The page reads the same without it.
// The data is hostile: it is shown through textContent only.
(function () {
  "use strict";

  const RECORDS_SHOWN = 40;
  const PEEK_AFTER_MS = 250;
  const LEAVE_AFTER_MS = 250;
  const root = document.documentElement;

  function make(tag, className, text) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = String(text);
    return element;
  }

  function entries(value) {
    return new Map(value && typeof value === "object" ? Object.entries(value) : []);
  }

  function readBindings() {
    try {
      const data = JSON.parse(document.getElementById("bp-numbers").textContent);
      return { numbers: entries(data.numbers), claims: entries(data.claims) };
    } catch (error) {
      return { numbers: new Map(), claims: new Map() };
    }
  }

  // ---- Theme ----

  function isDark() {
    if (root.dataset.theme) return root.dataset.theme === "dark";
    return matchMedia("(prefers-color-scheme: dark)").matches;
  }

  function addThemeButton(place) {
    const button = make("button", "bp-theme");
    button.type = "button";
    const tell = () => {
      const label = isDark() ? "Use the light theme" : "Use the dark theme";
      button.setAttribute("aria-label", label);
      button.title = label;
    };
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      try { localStorage.setItem("bp-theme", root.dataset.theme); } catch (error) { /* forbidden */ }
      tell();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
    tell();
    place.append(button);
  }

  // ---- Contents ----

  function foldContents(details) {
    const wide = matchMedia("(min-width: 68rem)");
    const fold = () => { details.open = wide.matches; };
    wide.addEventListener("change", fold);
    fold();
    details.addEventListener("click", (event) => {
      if (!wide.matches && event.target.closest("a")) details.open = false;
    });
  }

  function decode(text) {
    try { return decodeURIComponent(text); } catch (error) { return text; }
  }

  function followReading(nav) {
    const links = new Map();
    for (const link of nav.querySelectorAll("a[href^='#']")) {
      const heading = document.getElementById(decode(link.getAttribute("href").slice(1)));
      if (heading) links.set(heading, link);
    }
    let current = null;
    const update = () => {
      let next = null;
      for (const [heading, link] of links) {
        if (heading.getBoundingClientRect().top < innerHeight * 0.3) next = link;
      }
      if (next === current) return;
      if (current) current.removeAttribute("aria-current");
      if (next) next.setAttribute("aria-current", "true");
      current = next;
    };
    addEventListener("scroll", () => requestAnimationFrame(update), { passive: true });
    update();
  }

  // ---- What the popover says ----

  function copyText(text) {
    if (navigator.clipboard && isSecureContext) return navigator.clipboard.writeText(text);
    const area = make("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    return copied ? Promise.resolve() : Promise.reject(new Error("copy refused"));
  }

  function copyButton(text) {
    const button = make("button", "", "Copy");
    button.type = "button";
    button.setAttribute("aria-label", "Copy the query");
    const say = (word) => {
      button.textContent = word;
      button.setAttribute("aria-label", word);
      setTimeout(() => {
        button.textContent = "Copy";
        button.setAttribute("aria-label", "Copy the query");
      }, 2000);
    };
    button.addEventListener("click", () => {
      copyText(text).then(() => say("Copied"), () => say("Select and copy by hand"));
    });
    return button;
  }

  function recordItem(record) {
    const item = make("li");
    if (record.name) item.append(make("div", "bp-popover-record", String(record.name)));
    item.append(make("code", "", `${record.file || ""}#${record.pointer || ""}`));
    if (record.sha256) {
      const digest = make("small", "", `sha256 ${String(record.sha256).slice(0, 12)}…`);
      digest.title = String(record.sha256);
      item.append(digest);
    }
    return item;
  }

  function recordList(records, total) {
    const list = make("ul");
    list.append(...records.slice(0, RECORDS_SHOWN).map(recordItem));
    const rest = total - Math.min(records.length, RECORDS_SHOWN);
    if (rest > 0) list.append(make("li", "", `and ${rest} more in numbers.json`));
    return list;
  }

  function codeSection(name, text) {
    const row = make("div", "bp-popover-row");
    row.append(make("p", "bp-popover-name", name), copyButton(text));
    const pre = make("pre");
    pre.tabIndex = 0;
    pre.setAttribute("aria-label", name);
    pre.append(make("code", "", text));
    return [row, pre];
  }

  function describeNumber(number) {
    const parts = [];
    if (number.derivation) parts.push(make("p", "bp-popover-lead", number.derivation));
    if (number.value !== null && number.value !== undefined) {
      const value = Array.isArray(number.value) ? number.value.join(" to ") : String(number.value);
      const text = [value, number.unit].filter(Boolean).join(" ");
      parts.push(make("p", "bp-popover-name", "Full value"), make("p", "bp-popover-value", text));
    }
    const records = Array.isArray(number.records) ? number.records.filter(Boolean) : [];
    if (records.length) {
      const total = Number(number.total) || records.length;
      const name = total === 1 ? "From 1 record" : `From ${total} records`;
      parts.push(make("p", "bp-popover-name", name), recordList(records, total));
    }
    if (number.query) parts.push(...codeSection("DuckDB query", String(number.query)));
    return parts;
  }

  function describeClaim(claim) {
    const verdict = claim.holds ? "Checked against the telemetry: holds." : "Does not hold.";
    const parts = [make("p", "bp-popover-lead", verdict)];
    if (claim.expression) {
      const pre = make("pre");
      pre.append(make("code", "", claim.expression));
      parts.push(make("p", "bp-popover-name", "Decided by"), pre);
    }
    return parts;
  }

  // ---- The one popover ----

  function makePopover() {
    const box = make("div", "bp-popover");
    box.id = "bp-popover";
    box.hidden = true;
    box.tabIndex = -1;
    box.setAttribute("role", "dialog");
    box.setAttribute("aria-labelledby", "bp-popover-title");
    const head = make("div", "bp-popover-head");
    const title = make("p", "bp-popover-title");
    title.id = "bp-popover-title";
    const close = make("button", "bp-popover-close", "×");
    close.type = "button";
    close.setAttribute("aria-label", "Close");
    const body = make("div");
    head.append(title, close);
    box.append(head, body);
    document.body.append(box);
    return { box, title, close, body };
  }

  const GAP = 8;
  const sheet = matchMedia("(max-width: 640px)");

  function place(box, opener) {
    box.style.cssText = "";
    if (sheet.matches) return;
    const anchor = opener.getClientRects()[0] || opener.getBoundingClientRect();
    const below = innerHeight - anchor.bottom - 2 * GAP;
    const above = anchor.top - 2 * GAP;
    const width = root.clientWidth;
    const isBelow = box.offsetHeight <= below || below >= above;
    const height = Math.min(box.offsetHeight, Math.max(isBelow ? below : above, 160));
    const top = isBelow ? anchor.bottom + GAP : anchor.top - GAP - height;
    const left = anchor.left + anchor.width / 2 - box.offsetWidth / 2;
    box.style.maxHeight = `${height}px`;
    box.style.top = `${Math.max(GAP, Math.min(top, innerHeight - height - GAP))}px`;
    box.style.left = `${Math.max(GAP, Math.min(left, width - box.offsetWidth - GAP))}px`;
  }

  // A bottom sheet must not cover the number that it explains.
  function uncover(box, opener) {
    const hidden = opener.getBoundingClientRect().bottom + 2 * GAP - box.getBoundingClientRect().top;
    if (sheet.matches && hidden > 0) scrollBy({ top: hidden });
  }

  function startPopover(describe) {
    const { box, title, close, body } = makePopover();
    let opener = null;
    let pinned = false;
    let timer = 0;

    function hide(returnFocus) {
      clearTimeout(timer);
      if (!opener) return;
      const last = opener;
      opener = null;
      pinned = false;
      last.setAttribute("aria-expanded", "false");
      box.hidden = true;
      if (returnFocus) last.focus();
    }

    function show(element, pin) {
      clearTimeout(timer);
      if (opener !== element) {
        const told = describe(element);
        if (!told) return;
        hide(false);
        opener = element;
        title.textContent = told.title;
        body.replaceChildren(...told.parts);
        box.classList.toggle("bp-popover-claim", told.isClaim);
        box.hidden = false;
        box.scrollTop = 0;
        element.setAttribute("aria-expanded", "true");
        place(box, element);
      }
      if (!pin) return;
      pinned = true;
      box.focus({ preventScroll: true });
      uncover(box, element);
    }

    const later = (action, delay) => { clearTimeout(timer); timer = setTimeout(action, delay); };

    function onPointerOver(event) {
      if (event.pointerType !== "mouse" || pinned) return;
      const target = event.target.closest("[aria-controls='bp-popover'], .bp-in-link");
      if (target) later(() => show(target, false), PEEK_AFTER_MS);
      else if (box.contains(event.target)) clearTimeout(timer);
      else if (opener) later(() => hide(false), LEAVE_AFTER_MS);
      else clearTimeout(timer);
    }

    function onClick(event) {
      const target = event.target.closest("[aria-controls='bp-popover']");
      if (target && target === opener && pinned) hide(true);
      else if (target) show(target, true);
      else if (box.contains(event.target)) pinned = true;
      else hide(false);
    }

    function keepFocus(event) {
      const stops = [...box.querySelectorAll("button, pre[tabindex]")];
      const atEnd = document.activeElement === stops[stops.length - 1];
      const atStart = document.activeElement === box || document.activeElement === stops[0];
      if (event.shiftKey ? !atStart : !atEnd) return;
      event.preventDefault();
      hide(true);
    }

    function onKeyDown(event) {
      if (event.key === "Escape" && opener) hide(pinned || box.contains(document.activeElement));
      if (event.key === "Tab" && opener && box.contains(document.activeElement)) keepFocus(event);
      const isButton = event.target.matches(".bp[role='button']");
      if (isButton && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
        show(event.target, true);
      }
    }

    document.addEventListener("pointerover", onPointerOver);
    document.addEventListener("click", onClick);
    document.addEventListener("keydown", onKeyDown);
    close.addEventListener("click", (event) => { event.stopPropagation(); hide(true); });
    const follow = () => { if (opener) requestAnimationFrame(() => { if (opener) place(box, opener); }); };
    addEventListener("resize", follow);
    addEventListener("scroll", (event) => { if (!box.contains(event.target)) follow(); }, { capture: true, passive: true });
  }

  // ---- Numbers become buttons ----

  function control(element) {
    element.setAttribute("aria-haspopup", "dialog");
    element.setAttribute("aria-expanded", "false");
    element.setAttribute("aria-controls", "bp-popover");
  }

  function moreButton(text, label) {
    const button = make("button", "bp-more", text);
    button.type = "button";
    button.setAttribute("aria-label", label);
    control(button);
    return button;
  }

  // A link keeps its click: its number gets a small button of its own behind the link.
  function enhanceInLink(number, link) {
    const button = moreButton("i", `Where ${number.textContent} comes from`);
    button.dataset.bp = number.dataset.bp;
    number.classList.add("bp-in-link");
    link.after(button);
  }

  function enhanceNumber(number) {
    const link = number.closest("a");
    if (link) { enhanceInLink(number, link); return; }
    number.setAttribute("role", "button");
    number.tabIndex = 0;
    control(number);
  }

  function enhanceClaim(element) {
    const button = moreButton("✓", "How this claim was checked");
    button.dataset.claim = element.dataset.claim;
    element.classList.add("bp-on");
    (element.matches("div") && element.lastElementChild || element).append(button);
  }

  // ---- One tab stop a table ----

  function gridOf(table) {
    return [...table.rows]
      .map((row) => [...row.cells].flatMap((cell) =>
        [...cell.querySelectorAll(".bp[role='button']")].map((number) => ({ number, column: cell.cellIndex }))))
      .filter((row) => row.length);
  }

  function nextInGrid(grid, number, key, toEnd) {
    const rowIndex = grid.findIndex((row) => row.some((spot) => spot.number === number));
    const row = grid[rowIndex];
    const index = row.findIndex((spot) => spot.number === number);
    const nearest = (other) => other && other.reduce((best, spot) =>
      Math.abs(spot.column - row[index].column) < Math.abs(best.column - row[index].column) ? spot : best);
    const targets = {
      ArrowLeft: () => row[index - 1],
      ArrowRight: () => row[index + 1],
      ArrowUp: () => nearest(grid[rowIndex - 1]),
      ArrowDown: () => nearest(grid[rowIndex + 1]),
      Home: () => (toEnd ? grid[0][0] : row[0]),
      End: () => (toEnd ? grid.at(-1).at(-1) : row.at(-1)),
    };
    return targets[key] && targets[key]();
  }

  function roveTable(table) {
    const grid = gridOf(table);
    const numbers = grid.flat().map((spot) => spot.number);
    if (!numbers.length) return;
    const enter = (number) => numbers.forEach((other) => { other.tabIndex = other === number ? 0 : -1; });
    enter(numbers[0]);
    table.addEventListener("focusin", (event) => { if (numbers.includes(event.target)) enter(event.target); });
    table.addEventListener("keydown", (event) => {
      if (!numbers.includes(event.target) || event.altKey || event.metaKey) return;
      const spot = nextInGrid(grid, event.target, event.key, event.ctrlKey);
      if (!spot) return;
      event.preventDefault();
      spot.number.focus();
    });
  }

  function markWide(box) {
    const update = () => {
      const isWide = box.scrollWidth > box.clientWidth + 1;
      box.classList.toggle("bp-wide", isWide);
      const caption = box.closest("figure") && box.closest("figure").querySelector("figcaption");
      if (!isWide) { box.removeAttribute("tabindex"); box.removeAttribute("role"); return; }
      box.tabIndex = 0;
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", caption ? caption.textContent : "Table");
    };
    new ResizeObserver(update).observe(box);
  }

  function start() {
    const { numbers, claims } = readBindings();
    const describe = (element) => {
      const { bp, claim } = element.dataset;
      const known = bp ? numbers.get(bp) : claims.get(claim);
      if (!known || typeof known !== "object") return null;
      return bp
        ? { title: known.text || element.textContent, parts: describeNumber(known), isClaim: false }
        : { title: known.text || "Claim", parts: describeClaim(known), isClaim: true };
    };
    const inContents = (element) => element.closest("nav") !== null;
    const bound = [...document.querySelectorAll(".bp[data-bp]")];
    bound.filter((e) => !inContents(e) && numbers.has(e.dataset.bp)).forEach(enhanceNumber);
    const argued = [...document.querySelectorAll(".bp-claim[data-claim]")];
    argued.filter((e) => !inContents(e) && claims.has(e.dataset.claim)).forEach(enhanceClaim);
    document.querySelectorAll("table").forEach(roveTable);
    document.querySelectorAll(".bp-scroll").forEach(markWide);
    document.querySelectorAll("[data-bp-tools]").forEach(addThemeButton);
    document.querySelectorAll(".bp-toc details").forEach(foldContents);
    document.querySelectorAll(".bp-toc").forEach(followReading);
    startPopover(describe);
  }

  start();
})();
