// The page of reports shows a difference: pictures, the table by cause, the curve. The report of diff has its data in
// #data. That of check has the results there, which list.js shows; the data of a difference is loaded when it is opened.
"use strict";

// Shows characters that change the direction of text as their numbers.
const clean = (text) =>
  text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, c => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
const parseClean = (text) => JSON.parse(text, (key, value) => (typeof value === "string" ? clean(value) : value));

let data = { kept: [] }; // the difference that is shown: stored frames, and
let found = null; // the findings of diff; null: no difference is shown
const $ = (id) => document.getElementById(id);

const trouble = (text) => {
  $("trouble").hidden = false;
  $("trouble").textContent = text;
};
addEventListener("error", (event) => trouble(event.message));
addEventListener("unhandledrejection", (event) => trouble(String(event.reason)));

// --- State: what is shown; part of it is stored in the address ---

const state = {
  mode: "wipe",
  kept: 0, // index into data.kept
  zoom: 0, // device pixels per pixel; 0: fits the whole picture
  x: 0.5, // position in the picture, 0 to 1, at the centre of the view
  y: 0.5,
  wipe: 0.5,
  gain: 8,
  part: "materials",
  scope: "all",
  row: -1, // highlighted row of the table by cause, or -1
  metric: "mean",
  blink: false, // whether B is shown
};

const MODES = [
  ["a", "A", "1"],
  ["b", "B", "2"],
  ["wipe", "Wipe", "3"],
  ["blink", "Blink", "b"],
  ["side", "Side by side", "4"],
  ["difference", "Difference", "5"],
  ["flip", "FLIP", "6"],
];
const METRICS = {
  max: ["largest difference", "levels"],
  mean: ["mean difference", "levels"],
  p99: ["99th percentile", "levels"],
  psnr: ["PSNR", "dB"],
  ssim: ["SSIM", ""],
  flip: ["FLIP, mean", ""],
  share: ["pixels over the threshold", "%"],
};
const titleOf = (metric) => metric !== "share" ? METRICS[metric][0]
  : `pixels over ${found.threshold} level${found.threshold === 1 ? "" : "s"}`;

let place = {}; // what the address names besides the state: the picture of a report of check

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  const number = (key) => (given.has(key) && isFinite(+given.get(key)) ? +given.get(key) : state[key]);
  if (MODES.some(([id]) => id === given.get("mode"))) state.mode = given.get("mode");
  for (const key of ["zoom", "x", "y", "wipe", "gain", "row"]) state[key] = number(key);
  if (["materials", "bones"].includes(given.get("part"))) state.part = given.get("part");
  if (given.has("frame")) {
    const at = data.kept.findIndex((kept) => found.frames[kept.index].frame === +given.get("frame"));
    if (at >= 0) state.kept = at;
  }
  if (["dark", "light"].includes(given.get("theme"))) document.documentElement.dataset.theme = given.get("theme");
}

function writeAddress() {
  const kept = data.kept[state.kept];
  const given = new URLSearchParams(place);
  given.set("mode", state.mode);
  if (found.sequence && kept) given.set("frame", found.frames[kept.index].frame);
  if (state.zoom) for (const key of ["zoom", "x", "y"]) given.set(key, +state[key].toFixed(4));
  if (state.row >= 0) {
    given.set("part", state.part);
    given.set("row", state.row);
  }
  try {
    history.replaceState(null, "", "#" + given);
  } catch {
    // Some browsers do not allow this for pages from disk. The address then stays as it is.
  }
}

// --- Formatting numbers ---

function format(metric, value) {
  if (value === null || value === undefined) return metric === "psnr" ? "infinite" : "–";
  if (metric === "share") return percent(value);
  if (metric === "psnr") return value.toFixed(2) + " dB";
  if (metric === "max" || metric === "p99") return value + (value === 1 ? " level" : " levels");
  if (metric === "mean") return value.toFixed(4) + " levels";
  return value.toFixed(5);
}

function percent(share) {
  const digits = share >= 0.001 || share <= 0 ? 1 : share >= 0.0001 ? 2 : 4;
  return (100 * share).toFixed(digits) + " %";
}

const thousands = (n) => n.toLocaleString("en-US");

// --- Pictures of a frame ---

const MAGMA = [
  [0, 0, 4], [28, 16, 68], [79, 18, 123], [129, 37, 129], [181, 54, 122],
  [229, 80, 100], [251, 135, 97], [254, 194, 135], [252, 253, 191],
];

function magma(value, out, at) {
  const index = Math.min(Math.max(value, 0), 1) * (MAGMA.length - 1);
  const low = Math.min(Math.floor(index), MAGMA.length - 2);
  for (let k = 0; k < 3; k++) out[at + k] = MAGMA[low][k] + (MAGMA[low + 1][k] - MAGMA[low][k]) * (index - low);
  out[at + 3] = 255;
}

async function decode(uri) {
  if (!uri.startsWith("data:image/png;base64,")) throw new Error("a picture of this report is not stored in it");
  const image = new Image();
  await new Promise((done, fail) => {
    image.onload = done;
    image.onerror = () => fail(new Error("a picture in this page cannot be read"));
    image.src = uri;
  });
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  return { canvas, pixels: context.getImageData(0, 0, canvas.width, canvas.height).data };
}

function paint(width, height, each) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, height);
  for (let i = 0; i < width * height; i++) each(image.data, i);
  context.putImageData(image, 0, 0);
  return canvas;
}

let frame = null; // pictures of the frame that is shown
let requested = 0; // number of the latest request, since decoding can finish in another order

async function loadFrame() {
  const mine = ++requested;
  const kept = data.kept[state.kept];
  if (!kept) return;
  const [a, b, planes, materials, bones] = await Promise.all(
    [kept.a, kept.b ?? kept.a, kept.planes, kept.materials, kept.bones].map((uri) => uri && decode(uri)));
  if (mine !== requested) return;
  frame = { kept, record: found.frames[kept.index], a, b, planes, materials, bones,
            width: a.canvas.width, height: a.canvas.height, heat: {}, overlay: null };
  drawAll();
}

function heat(kind) {
  const key = kind === "flip" ? "flip" : "difference" + state.gain;
  const { width, height, planes, heat: made } = frame;
  made[key] ??= paint(width, height, (out, i) => {
    const value = kind === "flip" ? planes.pixels[4 * i + 1] : planes.pixels[4 * i] * state.gain;
    magma(value / 255, out, 4 * i);
  });
  return made[key];
}

// Returns a canvas that hides everything except the pixels of the highlighted row.
function overlay() {
  const labels = frame[state.part];
  if (state.row < 0 || !labels) return null;
  const key = state.part + state.row + document.documentElement.dataset.theme;
  if (frame.overlay?.key === key) return frame.overlay.canvas;
  const dark = document.documentElement.dataset.theme === "dark";
  const veil = dark ? [18, 18, 22, 205] : [244, 244, 242, 215];
  const canvas = paint(frame.width, frame.height, (out, i) => {
    if (rowAt(labels, i) !== state.row) out.set(veil, 4 * i);
  });
  frame.overlay = { key, canvas };
  return canvas;
}

const rowAt = (labels, i) => (labels.pixels[4 * i] << 8 | labels.pixels[4 * i + 1]) - 1;

// --- The view ---

const view = $("view");
const context = view.getContext("2d");

function fitCanvas(canvas) {
  const ratio = devicePixelRatio || 1;
  const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  return ratio;
}

// Returns scale and upper left corner of the picture on a part of the canvas.
function placement(area) {
  const fit = Math.min(area.width / frame.width, area.height / frame.height);
  const scale = state.zoom || (fit >= 1 ? Math.max(1, Math.floor(fit * 4) / 4) : fit);
  const middle = state.zoom ? [state.x, state.y] : [0.5, 0.5];
  return {
    scale,
    left: Math.round(area.left + area.width / 2 - middle[0] * frame.width * scale),
    top: Math.round(area.top + area.height / 2 - middle[1] * frame.height * scale),
  };
}

function areas() {
  const whole = { left: 0, top: 0, width: view.width, height: view.height };
  if (state.mode !== "side") return [whole];
  const half = Math.floor((view.width - 4) / 2);
  return [{ ...whole, width: half }, { ...whole, left: view.width - half, width: half }];
}

function drawPicture(canvas, area, clip) {
  const { scale, left, top } = placement(area);
  const width = frame.width * scale, height = frame.height * scale;
  context.save();
  context.beginPath();
  context.rect(clip?.left ?? area.left, area.top, clip?.width ?? area.width, area.height);
  context.clip();
  context.imageSmoothingEnabled = scale < 1;
  context.imageSmoothingQuality = "high";
  context.drawImage(canvas, left, top, width, height);
  const veil = overlay();
  if (veil) context.drawImage(veil, left, top, width, height);
  if (scale >= 44) drawValues(canvas, { scale, left, top }, area);
  context.restore();
}

// Draws the values of each pixel into it.
function drawValues(canvas, position, area) {
  const source = canvas === frame.a.canvas ? frame.a : canvas === frame.b.canvas ? frame.b : frame.planes;
  const from = [area.left - position.left, area.top - position.top].map((n) => Math.max(0, Math.floor(n / position.scale)));
  const to = [area.left + area.width - position.left, area.top + area.height - position.top]
    .map((n, k) => Math.min(k ? frame.height : frame.width, Math.ceil(n / position.scale)));
  context.font = `${Math.round(position.scale / 4.2)}px ui-monospace, monospace`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let y = from[1]; y < to[1]; y++) {
    for (let x = from[0]; x < to[0]; x++) {
      const p = source.pixels.subarray(4 * (y * frame.width + x));
      const lines = source !== frame.planes ? [p[0], p[1], p[2]]
        : state.mode === "flip" ? [(p[1] / 255).toFixed(2)] : [p[0]];
      const light = source !== frame.planes ? p[0] * 0.3 + p[1] * 0.6 + p[2] * 0.1
        : (state.mode === "flip" ? p[1] : p[0] * state.gain) * 0.8;
      context.fillStyle = light > 120 ? "#000" : "#fff";
      lines.forEach((line, k) => context.fillText(line, position.left + (x + 0.5) * position.scale,
        position.top + (y + 0.5 + (k - (lines.length - 1) / 2) * 0.28) * position.scale));
    }
  }
}

function drawTag(text, right, area) {
  const size = 12 * (devicePixelRatio || 1);
  context.font = `600 ${size}px system-ui, sans-serif`;
  const width = context.measureText(text).width + size;
  const left = right ? area.left + area.width - width - size * 0.7 : area.left + size * 0.7;
  context.fillStyle = "rgba(20,20,24,.72)";
  context.beginPath();
  context.roundRect(left, area.top + size * 0.7, width, size * 1.7, size * 0.4);
  context.fill();
  context.fillStyle = "#fff";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, left + width / 2, area.top + size * 1.6);
}

function drawWipe(area, ratio) {
  const split = Math.round(area.width * state.wipe);
  drawPicture(frame.a.canvas, area, { left: 0, width: split });
  drawPicture(frame.b.canvas, area, { left: split, width: area.width - split });
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--accent");
  context.fillRect(split - ratio, 0, 2 * ratio, area.height);
  context.beginPath();
  context.arc(split, area.height - 22 * ratio, 9 * ratio, 0, 2 * Math.PI);
  context.fill();
  drawTag("A", false, area);
  drawTag("B", true, area);
}

function drawView() {
  if (frame) view.style.aspectRatio = `${(state.mode === "side" ? 2 : 1) * frame.width} / ${frame.height}`;
  const ratio = fitCanvas(view);
  context.clearRect(0, 0, view.width, view.height);
  drawChecks(ratio);
  if (!frame) {
    if (data.kept.length) drawTag("loading …", false, areas()[0]);
    return;
  }
  const [area, second] = areas();
  if (state.mode === "wipe") {
    drawWipe(area, ratio);
  } else if (state.mode === "side") {
    drawPicture(frame.a.canvas, area);
    drawPicture(frame.b.canvas, second);
    drawTag("A", false, area);
    drawTag("B", false, second);
  } else if (state.mode === "difference" || state.mode === "flip") {
    drawPicture(heat(state.mode), area);
    drawTag(state.mode === "flip" ? "FLIP, 0 to 1" : `difference × ${state.gain}`, false, area);
  } else {
    const b = state.mode === "b" || (state.mode === "blink" && state.blink);
    drawPicture(b ? frame.b.canvas : frame.a.canvas, area);
    drawTag(b ? "B" : "A", false, area);
  }
}

function drawChecks(ratio) {
  const size = 12 * ratio;
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--check-2");
  for (let y = 0; y < view.height; y += size)
    for (let x = (y / size) % 2 ? size : 0; x < view.width; x += 2 * size) context.fillRect(x, y, size, size);
}

// --- Pixel values ---

function pixelAt(event) {
  if (!frame) return null;
  const ratio = devicePixelRatio || 1;
  const at = [event.offsetX * ratio, event.offsetY * ratio];
  const area = areas().find((one) => at[0] >= one.left && at[0] < one.left + one.width);
  if (!area) return null;
  const { scale, left, top } = placement(area);
  const x = Math.floor((at[0] - left) / scale), y = Math.floor((at[1] - top) / scale);
  return x >= 0 && y >= 0 && x < frame.width && y < frame.height ? [x, y] : null;
}

function add(parent, name, text, properties = {}) {
  const element = parent.appendChild(document.createElement(name));
  if (text !== undefined) element.textContent = text;
  return Object.assign(element, properties);
}

function showPixel(at) {
  const line = $("pixel");
  line.textContent = "";
  if (!at) {
    add(line, "span", "Point at a pixel to see its values. Wheel zooms, dragging moves. ? lists the keys.");
    return;
  }
  const i = 4 * (at[1] * frame.width + at[0]);
  const fact = (name, value, color) => {
    const span = add(line, "span");
    if (color) add(span, "i").style.background = color;
    span.append(name + " ");
    add(span, "b", value);
  };
  const [x, y] = frame.record.region;
  fact("x, y", `${at[0] + x}, ${at[1] + y}`);
  for (const side of ["a", "b"]) {
    const rgb = [...frame[side].pixels.subarray(i, i + 3)];
    fact(side.toUpperCase(), rgb.join(" "), `rgb(${rgb})`);
  }
  const masked = frame.planes.pixels[i + 2] === 0;
  fact("difference", masked ? "masked" : frame.planes.pixels[i]);
  if ("flip" in frame.record) fact("FLIP", (frame.planes.pixels[i + 1] / 255).toFixed(3));
  for (const part of ["materials", "bones"]) {
    const row = frame[part] && rowAt(frame[part], i / 4);
    const entry = frame[part] && found[part].find((one) => one.row === row);
    if (entry) fact(part === "materials" ? "material" : "bone", partName(entry, part).join(" of "));
  }
}

// --- Provenance of the pictures ---

function showMade() {
  $("made").textContent = "";
  $("made-title").textContent = "Changed files and settings";
  $("made-card").hidden = !found.made || found.verdict === "equal";
  if ($("made-card").hidden) return;
  if (!found.made.changes) $("made-title").textContent = "Both pictures were made with the same settings from the same files";
  for (const text of found.made.texts) add($("made"), "li", text);
  const rest = found.made.changes - found.made.texts.length;
  if (rest > 0) add($("made"), "li", `and ${rest} more`);
}

// --- The table by cause ---

function partName(entry, part) {
  const name = entry[part === "materials" ? "material" : "bone"];
  return name === null ? ["outside of all models"] : [name || "(no name)", entry.model || "(no name)"];
}

// Returns the rows: those of all frames, or those of the current frame, which are computed from its pictures.
function causeRows() {
  const all = found[state.part];
  const labels = frame?.[state.part];
  if (state.scope === "all" || !labels) return all;
  const rows = new Map(all.map((entry) => [entry.row, { ...entry, sum: 0, over: 0, pixels: 0, largest: 0 }]));
  let total = 0;
  for (let i = 0; i < frame.width * frame.height; i++) {
    const entry = rows.get(rowAt(labels, i)), difference = frame.planes.pixels[4 * i];
    if (!entry || frame.planes.pixels[4 * i + 2] === 0) continue;
    entry.pixels++;
    entry.sum += difference;
    entry.over += difference > found.threshold;
    entry.largest = Math.max(entry.largest, difference);
    total += difference;
  }
  for (const entry of rows.values()) entry.share = total ? entry.sum / total : 0;
  return [...rows.values()].sort((a, b) => b.sum - a.sum);
}

function selectRow(row) {
  state.row = state.row === row ? -1 : row;
  drawAll();
}

function showCauses() {
  const table = $("causes");
  table.textContent = "";
  if (!found.ids) return;
  const head = add(add(table, "thead"), "tr"), body = add(table, "tbody");
  for (const title of [state.part === "materials" ? "material" : "bone", "share", "over", "largest"])
    add(head, "th", title);
  const rows = causeRows();
  for (const entry of rows.filter((one) => one.sum > 0 || one.row === state.row).slice(0, 40)) {
    const line = add(body, "tr", undefined, { tabIndex: 0, onclick: () => selectRow(entry.row) });
    line.setAttribute("aria-selected", entry.row === state.row);
    line.onkeydown = (event) => {
      if (event.key === "Enter") selectRow(entry.row);
    };
    const [name, model] = partName(entry, state.part);
    const cell = add(line, "td", name);
    if (model) add(cell, "small", " of " + model);
    add(cell, "span", undefined, { className: "share" }).style.width = 100 * entry.share + "%";
    add(line, "td", percent(entry.share));
    add(line, "td", thousands(entry.over));
    add(line, "td", entry.largest);
  }
  $("cause-note").textContent = rows.some((entry) => entry.sum > 0)
    ? `Share of the difference, pixels that differ by over ${found.threshold} levels, and largest difference in levels. ` +
      "Click on a row to highlight its pixels."
    : "No difference.";
}

function showMetrics() {
  const table = $("metrics");
  table.textContent = "";
  const kept = data.kept[state.kept];
  if (!kept) return;
  const record = found.frames[kept.index];
  $("metrics-title").textContent = found.sequence ? `Metrics of frame ${record.frame}` : "Metrics";
  const row = (name, value, note, broken) => {
    const line = add(table, "tr");
    add(line, "td", name);
    add(line, "td", value, { className: broken ? "broken" : "" });
    add(line, "td", note);
  };
  for (const metric of Object.keys(METRICS)) {
    if (!(metric in record)) continue;
    const limit = found.limits.find((one) => one.metric === metric);
    const value = record[metric] ?? Infinity;
    const broken = limit && ("min" in limit ? value < limit.min : value > limit.max);
    row(titleOf(metric), format(metric, record[metric]),
        limit ? ("min" in limit ? "≥ " : "≤ ") + format(metric, limit.min ?? limit.max).replace(/ levels?$/, "") : "", broken);
  }
  row("size of A", record.size_a.join(" × "), "");
  row("size of B", record.size_b.join(" × "), "");
  if (record.shift[0] || record.shift[1]) row("B is shifted by", record.shift.join(", "), "");
  row("compared", thousands(record.pixels), "pixels");
}

// --- The curve ---

const curve = $("curve");

function curveScale() {
  const ratio = fitCanvas(curve);
  const values = found.frames.map((one) => one[state.metric] ?? null);
  const limit = found.limits.find((one) => one.metric === state.metric);
  const finite = values.filter((value) => value !== null);
  const bound = limit ? [limit.min ?? limit.max] : [];
  const high = ["psnr", "ssim"].includes(state.metric);
  const low = high ? Math.min(...bound, finite.reduce((a, b) => Math.min(a, b), Infinity)) : 0;
  const top = Math.max(...bound, finite.reduce((a, b) => Math.max(a, b), -Infinity), low + 1e-9);
  const first = found.frames[0]?.frame ?? 0, last = found.frames.at(-1)?.frame ?? 1;
  const pad = { left: 62 * ratio, right: 12 * ratio, top: 10 * ratio, bottom: 22 * ratio };
  const width = curve.width - pad.left - pad.right, height = curve.height - pad.top - pad.bottom;
  return {
    ratio, values, limit: bound[0], low, top, first, last, pad, width, height,
    x: (number) => pad.left + (last > first ? (number - first) / (last - first) : 0.5) * width,
    y: (value) => pad.top + (1 - ((value ?? top) - low) / (top - low || 1)) * height,
  };
}

function drawCurve() {
  if (!found.sequence || !found.frames.length) return;
  const scale = curveScale(), pen = curve.getContext("2d"), { ratio, x, y } = scale;
  const style = getComputedStyle(document.documentElement), color = (name) => style.getPropertyValue(name);
  const right = scale.pad.left + scale.width, bottom = scale.pad.top + scale.height;
  pen.clearRect(0, 0, curve.width, curve.height);
  pen.font = `${11 * ratio}px system-ui, sans-serif`;
  pen.fillStyle = color("--soft");
  pen.strokeStyle = color("--line");
  pen.lineWidth = ratio;
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  const short = (value) => format(state.metric, value).replace(/ levels?$/, "");
  for (const value of [scale.low, (scale.low + scale.top) / 2, scale.top]) {
    pen.beginPath();
    pen.moveTo(scale.pad.left, y(value));
    pen.lineTo(right, y(value));
    pen.stroke();
    pen.fillText(short(+value.toPrecision(3)), scale.pad.left - 6 * ratio, y(value));
  }
  pen.textBaseline = "top";
  pen.textAlign = "left";
  pen.fillText(scale.first, scale.pad.left, bottom + 6 * ratio);
  pen.textAlign = "right";
  pen.fillText(scale.last, right, bottom + 6 * ratio);
  pen.fillStyle = color("--bad");
  for (const one of found.missing) pen.fillRect(x(one.frame) - ratio, bottom - 6 * ratio, 2 * ratio, 6 * ratio);
  if (scale.limit !== undefined) {
    pen.setLineDash([5 * ratio, 4 * ratio]);
    pen.strokeStyle = color("--bad");
    pen.beginPath();
    pen.moveTo(scale.pad.left, y(scale.limit));
    pen.lineTo(right, y(scale.limit));
    pen.stroke();
    pen.setLineDash([]);
  }
  pen.strokeStyle = color("--accent");
  pen.lineWidth = 1.6 * ratio;
  pen.lineJoin = "round";
  pen.beginPath();
  found.frames.forEach((one, i) => pen[i ? "lineTo" : "moveTo"](x(one.frame), y(scale.values[i])));
  pen.stroke();
  data.kept.forEach((kept, i) => {
    const now = i === state.kept;
    pen.fillStyle = color(now ? "--accent" : "--card");
    pen.beginPath();
    pen.arc(x(found.frames[kept.index].frame), y(scale.values[kept.index]), (now ? 5 : 3) * ratio, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
  });
}

function goToNearest(event) {
  const scale = curveScale();
  const at = event.offsetX * scale.ratio;
  let best = 0;
  data.kept.forEach((kept, i) => {
    const distance = (one) => Math.abs(scale.x(found.frames[data.kept[one].index].frame) - at);
    if (distance(i) < distance(best)) best = i;
  });
  goTo(best);
}

function goTo(kept) {
  if (kept < 0 || kept >= data.kept.length || kept === state.kept) return;
  state.kept = kept;
  loadFrame();
}

// --- Controls ---

function choice(id, entries, current, choose) {
  const group = $(id);
  group.textContent = "";
  for (const [value, label, title] of entries) {
    const button = add(group, "button", label, { title: title ?? "", onclick: () => choose(value) });
    button.setAttribute("aria-pressed", value === current);
  }
}

function showControls() {
  choice("modes", MODES.filter(([id]) => id !== "flip" || "flip" in (frame?.record ?? { flip: 0 }))
    .map(([id, label, key]) => [id, label, `key ${key}`]), state.mode, setMode);
  choice("gains", state.mode === "difference" ? [1, 4, 8, 16, 64].map((n) => [n, "×" + n]) : [], state.gain, (n) => {
    state.gain = n;
    drawAll();
  });
  choice("parts", [["materials", "materials"], ["bones", "bones"]], state.part, (part) => {
    state.part = part;
    state.row = -1;
    drawAll();
  });
  choice("scopes", found.sequence ? [["all", "all frames"], ["frame", "this frame"]] : [], state.scope, (scope) => {
    state.scope = scope;
    drawAll();
  });
  $("cause-card").hidden = !found.ids;
  if (frame) $("frame-name").textContent = "frame " + frame.record.frame;
}

let blinking = 0;

function setMode(mode) {
  state.mode = mode;
  clearInterval(blinking);
  if (mode === "blink")
    blinking = setInterval(() => {
      state.blink = !state.blink;
      drawView();
    }, 500);
  drawAll();
}

function zoomBy(factor, at) {
  if (!frame) return;
  const area = areas()[0], { scale } = placement(area);
  const next = Math.min(Math.max(scale * factor, 0.05), 128);
  if (!state.zoom) state.x = state.y = 0.5;
  if (at) {
    // Zooms around the pixel under the pointer.
    state.x += (at[0] / frame.width - state.x) * (1 - scale / next);
    state.y += (at[1] / frame.height - state.y) * (1 - scale / next);
  }
  state.zoom = next;
  drawAll();
}

function fitView() {
  state.zoom = 0;
  drawAll();
}

function toggleTheme() {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  drawAll();
}

const STORED_FRAMES = "← →"; // reports of check have one in each picture
const KEYS = [
  ["1, 2", "A, B", (key) => ({ 1: "a", 2: "b" })[key] && (setMode({ 1: "a", 2: "b" }[key]), true)],
  ["3", "wipe; drag the edge", (key) => key === "3" && (setMode("wipe"), true)],
  ["b", "blink", (key) => key === "b" && (setMode("blink"), true)],
  ["space", "switch between A and B", (key) => key === " " && (setMode(state.mode === "a" ? "b" : "a"), true)],
  ["4", "side by side", (key) => key === "4" && (setMode("side"), true)],
  ["5, 6", "difference, FLIP", (key) => ({ 5: 1, 6: 1 })[key] && (setMode({ 5: "difference", 6: "flip" }[key]), true)],
  ["+ − 0", "zoom in, zoom out, fit", (key) => ({ "+": 2, "=": 2, "-": 0.5 })[key] ? (zoomBy({ "+": 2, "=": 2, "-": 0.5 }[key]), true)
    : key === "0" && (fitView(), true)],
  [STORED_FRAMES, "previous, next stored frame", (key) => data.kept.length > 1 && { ArrowLeft: -1, ArrowRight: 1 }[key] &&
    (goTo(state.kept + { ArrowLeft: -1, ArrowRight: 1 }[key]), true)],
  ["Esc", "clear the highlight", (key) => key === "Escape" && state.row >= 0 && (state.row = -1, drawAll(), true)],
];
const KEYS_EVERYWHERE = [
  ["t", "dark or light theme", (key) => key === "t" && (toggleTheme(), true)],
  ["?", "this list", (key) => key === "?" && ($("help").showModal(), true)],
];
let keysOfList = []; // those of a report of check

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open || event.target.matches?.("select, input:not([type=checkbox])")) return;
  if (event.key === " " && event.target.matches?.("button, input, a")) return;
  const keys = [...(found ? KEYS : []), ...keysOfList, ...KEYS_EVERYWHERE];
  if (keys.some(([, , act]) => act(event.key))) event.preventDefault();
}

let drag = null;

function onPointerDown(event) {
  if (!frame || event.button !== 0) return;
  const ratio = devicePixelRatio || 1;
  const edge = Math.abs(event.offsetX * ratio - view.width * state.wipe) < 14 * ratio;
  drag = { wipe: state.mode === "wipe" && edge, x: event.offsetX, y: event.offsetY };
  view.setPointerCapture(event.pointerId);
}

function onPointerMove(event) {
  const ratio = devicePixelRatio || 1;
  if (drag?.wipe) {
    state.wipe = Math.min(Math.max(event.offsetX * ratio / view.width, 0), 1);
    drawView();
  } else if (drag && frame) {
    const { scale } = placement(areas()[0]);
    if (!state.zoom) state.x = state.y = 0.5;
    state.zoom = scale;
    state.x -= (event.offsetX - drag.x) * ratio / (frame.width * scale);
    state.y -= (event.offsetY - drag.y) * ratio / (frame.height * scale);
    drag.x = event.offsetX;
    drag.y = event.offsetY;
    drawView();
  }
  showPixel(pixelAt(event));
}

function onPointerUp() {
  drag = null;
  writeAddress();
}

// --- The page ---

function drawAll() {
  if (!found) return;
  showControls();
  drawView();
  drawCurve();
  showCauses();
  showMetrics();
  writeAddress();
  document.body.dataset.ready = frame || !data.kept.length ? "yes" : "no";
}

function storedNote() {
  const all = found.frames.length, kept = data.kept.length;
  if (kept === all) return "Dots are the stored frames (all of them). Click to show the nearest one.";
  return `Dots are the stored frames: ${kept} of ${all}, the ${data.worst_count} worst and every ` +
    `${data.every}${data.every === 2 ? "nd" : data.every === 3 ? "rd" : "th"}. Click to show the nearest one.`;
}

// Shows a difference: the findings and the stored frames.
function showDifference(difference) {
  data = difference;
  found = data.findings;
  frame = null;
  state.row = -1;
  const worst = data.kept.findIndex((kept) => found.frames[kept.index].frame === found.worst);
  state.kept = Math.max(worst, 0);
  const first = found.frames[0] ?? {};
  if (!(state.metric in first)) state.metric = Object.keys(METRICS).find((m) => m in first);
  readAddress();
  $("verdict").textContent = found.verdict === "within" ? "within the limits" : found.verdict;
  $("verdict").className = "verdict " + found.verdict;
  $("path-a").textContent = found.a;
  $("path-b").textContent = found.b;
  showMade();
  $("curve-card").hidden = !found.sequence;
  document.body.classList.toggle("sequence", found.sequence);
  $("stored").textContent = storedNote();
  $("curve-metric").textContent = "";
  for (const metric of Object.keys(METRICS))
    if (metric in first) add($("curve-metric"), "option", titleOf(metric), { value: metric });
  $("curve-metric").value = state.metric;
  showPixel(null);
  setMode(state.mode);
  loadFrame();
}

const causeText = () => found.text.replace(/^[a-z ]+: /, "") || found.text;

// Lists the keys, and connects the controls of the page.
function connect() {
  const ofPictures = KEYS.filter(([key]) => !keysOfList.length || key !== STORED_FRAMES);
  for (const [key, what] of [...keysOfList, ...ofPictures, ...KEYS_EVERYWHERE]) {
    add($("keys"), "dt", key);
    add($("keys"), "dd", what);
  }
  $("curve-metric").onchange = (event) => {
    state.metric = event.target.value;
    drawCurve();
  };
  $("theme").onclick = toggleTheme;
  $("help-button").onclick = () => $("help").showModal();
  $("help-close").onclick = () => $("help").close();
  $("zoom-in").onclick = () => zoomBy(2);
  $("zoom-out").onclick = () => zoomBy(0.5);
  $("zoom-fit").onclick = fitView;
  $("frame-back").onclick = () => goTo(state.kept - 1);
  $("frame-on").onclick = () => goTo(state.kept + 1);
  curve.onclick = goToNearest;
  view.onpointerdown = onPointerDown;
  view.onpointermove = onPointerMove;
  view.onpointerup = onPointerUp;
  view.onpointerleave = () => drag || showPixel(null);
  view.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoomBy(event.deltaY < 0 ? 1.25 : 0.8, pixelAt(event));
  }, { passive: false });
  addEventListener("keydown", onKey);
  addEventListener("resize", drawAll);
}

// Starts the report of diff.
function startDifference(difference) {
  $("program").textContent = "odori diff";
  connect();
  showDifference(difference);
  document.title = `${found.verdict}: ${found.a} · ${found.b}`;
  $("cause").textContent = causeText();
}

document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
