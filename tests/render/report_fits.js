// test_cli_diff_cause.c appends this to a report's script in a frame of some width. Reports to the surrounding page
// which elements are too wide, also with the list of key bindings open.
"use strict";

function wide() {
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const box = element.getBoundingClientRect();
    const name = `${element.tagName.toLowerCase()}#${element.id}.${element.className}`;
    if (box.width && (box.right > innerWidth + 0.5 || box.left < -0.5)) found.push(`${name} to ${Math.round(box.right)}`);
    if (element.clientWidth && element.scrollWidth > element.clientWidth + 1) found.push(`${name} inside`);
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push("page");
  return found;
}

(async () => {
  while (document.body.dataset.ready !== "yes") await new Promise((done) => setTimeout(done, 200));
  const found = wide();
  document.getElementById("help").showModal();
  found.push(...wide());
  parent.postMessage(`fits ${innerWidth}: ${found.join(", ") || "all"}`, "*");
})();
