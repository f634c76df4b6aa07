"use strict";
(async () => {
  const $ = (selector) => document.querySelector(selector);
  const root = document.documentElement;

  /** A text that the page has compressed. */
  async function unpack(id) {
    const packed = await fetch("data:application/octet-stream;base64," + document.getElementById(id).textContent);
    return new Response(packed.body.pipeThrough(new DecompressionStream("deflate"))).text();
  }
  const { panels, palettes, columns, csv, records: all } = JSON.parse(await unpack("data"));

  // ---- Themes: the system's, or what the reader chose.
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

  function colored(panel) {
    const color = (role) => palettes[theme()][role];
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
        ...panel.layout, xaxis: { ...axis, ...panel.layout.xaxis }, yaxis: { ...axis, ...panel.layout.yaxis },
        separators: ".", showlegend: true, legend: { font: { color: variable("--soft"), size: 11 }, bgcolor: "transparent", itemsizing: "constant" }, margin: { l: 66, r: 12, t: 12, b: 50 },
        font: { family: getComputedStyle(document.body).fontFamily, size: 12, color: variable("--soft") },
        paper_bgcolor: "transparent", plot_bgcolor: "transparent", hovermode: "closest",
        hoverlabel: { bgcolor: variable("--card"), bordercolor: variable("--line"), font: { color: variable("--ink") } },
      },
    };
  }

  function draw(id) {
    const { data: traces, layout } = colored(panels[id]);
    drawn.add(id);
    return Plotly.react(id, traces, layout, {
      responsive: true, displayModeBar: false, doubleClick: "reset",
    });
  }
  addEventListener("beforeprint", () => Object.keys(panels).forEach((id) => drawn.has(id) || draw(id)));
  const drawVisible = () => new Promise((resolve) => {
    const plots = document.querySelectorAll(".plot");
    if (!plots.length) resolve();
    const observer = new IntersectionObserver((entries) => {
      const near = entries.filter((entry) => entry.isIntersecting && !drawn.has(entry.target.id));
      Promise.all(near.map((entry) => draw(entry.target.id))).then(resolve);
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
  follow();
  root.dataset.ready = "true";  // all but the figures, for which the library takes a second to start
  await new Promise(requestAnimationFrame);
  document.head.appendChild(element("script")).textContent = await unpack("plotly");
  await drawVisible();
  root.dataset.drawn = "true";
})();
