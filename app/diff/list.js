// The report of check: the list of scenes, the pictures that are opened from it, and the command line that accepts.
// report.js shows the difference of a picture.
"use strict";

const results = parseClean($("data").textContent);
const states = [["error", "errors", "error", "bad"], ["fail", "failed", "failed", "bad"],
  ["no baseline", "no_baseline", "no baseline", "warn"], ["accepted", "accepted", "accepted", "good"],
  ["pass", "passed", "passed", "good"]];
const WITH_WARNINGS = "with warnings", WITH_NOTES = "with notes";
const STEP = 200;
const list = {
  states: new Set(), // that are shown; none: all
  model: "",
  cause: "",
  limit: STEP, // of the scenes that are shown
  scenes: [], // that the filters leave
  pictures: [], // of these scenes that can be opened: {scene, frame}
  at: -1, // index in pictures of the open one, or -1
  ticked: new Set(), // scenes
};

function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {}))
    if (value !== undefined) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

// --- Names of files ---

// Returns a link to a file of the report. Names of scenes can contain any characters, but no path leads out of the report.
function href(path) {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..")) return undefined;
  return parts.map(encodeURIComponent).join("/");
}
const link = (path, text) => make("a", { href: href(path) }, text);

// --- What a scene says ---

const number = (value) => Number(value.toPrecision(3));
const count = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

function numbers(m) {
  const parts = [`largest ${m.max}`, `mean ${number(m.mean)}`, `${number(100 * m.share)} % over ${count(m.threshold, "level")}`];
  if (m.flip !== undefined) parts.push(`FLIP ${number(m.flip)}`);
  if (m.ssim !== undefined) parts.push(`SSIM ${number(m.ssim)}`);
  return parts.join(", ");
}

const isOpen = (frame) => frame.status === "fail" || frame.status === "no baseline";
const isNote = (frame) => frame.status === "pass" && (frame.changes?.length > 0 || !!frame.other_driver);

// Lists why a frame is shown and what changed. Leaves out what the entry before it already says.
function reasons(frame, before) {
  const lines = [];
  const same = (...keys) => before && keys.every((k) => JSON.stringify(before[k]) === JSON.stringify(frame[k]));
  const other = frame.other_driver;
  if (other && !same("other_driver"))
    lines.push(make("div", { class: "stage" }, make("b", {}, other.same_scene ? "same scene, other rasteriser" : "other rasteriser"),
      ` — baseline of ${other.driver}` + (other.beyond_edges ? `; beyond edges: ${numbers(other.beyond_edges)}` :
        "beyond_edges" in other ? "; everything is near edges" : "")));
  if (frame.why && !same("why")) lines.push(make("div", {}, frame.why));
  if (isNote(frame)) lines.push(make("div", { class: "soft" }, `note: ${frame.metrics ? "within the tolerance" : "the picture is equal"}${frame.changes?.length ? ", but" : ""}`));
  if (frame.stage && !same("stage", "detail"))
    lines.push(make("div", { class: "stage" }, "first step that differs: ", make("b", {}, frame.stage),
      frame.detail ? " — " + frame.detail : ""));
  const repeat = frame.unrepeatable;
  if (repeat && !same("unrepeatable"))
    lines.push(make("div", { class: "stage" }, `not repeatable: round ${repeat.round} differs, first step that differs: `,
      make("b", {}, repeat.stage), repeat.detail ? " — " + repeat.detail : ""));
  if (frame.material && !same("material"))
    lines.push(make("div", { class: "stage" }, "most of the difference: ", make("b", {}, frame.material)));
  if (!frame.changes || same("changes")) return lines;
  for (const change of frame.changes) lines.push(make("div", {}, change));
  if (!frame.changes.length) lines.push(make("div", { class: "soft" }, "no file and no setting has changed"));
  return lines;
}

const addressOf = (scene, frame) => "#" + new URLSearchParams({ scene: scene.raw, frame: frame.frame });

function frameItem(scene, frame, before) {
  const files = make("span", {});
  if (isOpen(frame) && frame.picture) files.append(make("a", { class: "show", href: addressOf(scene, frame) }, "show"));
  for (const [key, text] of [["baseline", "baseline"], ["picture", "new picture"], ["heat", "difference"]])
    if (frame[key]) files.append(files.childNodes.length ? " · " : "", link(frame[key], text));
  const name = make("span", {}, make("b", {}, "frame " + frame.frame));
  if (frame.metrics) name.append(make("span", { class: "soft" }, " — " + numbers(frame.metrics)));
  return make("li", {}, make("div", { class: "frame" }, name, files), ...reasons(frame, before));
}

const FRAMES = 12;
const difference = (frame) =>
  (frame.status === "fail" ? 1000 : frame.unrepeatable ? 500 : 0) + (frame.metrics ? frame.metrics.mean : frame.why ? 256 : isNote(frame) ? 0 : -1);
const worstFirst = (frames) => [...frames].sort((a, b) => difference(b) - difference(a));

// Shows frames without differences as a line of links.
function frameLinks(scene, frames) {
  const line = make("div", { class: "soft" }, frames.length === 1 ? "frame " : "frames ");
  frames.slice(0, 5 * FRAMES).forEach((f, i) =>
    line.append(i ? " · " : "", !f.picture ? String(f.frame)
      : isOpen(f) ? make("a", { class: "show", href: addressOf(scene, f) }, f.frame) : link(f.picture, f.frame)));
  if (frames.length > 5 * FRAMES) line.append(` and ${frames.length - 5 * FRAMES} more`);
  return line;
}

// Lists the frames that differ or have a note, worst first, or all frames when there are none.
function frameList(scene) {
  const rows = scene.frames.filter((f) => f.status !== "pass" && f.status !== "accepted" || f.metrics || f.unrepeatable || isNote(f));
  const shown = rows.length ? worstFirst(rows) : scene.frames;
  if (!shown.some((f) => f.why || f.metrics || f.unrepeatable || isNote(f))) return [shown, frameLinks(scene, shown)];
  const items = make("ul", {}, ...shown.slice(0, FRAMES).map((frame, i) => frameItem(scene, frame, shown[i - 1])));
  const more = shown.length - FRAMES;
  if (more > 0) items.append(make("li", { class: "soft" }, `and ${count(more, "more frame")}, which ← and → reach too`));
  return [shown, items];
}

// Returns a summary: "3 of 601 frames failed, worst 217".
function headline(scene, worst) {
  const of = (status) => scene.frames.filter((f) => f.status === status).length;
  const all = scene.frames.length, failed = of("fail"), none = of("no baseline");
  const parts = [];
  if (all > 1 && failed) parts.push(`${failed} of ${all} frames failed, worst ${worst.frame}`);
  if (all > 1 && none) parts.push(`${none} of ${all} frames without a baseline`);
  return [scene.message, ...parts].filter(Boolean).join("; ");
}

// Returns whether the report has what --accept-from needs of a scene. A message beside warnings is that of a strict suite.
const canAccept = (scene) => scene.status !== "error" && scene.repeatable !== false && !(scene.message && scene.warnings) && scene.frames.some((f) => isOpen(f) && f.hashes);

function tickBox(scene) {
  const box = make("input", { type: "checkbox", "aria-label": "accept " + scene.name });
  box.checked = list.ticked.has(scene);
  box.disabled = !canAccept(scene);
  box.onchange = () => tick(scene, box.checked);
  return box;
}

function card(scene) {
  const tone = states.find(([status]) => status === scene.status)?.[3] ?? "bad";
  const article = make("article", { class: "scene card " + tone });
  const [rows, items] = frameList(scene);
  const first = rows[0], open = first && isOpen(first) && first.picture;
  const target = open ? addressOf(scene, first) : first?.picture ? href(first.picture) : undefined;
  const picture = make("a", { class: "thumb", href: target, tabindex: -1 });
  if (scene.thumb) {
    picture.append(make("img", { src: scene.inside || href(scene.thumb), loading: "lazy", alt: "" }));
    if (scene.frames.some((f) => f.heat))
      picture.append(make("span", { class: "legend" }, "baseline · new picture · difference"));
  }
  const name = make("a", { class: "name-of-scene", href: target, tabindex: 0 }, scene.name);
  const text = make("div", { class: "text" }, headline(scene, first));
  if (scene.warnings)
    text.append(make("ul", { class: "warnings" }, ...scene.warnings.map((w) => make("li", {}, w))));
  text.append(items);
  article.append(tickBox(scene), picture, make("h2", {}, name, make("span", { class: "status" }, scene.status)), text);
  article.scene = scene;
  return article;
}

// --- Filters ---

// Returns what a scene can be found by: the first steps that differ, what has changed, materials, warnings.
function causesOf(scene) {
  const causes = new Set();
  for (const frame of scene.frames) {
    if (frame.stage) causes.add("first step: " + frame.stage);
    if (frame.unrepeatable) causes.add("not repeatable: " + frame.unrepeatable.stage);
    if (frame.material) causes.add("material " + frame.material);
    for (const change of frame.changes ?? []) causes.add(change);
  }
  return causes;
}

function matches(scene, words) {
  const { states: wanted, model, cause } = list;
  const state = !wanted.size || wanted.has(scene.status) || wanted.has(WITH_WARNINGS) && scene.warnings ||
    wanted.has(WITH_NOTES) && scene.frames.some(isNote);
  return state && (!model || scene.models.includes(model)) && (!cause || scene.causes.has(cause)) &&
    words.every((word) => scene.words.includes(word));
}

function filter() {
  const words = $("words").value.toLowerCase().split(/\s+/).filter(Boolean);
  list.scenes = results.scenes.filter((scene) => matches(scene, words));
  list.pictures = list.scenes.flatMap((scene) =>
    worstFirst(scene.frames.filter((f) => isOpen(f) && f.picture)).map((frame) => ({ scene, frame })));
}

function drawList() {
  filter();
  const nodes = list.scenes.slice(0, list.limit).map(card);
  if (list.scenes.length > list.limit) {
    const more = make("button", {}, `show more (${list.scenes.length - list.limit})`);
    more.onclick = () => { list.limit += STEP; drawList(); };
    nodes.push(more);
  }
  $("list").replaceChildren(...nodes);
  $("listed").textContent = `${list.scenes.length} of ${count(results.scenes.length, "scene")}, ` +
    `${count(list.pictures.length, "picture")} to look at`;
  drawTicks();
}

function addState(status, text) {
  const button = make("button", { "aria-pressed": "false" }, text);
  button.onclick = () => {
    const on = !list.states.delete(status);
    if (on) list.states.add(status);
    button.setAttribute("aria-pressed", on);
    drawList();
  };
  $("states").append(button);
}

// Fills a list to choose from with what scenes have, the most frequent first.
function addChoice(id, all, of, key) {
  const scenes = new Map();
  for (const scene of results.scenes) for (const one of of(scene)) scenes.set(one, (scenes.get(one) ?? 0) + 1);
  const sorted = [...scenes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 500);
  $(id).append(new Option(all, ""), ...sorted.map(([one, n]) => new Option(`${one.length > 90 ? one.slice(0, 89) + "…" : one} (${n})`, one)));
  $(id).hidden = !sorted.length;
  $(id).onchange = () => {
    list[key] = $(id).value;
    drawList();
  };
}

// --- Accepting ---

// Quotes an argument for a shell. Characters that a terminal or a reader would not show as they are become escapes.
function quote(text) {
  if (/^[\w@%+:,./-]+$/.test(text)) return text;
  if (/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/.test(text))
    return "$'" + [...new TextEncoder().encode(text)].map((byte) => byte >= 32 && byte < 127 && byte !== 39 && byte !== 92
      ? String.fromCharCode(byte) : "\\x" + byte.toString(16).padStart(2, "0")).join("") + "'";
  return "'" + text.replaceAll("'", "'\\''") + "'";
}

// Returns an argument that is a file, which must not look like an option.
const quoteFile = (path) => quote(path.startsWith("-") ? "./" + path : path);

// Returns a pattern that only this name matches.
const patternOf = (name) => name.replace(/[\\*?[\]]/g, "\\$&");

function commandLine() {
  const names = results.scenes.filter((scene) => list.ticked.has(scene)).map((scene) => patternOf(scene.raw));
  return ["odori check", quoteFile($("suite-path").value), "--accept-from", quoteFile($("report-path").value), ...(results.options || []).map(quote),
    ...names.map((name) => (name.startsWith("-") ? "--only=" : "--only ") + quote(name))].join(" ");
}

function tick(scene, on) {
  if (!canAccept(scene)) return;
  list.ticked[on ? "add" : "delete"](scene);
  drawTicks();
}

function drawTicks() {
  const n = list.ticked.size;
  for (const article of $("list").children)
    if (article.scene) article.firstChild.checked = list.ticked.has(article.scene);
  $("ticked").textContent = n ? `${count(n, "scene")} to accept` : "tick the scenes to accept";
  $("command").textContent = n ? commandLine() : "";
  $("command").hidden = !n;
  $("copy").disabled = $("tick-none").disabled = !n;
  $("step-tick").checked = list.at >= 0 && list.ticked.has(list.pictures[list.at].scene);
}

async function copyCommand() {
  if (!list.ticked.size) return;
  try {
    await navigator.clipboard.writeText(commandLine());
  } catch {
    getSelection().selectAllChildren($("command"));
    document.execCommand("copy");
  }
  $("copy").textContent = "copied";
  setTimeout(() => { $("copy").textContent = "copy the command"; }, 1500);
}

// Returns the folder of this page: on disk its path, from a server the last folder of its address.
function reportFolder() {
  const folder = decodeURIComponent(location.pathname.replace(/\/[^/]*$/, ""));
  return location.protocol === "file:" ? folder || "/" : folder.split("/").pop() || "report";
}

// --- Pictures ---

let received = null;
let opening = 0; // number of the picture that was opened last, since files can arrive in another order

// The files of differences call this.
window.odoriDifference = (difference) => { received = difference; };

function loadDifference(path) {
  return new Promise((done, fail) => {
    const script = make("script", { src: href(path) });
    script.onload = () => {
      script.remove();
      done(received && parseClean(JSON.stringify(received)));
    };
    script.onerror = () => fail(new Error(`${path} cannot be loaded; keep the folder of the report together`));
    document.head.append(script);
  });
}

function closeDifference() {
  found = frame = null;
  data = { kept: [] };
  clearInterval(blinking);
  $("verdict").textContent = "";
  $("verdict").className = "verdict";
}

// Shows pictures as they are, when they cannot be compared: a new one, or one of another size.
function showPlain(one) {
  const figures = [["baseline", "the baseline"], ["picture", "the new picture"]].filter(([key]) => one[key])
    .map(([key, text]) => make("figure", {}, make("figcaption", {}, text), make("img", { src: href(one[key]), alt: text })));
  $("plain").replaceChildren(...figures);
}

async function openPicture(at) {
  const mine = ++opening, { scene, frame: one } = list.pictures[at];
  if (list.at < 0) scrollTo(0, 0);
  list.at = at;
  closeDifference();
  place = { scene: scene.raw, frame: one.frame };
  document.body.dataset.ready = "no";
  $("overview").hidden = true;
  $("difference").hidden = false;
  document.body.classList.add("picture");
  $("step-name").textContent = `${at + 1} of ${list.pictures.length}`;
  $("step-back").disabled = at === 0;
  $("step-on").disabled = at + 1 === list.pictures.length;
  $("step-accept").hidden = !canAccept(scene);
  $("cause").textContent = `${scene.name}, frame ${one.frame}` + (one.status === "no baseline" ? ": no baseline" : "");
  $("reasons").replaceChildren(...reasons(one).map((line) => make("li", {}, line)), ...(scene.warnings ?? []).map((w) => make("li", {}, "warning: " + w)));
  document.title = `${scene.name}, frame ${one.frame} — odori check`;
  drawTicks();
  $("trouble").hidden = true;
  const loaded = one.difference && await loadDifference(one.difference).catch((error) => trouble(error.message));
  if (mine !== opening) return;
  document.querySelector("main").hidden = document.querySelector(".paths").hidden = !loaded;
  $("plain").hidden = !!loaded;
  if (loaded) {
    showDifference(loaded);
    $("reasons").append(make("li", {}, causeText()));
    $("made-card").hidden = true; // the reasons say it
  } else {
    showPlain(one);
    document.body.dataset.ready = "yes";
  }
}

function showOverview() {
  const before = list.pictures[list.at];
  opening++;
  list.at = -1;
  place = {};
  closeDifference();
  $("difference").hidden = true;
  $("overview").hidden = false;
  document.body.classList.remove("picture");
  document.title = results.suite + " — odori check";
  drawTicks();
  document.body.dataset.ready = "yes";
  const article = before && [...$("list").children].find((node) => node.scene === before.scene);
  article?.querySelector(".name-of-scene").focus();
}

// Shows what the address names: a picture, which the filters may hide, or the list.
function goToAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  const find = () => list.pictures.findIndex(({ scene, frame: one }) => scene.raw === given.get("scene") && String(one.frame) === given.get("frame"));
  let at = given.has("scene") ? find() : -1;
  if (given.has("scene") && at < 0) {
    for (const button of $("states").children) button.setAttribute("aria-pressed", "false");
    list.states.clear();
    list.model = list.cause = $("by-model").value = $("by-cause").value = $("words").value = "";
    drawList();
    at = find();
  }
  if (["dark", "light"].includes(given.get("theme"))) document.documentElement.dataset.theme = given.get("theme");
  at >= 0 ? openPicture(at) : showOverview();
}

// Goes to the next picture or the one before; in the list, to a scene.
function step(by) {
  if (list.at >= 0) {
    const next = list.pictures[list.at + by];
    if (next) location.hash = addressOf(next.scene, next.frame) + "&mode=" + state.mode;
    return true;
  }
  const names = [...document.querySelectorAll(".name-of-scene")];
  const now = names.findIndex((name) => name.closest("article").contains(document.activeElement));
  names[now < 0 ? 0 : Math.min(Math.max(now + by, 0), names.length - 1)]?.focus();
  return true;
}

function tickCurrent() {
  const scene = list.at >= 0 ? list.pictures[list.at].scene : document.activeElement.closest("article")?.scene;
  if (scene) tick(scene, !list.ticked.has(scene));
  return true;
}

const leave = () => {
  if (list.at < 0) return false;
  location.hash = "";
  return true;
};

const KEYS_OF_LIST = [
  ["← →, p n", "previous, next picture; in the list, scene", (key) => ({ n: 1, p: -1 })[key] ? step({ n: 1, p: -1 }[key])
    : list.at >= 0 && { ArrowRight: 1, ArrowLeft: -1 }[key] && step({ ArrowRight: 1, ArrowLeft: -1 }[key])],
  ["Enter", "open the scene", () => false], // the link has the focus
  ["x", "tick the scene, to accept it", (key) => key === "x" && tickCurrent()],
  ["c", "copy the command that accepts", (key) => key === "c" && (copyCommand(), true)],
  ["/", "find by name or text", (key) => key === "/" && list.at < 0 && ($("words").focus(), true)],
  ["Esc", "back to the list", (key) => key === "Escape" && !(found && state.row >= 0) && leave()],
];

// --- The page ---

function head() {
  $("suite").textContent = results.suite;
  $("about").textContent = [count(results.scenes.length, "scene"), results.summary.warnings && count(results.summary.warnings, "warning"), results.renderer,
    "odori " + results.odori, results.shard && "shard " + results.shard].filter(Boolean).join(" · ");
  for (const [status, key, text, tone] of states) {
    const scenes = results.summary[key];
    if (!scenes) continue;
    const part = make("i", { class: tone, title: `${scenes} ${text}` });
    part.style.flex = scenes;
    $("shares").append(part);
    addState(status, `${scenes} ${text}`);
  }
  const warned = results.scenes.filter((s) => s.warnings).length;
  const noted = results.scenes.filter((s) => s.frames.some(isNote)).length;
  if (warned) addState(WITH_WARNINGS, `${warned} ${WITH_WARNINGS}`);
  if (noted) addState(WITH_NOTES, `${noted} ${WITH_NOTES}`);
  addChoice("by-model", "all models", (scene) => scene.models, "model");
  addChoice("by-cause", "all causes", (scene) => scene.causes, "cause");
  $("words").oninput = drawList;
}

// Starts the report of check.
function startList() {
  const raw = JSON.parse($("data").textContent).scenes;
  results.scenes.forEach((scene, i) => {
    scene.raw = raw[i].name; // as the command line and the address need it
    scene.models ??= [];
    scene.causes = causesOf(scene);
    scene.words = [scene.name, scene.message, ...scene.models, ...scene.causes, ...(scene.warnings ?? []),
      ...scene.frames.map((f) => [f.why, f.detail].join(" "))].join("\n").toLowerCase();
  });
  $("program").textContent = "odori check";
  keysOfList = KEYS_OF_LIST;
  connect();
  head();
  $("steps").hidden = false;
  $("accepting").hidden = !results.scenes.some(canAccept);
  $("suite-path").value = results.suite;
  $("report-path").value = reportFolder();
  $("suite-path").oninput = $("report-path").oninput = drawTicks;
  $("tick-all").onclick = () => { list.scenes.filter(canAccept).forEach((scene) => list.ticked.add(scene)); drawTicks(); };
  $("tick-none").onclick = () => { list.ticked.clear(); drawTicks(); };
  $("copy").onclick = copyCommand;
  $("back").onclick = leave;
  $("step-back").onclick = () => step(-1);
  $("step-on").onclick = () => step(1);
  $("step-tick").onchange = tickCurrent;
  addEventListener("hashchange", goToAddress);
  drawList();
  goToAddress();
}

results.scenes ? startList() : startDifference(results);
