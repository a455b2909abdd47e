/** A recording as a picture: a terminal that shows one command after the other, for ever. */
import type { Scene } from "../demo/recording";
import { letter, lineHeight, rectangle, svg, textAt, wrapped, type Colour } from "./svg";

const columns = 100;
const secondsEach = 6;
const margin = 24;
const bar = 36;
const width = Math.ceil(columns * letter.mono + 2 * margin);

interface Line {
  readonly text: string;
  readonly classes: string;
}

export function recordingPicture(scenes: readonly Scene[], title: string): string {
  const frames = scenes.map(linesOf);
  const rows = Math.max(...frames.map(({ length }) => length));
  const height = bar + rows * lineHeight + 2 * margin;
  return svg({ width, height }, title, styleFor(scenes.length), [
    rectangle(0.5, 0.5, { width: width - 1, height: height - 1 }, "page on-line", 'rx="10"'),
    `<path d="M 0.5 ${bar} H ${width - 0.5}" class="on-line"/>`,
    ...(["removed", "changed", "added"] as const).map(
      (colour, at) => `<circle cx="${20 + 20 * at}" cy="${bar / 2}" r="6" class="${colour}"/>`,
    ),
    textAt("npm run demo", { x: 90, y: bar / 2 + 5, classes: "mono muted" }),
    ...frames.flatMap((lines, at) => frame(lines, at, frames.length)),
  ]);
}

/** Without animations, and for whoever does not want any, the picture stands still at the change of the image. */
const still = 2;

function styleFor(count: number): string {
  const share = Math.round(100_000 / count) / 1_000;
  return `
.frame { opacity: 0; animation: show ${count * secondsEach}s step-end infinite }
.still { opacity: 1 }
@keyframes show { 0% { opacity: 1 } ${share}%, 100% { opacity: 0 } }
@media (prefers-reduced-motion: reduce) { .frame { animation: none } }`;
}

function frame(lines: readonly Line[], at: number, count: number): string[] {
  const delay = at === 0 ? 0 : (at - count) * secondsEach;
  const top = bar + margin + lineHeight / 2;
  return [
    `<g class="frame${at === still ? " still" : ""}" style="animation-delay: ${delay}s">`,
    textAt(`${at + 1} / ${count}`, { x: width - margin - 60, y: bar / 2 + 5, classes: "mono muted" }),
    ...lines.map(({ text, classes }, row) => textAt(text, { x: margin, y: top + row * lineHeight, classes })),
    `</g>`,
  ];
}

function linesOf({ step, title, explanation, edits, command, screen, requests }: Scene): Line[] {
  return [
    ...said(`${step}. ${title}`, "text strong"),
    ...said(explanation.replaceAll("`", ""), "muted"),
    empty,
    ...edits.flatMap(([from, to]) => [...typed(`- ${from}`, "removed"), ...changed(to)]),
    ...(edits.length > 0 ? [empty] : []),
    ...typed(`$ ${command}`, "accent"),
    ...screen.filter((line) => !isIdentity(line)).flatMap((line) => typed(line, colourOf(line))),
    empty,
    ...said(requests.length === 0 ? "No request was sent." : `Sent: ${short(requests)}`, "muted"),
  ].filter(({ text }, at, all) => text !== "" || all[at - 1]?.text !== "");
}

const empty: Line = { text: "", classes: "text" };

function said(text: string, classes: string): Line[] {
  return wrapped(text, columns).map((line) => ({ text: line, classes }));
}

function typed(text: string, colour: Colour): Line[] {
  return wrapped(text, columns).map((line) => ({ text: line, classes: `mono ${colour}` }));
}

function changed(to: string): Line[] {
  return to.split("\n").flatMap((line) => typed(`+ ${line}`, "added"));
}

/** `[urn=…]`: what `--diff` repeats of every resource would be half of the picture. */
function isIdentity(line: string): boolean {
  return /^ *\[(urn|id|provider)[=:]/.test(line);
}

/** Polls of the same kind together. */
function short(requests: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const request of requests) {
    const name = request.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, "{id}").replace(/ \d+$/, "");
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => (count === 1 ? name : `${count} × ${name}`)).join(", ");
}

function colourOf(line: string): Colour {
  const [, sign = ""] = /^ *(\+\+|--|\+-|[-+~])(?= )/.exec(line) ?? [];
  if (/^ *[^ :][^:]*: (creates a new revision|updates settings|replaces the deployment)/.test(line))
    return "accent";
  if (sign === "") return "text";
  if (sign === "~" || sign === "+-") return "changed";
  return sign.startsWith("+") ? "added" : "removed";
}
