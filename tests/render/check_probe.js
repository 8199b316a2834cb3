// test_cli_check.c appends this to a report's scripts, in frames of some widths. Uses the page with keys and the mouse
// like a user, looks for what is too wide, and reports to the surrounding page.
"use strict";

const probe = [];
const check = (name, good) => good || probe.push(`${name} BAD`);
const press = (key) => (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const pause = (time) => new Promise((done) => setTimeout(done, time));
const until = async (condition) => {
  for (let i = 0; i < 300 && !condition(); i++) await pause(20);
};
const ready = () => until(() => document.body.dataset.ready === "yes");
const opened = (name) => until(() => document.body.dataset.ready === "yes" && $("cause").textContent.startsWith(name) && found);
const shown = () => [...document.querySelectorAll(".name-of-scene")].map((name) => name.textContent).join(" ");
const modes = () => [...document.querySelectorAll("#modes button")];

// Returns how many colours the view has.
function colors() {
  const pixels = view.getContext("2d").getImageData(0, 0, view.width, view.height).data;
  return new Set(new Uint32Array(pixels.buffer)).size;
}

function fits(where) {
  for (const element of document.querySelectorAll("body *")) {
    const box = element.getBoundingClientRect();
    if (box.width && (box.right > innerWidth + 0.5 || box.left < -0.5))
      check(`${where}: ${element.tagName}#${element.id}.${element.className} to ${Math.round(box.right)}`, false);
  }
  check(`${where} fits`, document.documentElement.scrollWidth <= innerWidth);
}

function choose(select, start) {
  select.value = [...select.options].find((option) => option.textContent.startsWith(start))?.value ?? "";
  select.onchange();
}

function useFilters() {
  const all = shown();
  [...document.querySelectorAll("#states button")].find((button) => button.textContent === "3 no baseline").click();
  check("state", shown() === "turned odd *'<b>name odd x'<b>name");
  document.querySelector("#states button[aria-pressed=true]").click();
  choose($("by-model"), "odori.pmx (6)");
  check("model", shown() === all && $("by-model").value !== "");
  choose($("by-cause"), "first step: motion");
  check("cause", shown() === "dance");
  choose($("by-cause"), "all");
  choose($("by-model"), "all");
  $("words").value = "HASHES beside";
  $("words").oninput();
  check("text", shown() === "still");
  $("words").value = "";
  $("words").oninput();
  check("no filter", shown() === all);
  check("note", $("list").textContent.includes("note: the picture is equal, but"));
}

async function usePictures() {
  check("nothing loaded", !document.querySelector("script[src]") && received === null);
  press("n");
  press("n");
  check("next scene", document.activeElement.textContent === "odd *'<b>name");
  [...document.querySelectorAll(".name-of-scene")].find((name) => name.textContent === "dance").click();
  await opened("dance");
  check("verdict", $("verdict").textContent === "different" && !$("difference").hidden && $("overview").hidden);
  check("reasons", $("reasons").textContent.includes("first step that differs: motion") &&
    $("reasons").textContent.includes("motion odori.vmd has changed") && $("reasons").textContent.includes("% of the difference is "));
  check("by cause", document.querySelectorAll("#causes tbody tr").length > 1);
  check("metrics", /FLIP, mean0\.\d+/.test($("metrics").textContent));
  for (const [key, name] of [["1", "A"], ["2", "B"], ["3", "Wipe"], ["b", "Blink"], ["4", "Side by side"], ["5", "Difference"], ["6", "FLIP"]]) {
    press(key);
    check(`key ${key}`, modes().find((button) => button.ariaPressed === "true")?.textContent === name && colors() > 20);
  }
  fits("picture");
  document.querySelector("#causes tbody tr").click();
  check("highlight", overlay() !== null);
  press("Escape");
  check("no highlight", overlay() === null && !$("difference").hidden);
  const first = $("cause").textContent;
  press("ArrowRight");
  await until(() => $("cause").textContent !== first);
  await opened("dance");
  check("next picture", /^dance, frame /.test($("cause").textContent) && $("cause").textContent !== first && state.mode === "flip");
  press("p");
  await opened(first);
  check("picture before", $("cause").textContent === first);
  press("x");
  check("ticked", $("step-tick").checked);
  press("Escape");
  await until(() => $("difference").hidden);
  check("list", !$("overview").hidden && document.activeElement.textContent === "dance");
}

function useTicks() {
  const command = () => $("command").textContent;
  check("one ticked", command().endsWith("--only dance") && $("ticked").textContent === "1 scene to accept");
  const odd = [...document.querySelectorAll(".scene")].find((article) => article.textContent.includes("odd *"));
  odd.querySelector("input").click();
  check("quoted", command().endsWith(String.raw`--only 'odd \*'\''<b>name' --only dance`));
  check("escapes", quote("a\u202e") === String.raw`$'a\xe2\x80\xae'` && quoteFile("-r") === "./-r" && quote("") === "''");
  check("not to accept", [...document.querySelectorAll(".scene")].find((article) => article.textContent.startsWith("away")).querySelector("input").disabled);
  press("?");
  check("keys", $("help").open && $("keys").textContent.includes("next picture") && $("keys").textContent.includes("wipe"));
  fits("keys");
  $("help").close();
  fits("list");
}

(async () => {
  await ready();
  useFilters();
  await usePictures();
  useTicks();
  parent.postMessage(`${innerWidth}: ${probe.join("; ") || "good"}; command ${btoa($("command").textContent)} `, "*");
})().catch((error) => parent.postMessage(`${innerWidth}: ${probe.join("; ")}; BAD ${error.stack}`, "*"));
