"use strict";
(() => {
  if (window.tckReport) return;
  window.tckReport = true;
  const root = document.documentElement, themes = ["auto", "light", "dark"], key = "tck-theme";
  const stored = () => { try { return localStorage.getItem(key) || "auto"; } catch { return "auto"; } };
  const wear = theme => { if (theme === "auto") delete root.dataset.theme; else root.dataset.theme = theme; };
  wear(stored());

  addEventListener("DOMContentLoaded", () => {
    const $ = selector => document.querySelector(selector), all = selector => [...document.querySelectorAll(selector)];

    const button = $("#theme");
    let theme = stored();
    const label = () => { button.querySelector("span").textContent = theme; };
    button.hidden = false; label();
    button.addEventListener("click", () => {
      theme = themes[(themes.indexOf(theme) + 1) % themes.length];
      try { localStorage.setItem(key, theme); } catch { /* a page without storage forgets */ }
      wear(theme); label();
    });

    for (const copy of all(".copy-button")) {
      copy.hidden = false;
      copy.addEventListener("click", async () => {
        const line = copy.previousElementSibling;
        try { await navigator.clipboard.writeText(line.textContent); copy.textContent = "Copied"; }
        catch { getSelection().selectAllChildren(line); copy.textContent = "Selected"; }
        setTimeout(() => { copy.textContent = "Copy"; }, 1500);
      });
    }

    const filter = $(".filter"), rows = all("[data-row]");
    if (filter) {
      const text = $("#filter"), count = $("#filter-count"), named = name => all(`.filter input[name=${name}]`);
      const verdicts = named("verdict"), columns = named("column"), parted = $(".filter input[name=parted]"), table = $("#matrix");
      const lines = rows.filter(row => row.dataset.verdict || row.dataset.seen).map(row =>
        [row, `${row.textContent} ${row.dataset.text || ""}`.toLowerCase(), row.dataset.seen ? row.dataset.seen.split("|") : row.dataset.verdict.split(" ")]);
      // The state of the filter is in the address, so that a filtered page can be sent to somebody.
      const given = new URLSearchParams(location.search);
      text.value = given.get("q") || "";
      if (given.has("verdict")) { const asked = given.get("verdict").split(","); verdicts.forEach(box => { box.checked = asked.includes(box.value); }); }
      if (given.has("without")) { const left = given.get("without").split(","); columns.forEach(box => { box.checked = !left.includes(box.value); }); }
      if (parted) parted.checked = given.has("differences");
      const keep = (q, chosen, without, differences) => {
        const state = new URLSearchParams();
        if (q) state.set("q", q);
        if (chosen) state.set("verdict", chosen.join(","));
        if (without.length) state.set("without", without.join(","));
        if (differences) state.set("differences", "");
        const query = state.toString() ? `?${state}` : "";
        if (query !== location.search) try { history.replaceState(null, "", `${location.pathname}${query}${location.hash}`); } catch { /* a page from a file may be refused that */ }
      };
      const apply = () => {
        const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
        const wanted = new Set(verdicts.filter(box => box.checked).map(box => box.value));
        const every = wanted.size === verdicts.length;
        columns.forEach((box, at) => table.classList.toggle(`no-${at}`, !box.checked));
        let shown = 0;
        for (const [row, content, each] of lines) {
          const seen = columns.length ? each.filter((_, at) => columns[at].checked) : each;
          const asked = seen.filter(one => one !== "-");
          const fits = (every || asked.some(one => wanted.has(one))) && !(parted?.checked && new Set(asked).size < 2);
          row.hidden = !(fits && words.every(word => content.includes(word)));
          shown += row.hidden ? 0 : 1;
        }
        for (const section of all(".section")) section.hidden = !section.querySelector("[data-row]:not([hidden])");
        keep(words.length ? text.value : "", every ? null : [...wanted], columns.filter(box => !box.checked).map(box => box.value), parted?.checked);
        count.textContent = shown === lines.length ? `${shown} shown.` : `${shown} of ${lines.length} shown.`;
      };
      filter.hidden = false;
      filter.addEventListener("input", apply);
      filter.addEventListener("submit", event => event.preventDefault());
      apply();
    }

    const form = $(".search");
    if (form) {
      const box = $("#search"), found = $("#found");
      let wanted = null;
      const load = () => wanted ||= new Promise(resolve => {
        const script = document.createElement("script");
        script.src = form.dataset.root + form.dataset.index;
        script.onload = () => resolve((window.tckSearch || []).map(each => [...each, `${each[0]} ${each[1]}`.toLowerCase()]));
        script.onerror = () => resolve(null);
        document.head.append(script);
      });
      const search = async () => {
        const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
        found.hidden = !words.length;
        if (!words.length) return;
        const entries = await load();
        const hits = (entries || []).filter(each => words.every(word => each[4].includes(word)));
        found.replaceChildren();
        const note = document.createElement("p");
        note.textContent = entries ? `${hits.length} found${hits.length > 30 ? ", the first 30" : ""}` : "The index lies beside the whole report; this page is alone.";
        found.append(note);
        for (const [title, text, verdict, place] of hits.slice(0, 30)) {
          const link = document.createElement("a"), mark = document.createElement("i"), more = document.createElement("span");
          mark.className = `dot s-${verdict}`; mark.title = verdict;
          more.className = "statement"; more.textContent = text;
          link.href = form.dataset.root + place;
          link.append(mark, ` ${title}`, more);
          found.append(link);
        }
      };
      form.hidden = false;
      box.addEventListener("focus", load);
      box.addEventListener("input", search);
      form.addEventListener("submit", event => { event.preventDefault(); found.querySelector("a")?.click(); });
      form.addEventListener("keydown", event => { if (event.key === "Escape") { box.value = ""; found.hidden = true; } });
    }

    addEventListener("keydown", event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const typing = event.target.matches("input:not([type=checkbox]), textarea, select");
      if (event.key === "Escape" && typing) event.target.blur();
      if (typing) return;
      if (event.key === "/" && $("#filter")) { event.preventDefault(); $("#filter").focus(); }
      if (event.key === "j" || event.key === "k") {
        const links = rows.filter(row => !row.hidden && row.offsetParent).map(row => row.querySelector("a"));
        const at = links.indexOf(document.activeElement), next = links[at + (event.key === "j" ? 1 : -1)] || links[0];
        if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); }
      }
    });

    const reveal = () => {
      const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
      for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS" && !at.open) at.open = true;
      const fold = target && target.closest(".laying") && target.closest(".drawing").querySelector(".fold input");
      if (fold) fold.checked = true;
      const unfold = target && target.querySelector && target.matches("tr") && target.querySelector("details.unfold");
      if (unfold) unfold.open = true;
      if (target) target.scrollIntoView({ block: "center", behavior: "instant" });
    };
    addEventListener("hashchange", reveal); reveal();
    addEventListener("load", () => { if (location.hash) requestAnimationFrame(reveal); });  // rows have their heights then

    // Lanes may be wider than the page: show that of the cited event, also where nobody asked for an event by its number.
    for (const box of all(".lanes-scroll")) {
      const cited = box.querySelector(".cited .act");
      if (cited) box.scrollLeft += cited.getBoundingClientRect().left - box.getBoundingClientRect().left - box.clientWidth / 3;
    }

    // What is wider than the page scrolls sideways, by keyboard too.
    const boxes = all(".scroll, .lanes-scroll");
    const reach = () => {
      for (const box of boxes) {
        const wide = box.scrollWidth > box.clientWidth;
        if (wide && !box.hasAttribute("tabindex")) { box.tabIndex = 0; box.setAttribute("role", "group"); box.setAttribute("aria-label", "scrolls sideways"); }
        else if (!wide && box.getAttribute("aria-label") === "scrolls sideways") for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
      }
    };
    reach();
    addEventListener("load", reach); addEventListener("resize", reach); document.addEventListener("toggle", reach, true);

    const light = (letter, on) => { for (const token of all(".token")) if (token.dataset.token === letter) token.classList.toggle("lit", on); };
    for (const name of ["mouseover", "mouseout"]) addEventListener(name, event => {
      const letter = event.target.closest && event.target.closest(".token")?.dataset.token;
      if (letter) light(letter, name === "mouseover");
    });
  });
})();
