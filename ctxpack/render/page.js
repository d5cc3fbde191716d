"use strict";
(() => {
  const root = document.documentElement;
  const themes = ["", "light", "dark"];
  const remember = (name, value) => {
    try {
      if (value === undefined) return localStorage.getItem(name) || "";
      localStorage.setItem(name, value);
    } catch { /* a page opened from a file may have no storage */ }
    return "";
  };
  const setTheme = (theme) => {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
  };
  root.classList.add("js");
  setTheme(remember("ctxpack-theme"));

  document.addEventListener("DOMContentLoaded", () => {
    const one = (selector) => document.querySelector(selector);
    const all = (selector, within = document) => [...within.querySelectorAll(selector)];
    const pieces = all(".piece");
    const box = one("#filter");
    const texts = new Map(pieces.map((piece) => [piece, piece.textContent.toLowerCase()]));
    const hiddenKinds = new Set();
    const isShown = (piece) => !piece.hidden;
    const shownPieces = () => pieces.filter(isShown);

    const matches = (piece, words) =>
      !hiddenKinds.has(piece.dataset.kind) && words.every((word) => texts.get(piece).includes(word));

    const highlight = (words) => {
      if (!window.Highlight || !CSS.highlights) return;
      const ranges = [];
      const longest = words.filter((word) => word.length > 1);
      for (const piece of longest.length ? shownPieces() : []) {
        const walker = document.createTreeWalker(piece, NodeFilter.SHOW_TEXT);
        while (walker.nextNode() && ranges.length < 5000) {
          const text = walker.currentNode.data.toLowerCase();
          if (text.length !== walker.currentNode.data.length) continue;
          for (const word of longest) {
            for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
              const range = new Range();
              range.setStart(walker.currentNode, at);
              range.setEnd(walker.currentNode, at + word.length);
              ranges.push(range);
            }
          }
        }
      }
      CSS.highlights.set("found", new Highlight(...ranges));
    };

    const filter = () => {
      const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const piece of pieces) piece.hidden = !matches(piece, words);
      const shown = shownPieces();
      const isWhole = shown.length === pieces.length;
      one("#shown").value = isWhole ? "" : `${shown.length} of ${pieces.length}`;
      const places = new Set(shown.map((piece) => piece.id));
      for (const segment of all(".bar a")) segment.classList.toggle("off", !places.has(segment.hash.slice(1)));
      const paths = new Set(shown.map((piece) => piece.dataset.place.replace(/:[\d-]+$/, "")));
      for (const link of all(".tree a"))
        link.classList.toggle("off", !isWhole && !paths.has(link.dataset.path) && !places.has(link.hash.slice(1)));
      highlight(words);
    };

    const current = () => {
      const focused = document.activeElement && document.activeElement.closest(".piece");
      if (focused) return pieces.indexOf(focused);
      const top = one("header").getBoundingClientRect().bottom;
      return pieces.findIndex((piece) => isShown(piece) && piece.getBoundingClientRect().bottom > Math.max(top, 0) + 8) - 1;
    };
    const go = (step) => {
      for (let at = current() + step; at >= 0 && at < pieces.length; at += step) {
        if (!isShown(pieces[at])) continue;
        pieces[at].querySelector("summary").focus({ preventScroll: true });
        pieces[at].scrollIntoView({ block: "start" });
        return;
      }
    };
    const setOpen = (isOpen) => pieces.forEach((piece) => { piece.open = isOpen; });
    const toggle = () => {
      const piece = document.activeElement && document.activeElement.closest(".piece");
      if (piece) piece.open = !piece.open;
    };

    const say = (button, text) => {
      const before = button.dataset.says || button.textContent;
      button.dataset.says = before;
      button.textContent = text;
      setTimeout(() => { button.textContent = before; }, 1200);
    };
    const copy = async (text, button) => {
      try {
        await navigator.clipboard.writeText(text);
        say(button, "Copied");
      } catch {
        const area = document.createElement("textarea");
        area.value = text;
        document.body.append(area);
        area.select();
        const isDone = document.execCommand("copy");
        area.remove();
        say(button, isDone ? "Copied" : "Not copied");
      }
    };
    const codeOf = (piece) => (piece.querySelector("code:not(.symbol)") || { textContent: "" }).textContent;
    const asMarkdown = (piece) => {
      const code = codeOf(piece);
      const longest = Math.max(2, ...(code.match(/`+/g) || []).map((run) => run.length));
      const fence = "`".repeat(longest + 1);
      return `## ${piece.dataset.place}\n${fence}${piece.dataset.language || ""}\n${code}${fence}\n`;
    };

    const actions = {
      open: () => setOpen(true),
      close: () => setOpen(false),
      wrap: () => remember("ctxpack-wrap", root.classList.toggle("wrap") ? "1" : "0"),
      copy: () => copy(shownPieces().map(asMarkdown).join("\n"), one("#do-copy")),
      theme: () => {
        const next = themes[(themes.indexOf(root.dataset.theme || "") + 1) % themes.length];
        setTheme(next);
        remember("ctxpack-theme", next);
        say(one("#do-theme"), next ? next[0].toUpperCase() + next.slice(1) : "System");
      },
      help: () => one("#keys").showModal(),
      hide: () => one("#keys").close(),
    };
    for (const [name, act] of Object.entries(actions)) one(`#do-${name}`).addEventListener("click", act);

    const kept = remember("ctxpack-wrap");
    const isNarrow = innerWidth < 700;
    root.classList.toggle("wrap", kept ? kept === "1" : isNarrow);
    if (isNarrow) for (const section of all("aside .section")) section.open = false;

    box.addEventListener("input", filter);
    for (const key of all("button.key")) {
      key.addEventListener("click", () => {
        const isOn = key.getAttribute("aria-pressed") !== "true";
        key.setAttribute("aria-pressed", String(isOn));
        if (isOn) hiddenKinds.delete(key.dataset.kind);
        else hiddenKinds.add(key.dataset.kind);
        filter();
      });
    }
    for (const button of all(".copy")) {
      button.addEventListener("click", () => copy(codeOf(button.closest(".piece")), button));
    }
    const show = () => {
      const piece = pieces.find((each) => `#${each.id}` === location.hash);
      if (!piece) return;
      piece.hidden = false;
      piece.open = true;
      piece.scrollIntoView({ block: "start" });
    };
    addEventListener("hashchange", show);
    document.addEventListener("click", (event) => {
      const link = event.target.closest("a[href^='#']");
      if (link && link.hash === location.hash) show();
    });
    show();

    const keys = {
      j: () => go(1), k: () => go(-1), o: toggle, e: actions.open, c: actions.close, w: actions.wrap,
      y: actions.copy, t: actions.theme, "?": actions.help,
      "/": () => { box.focus(); box.select(); },
    };
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || one("#keys").open) return;
      if (event.target === box) {
        if (event.key !== "Escape") return;
        box.value = "";
        filter();
        box.blur();
      } else if (Object.hasOwn(keys, event.key)) {
        event.preventDefault();
        keys[event.key]();
      }
    });
  });
})();
