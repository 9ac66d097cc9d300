/** Shows the value of the chart under the pointer or finger, or at the point selected with the keyboard. */

/** @typedef {{ time: number, rate: string, x: number, y: number }} Point */

/**
 * The time of the selected point. Null if no point is selected: the slider is then at the newest one. @type {number |
 * null}
 */
let shown = null;

/** @type {Intl.DateTimeFormat | undefined} */
let format;

for (const type of ["pointermove", "pointerdown"]) {
  document.addEventListener(type, (event) => {
    if (!(event instanceof PointerEvent)) return;
    const reader = findReader(event);
    if (reader) {
      const { left, width } = reader.getBoundingClientRect();
      show(toNearest(readPoints(), ((event.clientX - left) / width) * 100));
    } else if (event.pointerType === "mouse" && !isSlider(document.activeElement)) show(undefined);
  });
}
// The slider gets the focus, so that the arrow keys continue from this point and a press elsewhere hides it.
document.addEventListener("click", (event) => {
  if (findReader(event)) findSlider()?.focus({ preventScroll: true });
});
for (const type of ["focusin", "input"]) {
  document.addEventListener(type, ({ target }) => {
    if (isSlider(target)) show(readPoints()[target.valueAsNumber]);
  });
}
document.addEventListener("focusout", ({ target }) => {
  if (isSlider(target)) show(undefined);
});
// refresh.js has loaded new points.
document.addEventListener("refreshed", draw);
draw();

/** @param {Point | undefined} point */
function show(point) {
  shown = point?.time ?? null;
  draw();
}

function draw() {
  const slider = findSlider();
  const cursor = slider?.nextElementSibling;
  const points = readPoints();
  // If the selected point has become older than the range, selects the next one.
  const point = points.find(({ time }) => shown !== null && time >= shown) ?? points.at(-1);
  if (!slider || !(cursor instanceof HTMLElement) || !point) return;
  const when = toTime(point);
  slider.max = String(points.length - 1);
  slider.valueAsNumber = points.indexOf(point);
  slider.setAttribute("aria-valuetext", `${point.rate} USDT, ${when}`);
  cursor.hidden = shown === null;
  cursor.style.left = `${point.x}%`;
  const [dot, label] = cursor.children;
  if (!(dot instanceof HTMLElement) || !(label instanceof HTMLElement)) return;
  dot.style.top = `${point.y}%`;
  // Keeps the label inside the plot at both ends.
  label.style.transform = `translateX(-${point.x}%)`;
  for (const [at, text] of [`${point.rate} USDT`, when].entries()) {
    const line = label.children[at];
    if (line) line.textContent = text;
  }
}

/**
 * In the visitor's language and time zone.
 * @param {Point} point
 */
function toTime({ time }) {
  format ??= new Intl.DateTimeFormat(document.querySelector("[data-locale]")?.getAttribute("data-locale") ?? "en", {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    calendar: "gregory",
    numberingSystem: "latn",
  });
  return format.format(time * 1000);
}

/** @param {Event} event */
function findReader({ target }) {
  return target instanceof Element ? target.closest("[data-kept]") : null;
}

/** @returns {HTMLInputElement | null} */
function findSlider() {
  return document.querySelector("[data-kept] > input");
}

/**
 * @param {unknown} target
 * @returns {target is HTMLInputElement}
 */
function isSlider(target) {
  return target instanceof HTMLInputElement && target === findSlider();
}

/**
 * The points that the line was drawn from, with their positions in the plot in percent.
 * @returns {Point[]}
 */
function readPoints() {
  const plot = document.querySelector("[data-points]");
  const places = plot?.querySelector("[data-line]")?.getAttribute("d")?.slice(1).split("L") ?? [];
  return (plot?.getAttribute("data-points") ?? "").split(";").flatMap((pair, at) => {
    const [time = "", rate = ""] = pair.split(" ");
    const [x, y] = (places[at] ?? "").split(" ").map((unit) => Number(unit) / 10);
    return x === undefined || y === undefined ? [] : [{ time: Number(time), rate, x, y }];
  });
}

/**
 * @param {Point[]} points
 * @param {number} x
 */
function toNearest(points, x) {
  const [first, ...others] = points;
  return others.reduce((near, point) => (Math.abs(point.x - x) < Math.abs((near?.x ?? 0) - x) ? point : near), first);
}

export {};
