"use strict";
(async () => {
  const $ = (selector) => document.querySelector(selector);
  const root = document.documentElement;

  /** A text that the page has compressed. */
  async function unpack(id) {
    const packed = await fetch("data:application/octet-stream;base64," + document.getElementById(id).textContent);
    return new Response(packed.body.pipeThrough(new DecompressionStream("deflate"))).text();
  }
  const { panels, palettes, columns, fields, csv, records: all } = JSON.parse(await unpack("data"));

  // ---- Themes: the system's, or what the reader chose.
  const narrow = matchMedia("(max-width: 40rem)");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const theme = () => root.dataset.theme || (system.matches ? "dark" : "light");
  const variable = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  $("#theme").addEventListener("click", () => {
    root.dataset.theme = theme() === "dark" ? "light" : "dark";
    try { localStorage.setItem("pivotlab-theme", root.dataset.theme); } catch { /* storage is a comfort */ }
    drawn.forEach(draw);
  });
  system.addEventListener("change", () => drawn.forEach(draw));
  $("#toc").addEventListener("click", () => {
    $("#toc").setAttribute("aria-expanded", root.classList.toggle("toc"));
  });
  $("#contents").addEventListener("click", (event) => event.target.closest("a") && root.classList.remove("toc"));

  // ---- Plots: the data name roles, the theme gives them colours. A plot is drawn when it comes near the screen.
  const drawn = new Set();
  const PAPER = 680;  // width of a table on a page
  const LONG = 24;  // characters of an axis' title that a small plot has room for
  const tables = () => document.querySelectorAll(".table-box > table");
  const LEAST_ZOOM = 0.75;  // of a table on a page; a wider one is split
  let onPaper = false;
  const LONG_NAME = 28;  // characters of a line's name beside which a plot would be too small
  const small = () => onPaper || narrow.matches;
  /** Whether the legend is below the plot. */
  const below = (panel) => small() || panel.data.some((trace) => (trace.name ?? "").length > LONG_NAME);
  let drawing = Promise.resolve();

  function colored(panel) {
    const color = (role) => palettes[theme()][role];
    /** An axis with its title, in two lines if it is long and the plot is small. */
    const titled = ({ title, ...rest }) => {
      const words = small() && title.text.length > LONG ? title.text.split(" ") : [], half = Math.ceil(words.length / 2);
      const text = words.length > 1 ? `${words.slice(0, half).join(" ")}<br>${words.slice(half).join(" ")}` : title.text;
      return { ...axis, ...rest, title: { text, standoff: 10 } };
    };
    const axis = {
      color: variable("--soft"), gridcolor: variable("--line"), linecolor: variable("--line"), zeroline: false, showline: true,
      ticks: "outside", tickcolor: variable("--line"), automargin: true,
    };
    return {
      data: panel.data.map((trace) => {
        const shade = color(trace.meta);
        if (trace.fill) return { ...trace, fillcolor: shade + "2e", line: { color: "transparent" } };
        return { ...trace, line: { ...trace.line, color: shade }, marker: { ...trace.marker, color: shade } };
      }),
      layout: {
        ...panel.layout, xaxis: titled(panel.layout.xaxis), yaxis: titled(panel.layout.yaxis),
        separators: ".", showlegend: true, legend: { font: { color: variable("--soft"), size: 11 }, bgcolor: "transparent", itemsizing: "constant", ...(below(panel) && { orientation: "h", yref: "container", y: 0, yanchor: "bottom" }) }, margin: { l: 66, r: 12, t: 12, b: 50 },
        font: { family: getComputedStyle(document.body).fontFamily, size: 12, color: variable("--soft") },
        paper_bgcolor: "transparent", plot_bgcolor: "transparent", hovermode: "closest",
        hoverlabel: { bgcolor: variable("--card"), bordercolor: variable("--line"), font: { color: variable("--ink") } },
      },
    };
  }

  function draw(id) {
    const { data: traces, layout } = colored(panels[id]);
    drawn.add(id);
    const rows = traces.filter((trace) => trace.showlegend !== false).length;
    if (onPaper) Object.assign(layout, { width: 330, height: 230 + 18 * rows });
    $(`#${id}`).style.height = below(panels[id]) ? `${layout.height || 280 + 20 * rows}px` : "";
    return Plotly.react(id, traces, layout, {
      responsive: true, displayModeBar: false, doubleClick: "reset",
    });
  }
  /** Splits a table that is too wide for a page between groups of columns; the columns without a group are in all parts. */
  function split(table) {
    const [top, heads] = table.tHead.rows;
    if (!heads || table.scrollWidth <= PAPER / LEAST_ZOOM) return;
    let end = 0;
    const groups = [...top.cells].map((cell) => {
      const columns = [...heads.cells].slice(end, (end += cell.colSpan));
      return { name: cell.textContent, end, width: columns.reduce((sum, column) => sum + column.offsetWidth, 0) };
    });
    const keys = groups.filter((group) => !group.name), parts = [];
    const room = PAPER / LEAST_ZOOM - keys.reduce((sum, key) => sum + key.width, 0);
    for (const group of groups.filter((one) => one.name)) {
      const used = (parts.at(-1) ?? []).reduce((sum, one) => sum + one.width, group.width);
      if (parts.length && used <= room) parts.at(-1).push(group); else parts.push([group]);
    }
    if (parts.length < 2) return;
    for (const part of parts) {
      const copy = table.cloneNode(true), stays = (group) => !group.name || part.includes(group);
      [...copy.tHead.rows[0].cells].forEach((cell, k) => stays(groups[k]) || cell.remove());
      for (const line of [...copy.rows].slice(1))
        [...line.cells].forEach((cell, k) => stays(groups.find((group) => k < group.end)) || cell.remove());
      copy.classList.add("part");
      table.before(copy);
    }
    table.hidden = true;
  }
  let onScreen;  // the theme that the reader chose; paper is light
  addEventListener("beforeprint", () => {
    onPaper = root.classList.toggle("paper", true);
    [onScreen, root.dataset.theme] = [root.dataset.theme, "light"];
    tables().forEach(split);
    for (const parts of grouped([...tables()], (table) => table.parentElement).values()) {
      const zoom = Math.min(1, ...parts.map((table) => PAPER / table.scrollWidth));  // a hidden one has no width
      parts.forEach((table) => { table.style.zoom = zoom; });
    }
    if (window.Plotly) Object.keys(panels).forEach(draw);
  });
  addEventListener("afterprint", () => {
    onPaper = root.classList.toggle("paper", false);
    document.querySelectorAll("table.part").forEach((part) => part.remove());
    tables().forEach((table) => { table.style.zoom = ""; table.hidden = false; });
    if (onScreen) root.dataset.theme = onScreen; else delete root.dataset.theme;
    drawn.forEach(draw);
  });
  const drawVisible = () => new Promise((resolve) => {
    const plots = document.querySelectorAll(".plot");
    if (!plots.length) resolve();
    const observer = new IntersectionObserver((entries) => {
      const near = entries.filter((entry) => entry.isIntersecting && !drawn.has(entry.target.id));
      drawing = Promise.all([drawing, ...near.map((entry) => draw(entry.target.id))]);
      drawing.then(resolve);
    }, { rootMargin: "50%" });
    plots.forEach((plot) => observer.observe(plot));
  });

  // ---- Records: a list that a search narrows; each opens to all that it holds.
  const records = all.map((record) => ({ record, ...indexed(record) }));
  const STEP = 100;
  let shown = STEP;

  function indexed(record) {
    const fields = { ...record.case, status: record.status, key: record.key, experiment: record.experiment };
    Object.assign(fields, record.variant || {}, record.environment ? { host: record.environment.host } : {});
    const exact = new Set(Object.entries(fields).map(([name, value]) => `${name}=${value}`.toLowerCase()));
    const text = [...Object.values(fields), `n=${record.case.n}`, record.message, record.environment?.cpu].join(" ").toLowerCase();
    return { exact, text };
  }
  function matches(entry, words) {
    return words.every((word) => {
      const isAxis = /^[a-z_]+=[^;]+$/.test(word) && [...entry.exact].some((field) => field.startsWith(word.split("=")[0] + "="));
      return isAxis ? entry.exact.has(word) : entry.text.includes(word);
    });
  }

  const element = (tag, className, text) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const short = (value, digits = 3) => {
    if (value === null || value === undefined) return "—";
    if (Number.isInteger(value)) return String(value);
    return value !== 0 && (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e6) ? value.toExponential(digits - 1) : String(Number(value.toPrecision(digits + 1)));
  };

  const at = (record, place) => place.split("/").slice(1).reduce((value, name) => value?.[name], record);

  /** A cell of the list; times have the marks of the tables: † of a case that did not pass, ~ where it is flagged. */
  function cell(record, { place, kind, number }) {
    const value = at(record, place) ?? null;
    if (place === "/status") return [value.replaceAll("_", " "), `status ${value}`];
    if (!number) return [value];
    const marks = kind === "seconds" && value !== null;
    const flagged = marks && record.time.flags?.length, failed = marks && record.status !== "passed";
    return [(flagged ? "~" : "") + short(value) + (failed ? "†" : ""), "number"];
  }

  function row({ record }) {
    const line = element("tr", "record");
    line.tabIndex = 0;
    line.dataset.key = record.key;
    const cells = columns.map((column) => cell(record, column));
    for (const [value, className] of cells) line.append(element("td", className, value ?? "—"));
    const toggle = () => {
      if (line.classList.toggle("open")) {
        const detail = element("tr", "detail");
        const cell = detail.appendChild(element("td"));
        cell.colSpan = cells.length;
        if (record.message) cell.append(element("p", "problem", record.message));
        cell.append(tree("record", record, 0));
        line.after(detail);
      } else line.nextElementSibling.remove();
    };
    line.addEventListener("click", toggle);
    line.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); toggle(); }
    });
    return line;
  }

  /** A JSON value as nested, expandable lines. */
  function tree(name, value, depth) {
    const isList = Array.isArray(value);
    if (value === null || typeof value !== "object" || (isList && value.every((item) => typeof item !== "object"))) {
      const leaf = element("div", "leaf");
      leaf.append(element("span", "key", name), ": ", JSON.stringify(value).replaceAll(",", ", "));
      return leaf;
    }
    const node = element("details");
    const entries = Object.entries(value);
    const summary = node.appendChild(element("summary"));
    summary.append(element("span", "key", name), element("span", "hint", isList ? ` [${entries.length}]` : ` {${entries.length}}`));
    const fill = () => { if (node.childElementCount === 1) for (const [key, item] of entries) node.append(tree(key, item, depth + 1)); };
    node.addEventListener("toggle", () => node.open && fill());
    if (depth === 0 || ["case", "metrics"].includes(name)) { node.open = true; fill(); }
    return node;
  }

  // ---- The order of the list: that of a column, rows without a value last.
  const order = { column: null, sign: 1 };
  function compare(a, b) {
    const [x, y] = [a, b].map(({ record }) => at(record, order.column.place) ?? null);
    if (x === null || y === null) return (x === null) - (y === null);
    return order.sign * (order.column.number ? x - y : String(x).localeCompare(String(y)));
  }
  for (const button of document.querySelectorAll("button.sort")) {
    button.addEventListener("click", () => {
      const column = columns[button.dataset.column];
      order.sign = order.column === column ? -order.sign : 1;
      order.column = column;
      document.querySelectorAll("#list th").forEach((head) => head.removeAttribute("aria-sort"));
      button.parentElement.setAttribute("aria-sort", order.sign > 0 ? "ascending" : "descending");
      list();
    });
  }

  function list() {
    const words = $("#q").value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = records.filter((entry) => matches(entry, words));
    if (order.column) found.sort(compare);
    const body = $("#list tbody");
    body.replaceChildren(...found.slice(0, shown).map(row));
    if (!found.length) {
      const none = body.appendChild(element("tr", "none"));
      none.appendChild(element("td", "", records.length ? "No record matches." : "Nothing was run.")).colSpan = columns.length;
    }
    $("#count").textContent = words.length ? `${found.length} of ${records.length} records` : `${records.length} records`;
    $("#more").hidden = found.length <= shown;
    root.dataset.found = found.length;
  }
  const asked = () => { const match = location.hash.match(/^#q=(.*)$/); return match ? decodeURIComponent(match[1].replaceAll("+", " ")) : null; };
  $("#q").addEventListener("input", () => {
    shown = STEP;
    history.replaceState(null, "", $("#q").value ? "#q=" + encodeURIComponent($("#q").value) : location.pathname + location.search);
    list();
  });
  $("#more").addEventListener("click", () => { shown += 10 * STEP; list(); });
  const follow = () => {
    if (asked() === null) return;
    $("#q").value = asked();
    list();
    $("#records").scrollIntoView({ behavior: "instant" });
  };
  addEventListener("hashchange", follow);

  // ---- Explore: any number over any axis, medians of the cases that agree in x, line and panel.
  const MOST_PANELS = 12, ROLES = [0, 3, 4, 5, 7, 2, 1, 6, 8], MARKS = ["circle", "square", "triangle-up", "diamond"];
  const isBaseline = (record) => String(record.case.solver).includes(":");
  const median = (values) => { const s = values.toSorted((a, b) => a - b), m = s.length >> 1; return s.length % 2 ? s[m] : (s[m - 1] + s[m]) / 2; };
  const grouped = (items, key) => items.reduce((map, item) => map.set(key(item), [...(map.get(key(item)) ?? []), item]), new Map());
  const choice = {};

  /** What can be chosen of an experiment: fields that vary go on axes, lines and panels, numbers are drawn over them. */
  function options(name) {
    const own = all.filter((record) => record.experiment === name);
    const count = (field) => new Set(own.map((record) => at(record, field.place))).size;
    const varying = fields[name].filter((field) => count(field) > 1);
    const words = varying.filter((field) => (field.axis && !field.number) || count(field) <= MOST_PANELS);
    const numbers = fields[name].filter((field) => field.number && own.some((record) => at(record, field.place) != null));
    const x = varying.filter((field) => field.number).map((field) => field.name);
    const has = (wanted, list) => (list.includes(wanted) ? wanted : list[0]);
    const y = ["times as fast", ...numbers.filter((field) => !field.axis).map((field) => field.name)];
    const lines = ["none", ...words.map((field) => field.name)];
    const both = varying.filter((field) => ["type", "generator"].includes(field.name) && count(field) <= MOST_PANELS).map((field) => field.name).join(" and ");
    return { own, x: [x, has("n", x)], y: [y, has("compute_s", y)], lines: [lines, has("solver", lines)],
      panels: [[...new Set(["none", both, ...lines].filter(Boolean))], both || "none"] };
  }

  /** The panels of the choices: {title: {line: [[x, [values]]]}}. */
  function chosen({ own }) {
    const field = (name) => fields[choice.experiment].find((one) => one.name === name);
    const value = (record, name) => at(record, field(name)?.place ?? "/none") ?? null;
    const key = (names) => (record) => (names === "none" ? "" : names.split(" and ").map((name) => value(record, name) ?? "—").join(", ").replace(/[^,:;]*\//g, ""));
    const time = (records) => { const t = records.map((r) => at(r, "/time/compute_s/median")).filter(Boolean); return t.length ? median(t) : null; };
    const cases = own.filter((record) => record.status === "passed" && value(record, choice.x) !== null);
    return [...grouped(cases, key(choice.panels))].map(([title, inside]) => {
      const first = inside.find(isBaseline) ?? inside[0];
      const reference = grouped(inside.filter((r) => r.case.solver === first.case.solver), (r) => value(r, choice.x));
      const lines = [...grouped(inside, key(choice.lines))].map(([line, records]) => [line, [...grouped(records, (r) => value(r, choice.x))].map(([x, at_x]) => {
        if (choice.y === "times as fast") return [x, [time(reference.get(x) ?? []) / time(at_x)].filter((v) => v > 0 && isFinite(v))];
        return [x, at_x.map((record) => value(record, choice.y)).filter((v) => typeof v === "number")];
      }).filter(([, values]) => values.length).sort((a, b) => a[0] - b[0])]);
      return { title, lines: lines.filter(([, points]) => points.length), over: choice.y === "times as fast" ? ` as ${first.case.solver}` : "" };
    }).filter((panel) => panel.lines.length);
  }

  /** As interactive.py: 1, 2 and 5 times powers of ten on an axis of less than two decades, on a longer one the powers. */
  function logTicks(low, high) {
    if (high >= 100 * low) return high <= 1e8 * low ? { dtick: 1 } : {};
    const first = Math.floor(Math.log10(low)), powers = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, k) => first + k);
    const digits = powers.flatMap((power) => [1, 2, 5].map((digit) => [digit, power])).filter(([digit, power]) => low / 2.5 <= digit * 10 ** power && digit * 10 ** power <= high * 2.5);
    const text = ([digit, power]) => (power >= -4 && power < 5 ? String(Number(`${digit}e${power}`)) : `${digit}·10<sup>${power}</sup>`.replace("-", "−"));
    return { tickvals: digits.map(([digit, power]) => Number(`${digit}e${power}`)), ticktext: digits.map(text) };
  }

  function explore() {
    const found = options(choice.experiment), place = $("#explore .panels");
    for (const [name, [list, usual]] of Object.entries(found).slice(1)) if (!list.includes(choice[name])) choice[name] = usual;
    const form = $(".choices");
    const select = (name, list) => {
      const label = element("label", "", `${name} `), box = label.appendChild(element("select"));
      box.name = name;
      for (const value of list) box.append(new Option(fields[choice.experiment].find((f) => f.name === value)?.heading ?? value, value, false, value === choice[name]));
      return label;
    };
    form.replaceChildren(...[["experiment", Object.keys(fields)], ...Object.entries(found).slice(1).map(([name, [list]]) => [name, list])]
      .filter(([name, list]) => list.length > 1 || name !== "experiment").map((entry) => select(...entry)));
    const before = [...place.querySelectorAll(".plot")];
    for (const { id } of before) { drawn.delete(id); delete panels[id]; }
    if (window.Plotly) drawing.then(() => before.forEach((plot) => Plotly.purge(plot)));
    const shown = found.x[0].length ? chosen(found) : [];
    const scale = (list) => (list.every((v) => v > 0) && Math.max(...list) >= 8 * Math.min(...list) ? "log" : "linear");
    const heading = (name) => fields[choice.experiment].find((f) => f.name === name)?.heading ?? name;
    const names = [...new Set(shown.flatMap((panel) => panel.lines.map(([line]) => line)))];
    place.replaceChildren(...shown.slice(0, MOST_PANELS).map(({ title, lines, over }, index) => {
      const box = element("div", "panel"), id = `explore-p${index}`;
      box.append(element("h4", "", title), Object.assign(element("div", "plot"), { id }));
      const data = lines.flatMap(([line, points]) => {
        const role = names.indexOf(line), x = points.map(([at_x]) => at_x);
        const common = { type: "scatter", name: line, meta: `solver-${ROLES[role % 9]}`, legendgroup: line };
        const ends = ["max", "min"].map((end) => points.map(([, values]) => Math[end](...values)));
        const band = { ...common, x: [...x, ...x.toReversed()], y: [...ends[0], ...ends[1].toReversed()], fill: "toself", mode: "none", hoverinfo: "skip", showlegend: false };
        const main = { ...common, x, y: points.map(([, values]) => median(values)), mode: "lines+markers", line: { width: 2 }, marker: { size: 7, symbol: MARKS[role % 4] }, hovertemplate: "%{x}: %{y:.4g}" };
        return points.some(([, values]) => values.length > 1) ? [band, main] : [main];
      });
      const axes = ["x", "y"].map((axis) => {
        const numbers = data.flatMap((trace) => trace[axis]), type = scale(numbers);
        return { type, title: { text: heading(choice[axis]) + (axis === "y" ? over : "") }, exponentformat: "power", ...(type === "log" ? logTicks(Math.min(...numbers), Math.max(...numbers)) : {}) };
      });
      const places = [...new Set(data.flatMap((trace) => trace.x))];
      if (places.length <= 6) Object.assign(axes[0], { tickvals: places, ticktext: places.map(String) });
      panels[id] = { title, data, layout: { xaxis: axes[0], yaxis: axes[1] } };
      return box;
    }));
    place.classList.toggle("single", shown.length === 1);
    $("#explore .note").textContent = shown.length
      ? `Medians of cases that passed, bands from the smallest to the largest value.${shown.length > MOST_PANELS ? ` ${MOST_PANELS} of ${shown.length} panels.` : ""}`
      : "No number varies over the cases that passed.";
    if (window.Plotly) drawing = Promise.all([...place.querySelectorAll(".plot")].map((plot) => draw(plot.id)));
  }
  const NAMES = ["experiment", "x", "y", "lines", "panels"];
  function exploreHash() {
    const words = new URLSearchParams(location.hash.slice(1));
    if (!words.has("explore")) return false;
    NAMES.forEach((name) => { if (words.has(name)) choice[name] = words.get(name); });
    return true;
  }
  $(".choices").addEventListener("change", (event) => {
    choice[event.target.name] = event.target.value;
    if (event.target.name === "experiment") NAMES.slice(1).forEach((name) => { delete choice[name]; });
    explore();
    history.replaceState(null, "", `#explore=1&${new URLSearchParams(NAMES.map((name) => [name, choice[name]]))}`);
    $(`.choices [name="${event.target.name}"]`).focus();
  });

  // ---- Figures as SVG files, a panel each.
  for (const button of document.querySelectorAll("button.svg")) {
    button.addEventListener("click", async () => {
      for (const plot of button.closest("figure").querySelectorAll(".plot")) {
        await draw(plot.id);
        await Plotly.downloadImage(plot, { format: "svg", width: 720, height: 420, filename: `${button.dataset.name}-${plot.id}` });
      }
    });
  }

  // ---- Tables as CSV files.
  for (const button of document.querySelectorAll("button.csv")) {
    button.addEventListener("click", () => {
      const text = csv[button.closest("article").id];
      const link = element("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
      link.download = button.dataset.name;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }

  list();
  choice.experiment = Object.keys(fields)[0];
  const explored = exploreHash();
  if (choice.experiment) explore();
  if (explored) $("#explore").scrollIntoView({ behavior: "instant" });
  follow();
  root.dataset.ready = "true";  // all but the figures, for which the library takes a second to start
  await new Promise(requestAnimationFrame);
  document.head.appendChild(element("script")).textContent = await unpack("plotly");
  await drawVisible();
  root.dataset.drawn = "true";
})();
