// test_cli_diff_cause.c appends this to a report's script. Uses the page with keys and the mouse like a user, and
// writes the results to data-probe for the test to read.
"use strict";

const probe = [];
const check = (name, good) => probe.push(`${name}:${good ? "ok" : "BAD"}`);
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const pressed = () => [...document.querySelectorAll("#modes button")].find((b) => b.ariaPressed === "true")?.textContent;
const pause = () => new Promise((done) => setTimeout(done, 400));
const canvas = document.getElementById("view");

function pointer(type, x, y) {
  const box = canvas.getBoundingClientRect();
  canvas.dispatchEvent(new PointerEvent(type, { clientX: box.left + x * box.width, clientY: box.top + y * box.height,
    bubbles: true, button: 0, pointerId: 1 }));
}

// Returns the colour of the view at a position, 0..1.
function colorAt(x, y) {
  const at = [Math.floor(x * canvas.width), Math.floor(y * canvas.height)];
  return [...canvas.getContext("2d").getImageData(...at, 1, 1).data.slice(0, 3)].join(" ");
}

async function useKeys() {
  for (const [key, name] of [["1", "A"], ["2", "B"], ["3", "Wipe"], ["b", "Blink"], ["4", "Side by side"],
                             ["5", "Difference"], ["6", "FLIP"], [" ", "A"], [" ", "B"]]) {
    press(key);
    check(`key ${key}`, pressed() === name);
  }
  press("b");
  const first = state.blink;
  await pause();
  await pause();
  check("blinks", state.blink !== first);
  const theme = document.documentElement.dataset.theme;
  press("t");
  check("theme", document.documentElement.dataset.theme !== theme);
  press("?");
  check("help", document.getElementById("help").open);
  document.getElementById("help").close();
}

function useMouse() {
  press("3");
  pointer("pointerdown", 0.5, 0.5);
  pointer("pointermove", 0.25, 0.5);
  pointer("pointerup", 0.25, 0.5);
  check("wipe", Math.abs(state.wipe - 0.25) < 0.02);
  press("1");
  press("0");
  pointer("pointermove", 0.5, 0.5);
  const values = document.getElementById("pixel").textContent;
  const rgb = /A (\d+ \d+ \d+)/.exec(values)?.[1];
  check("pixel values", rgb === colorAt(0.5, 0.5) && /difference \d+/.test(values));
  const box = canvas.getBoundingClientRect();
  for (let i = 0; i < 30; i++)
    canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: -1, clientX: box.left + box.width / 2,
      clientY: box.top + box.height / 2, bubbles: true, cancelable: true }));
  check("zoom", state.zoom > 40);
  press("0");
  check("fit", state.zoom === 0);
}

function useTables() {
  document.querySelector("#causes tbody tr").click();
  check("highlight", state.row >= 0 && location.hash.includes("row=") && overlay() !== null);
  press("Escape");
  check("no highlight", state.row === -1 && overlay() === null);
  document.querySelectorAll("#parts button")[1].click();
  check("bones", document.querySelector("#causes th").textContent === "bone");
  document.querySelectorAll("#parts button")[0].click();
  const whole = causeRows().map((entry) => [entry.row, entry.sum, entry.over].join());
  if (found.sequence) return;
  // Sums computed from the images must equal those of the program.
  state.scope = "frame";
  check("sums", causeRows().map((entry) => [entry.row, entry.sum, entry.over].join()).sort().join(" ") ===
    whole.sort().join(" "));
  state.scope = "all";
}

async function useCurve() {
  if (!found.sequence) return;
  const before = state.kept;
  press(before ? "ArrowLeft" : "ArrowRight");
  await pause();
  check("arrow", state.kept !== before && document.getElementById("frame-name").textContent.startsWith("frame "));
  const curveBox = document.getElementById("curve").getBoundingClientRect();
  document.getElementById("curve").dispatchEvent(new MouseEvent("click", { clientX: curveBox.right - 5,
    clientY: curveBox.top + 20, bubbles: true }));
  await pause();
  check("click on the curve", state.kept === data.kept.length - 1);
}

(async () => {
  while (document.body.dataset.ready !== "yes") await pause();
  await useKeys();
  useMouse();
  useTables();
  await useCurve();
  document.body.dataset.probe = probe.join("; ") + "; done";
})().catch((error) => {
  document.body.dataset.probe = probe.join("; ") + "; " + error.stack;
});
