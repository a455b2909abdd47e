/** The lifecycle of a deployment as a picture: what a change causes, when it waits, what an interrupted run leaves. */
import { letter, lineHeight, rectangle, svg, textAt, wrapped, type Colour } from "./svg";

interface Lane {
  readonly colour: Colour;
  readonly change: string;
  readonly sent: string;
  readonly waits: string;
  readonly after: string;
  /** What a run leaves that was interrupted on the way. */
  readonly interrupted: string;
}

const lanes: readonly Lane[] = [
  {
    colour: "added",
    change: "A new resource",
    sent: "POST",
    waits: "its first revision to be active",
    after: "generation 1",
    interrupted:
      "It is in the state, marked as unfinished: the next “up” resumes waiting. Killed before the response: the next “up” " +
      "finds the name taken, and “adopt: true” takes it over.",
  },
  {
    colour: "changed",
    change: "Image, repository ref, triggers",
    sent: "PATCH with a new revision",
    waits: "that revision to be active",
    after: "generation + 1",
    interrupted: "The rollout goes on. The next “up” resumes waiting, and makes no second revision.",
  },
  {
    colour: "accent",
    change: "Sizes, URL, secrets, build settings",
    sent: "PATCH of what changed",
    waits: "nothing: there is no rollout",
    after: "the same revision",
    interrupted: "The next “up” sends what is not yet as declared.",
  },
  {
    colour: "removed",
    change: "Another name",
    sent: "POST, then DELETE of the old one",
    waits: "the new rollout, then the old one's deletion",
    after: "a new id",
    interrupted: "The old one stays until the new one is there: the next “up” goes on from there.",
  },
  {
    colour: "removed",
    change: "Another source or deployment type",
    sent: "DELETE, then POST: the name stays",
    waits: "the deletion, then the new rollout",
    after: "a new id",
    interrupted: "What is deleted has left the state: the next “up” creates what is missing.",
  },
  {
    colour: "muted",
    change: "Removed from the program",
    sent: "DELETE",
    waits: "the service to delete it",
    after: "not in the state",
    interrupted: "It stays in the state: the next run goes on waiting.",
  },
];

const columns = [
  { head: "In the program", of: ({ change }: Lane) => change, width: 200 },
  { head: "Sent to the service", of: ({ sent }: Lane) => sent, width: 196 },
  { head: "“up” waits for", of: ({ waits }: Lane) => waits, width: 236 },
  { head: "Afterwards", of: ({ after }: Lane) => after, width: 156 },
] as const;

const gap = 32;
const margin = 20;
const padding = 12;
const boxHeight = 2 * lineHeight + 2 * padding;
const lefts = columns.map((_, at) =>
  columns.slice(0, at).reduce((sum, column) => sum + column.width + gap, margin),
);
const width = columns.reduce((sum, column) => sum + column.width + gap, 2 * margin - gap);

export function lifecyclePicture(title: string): string {
  const top = margin + 2 * lineHeight;
  let y = top;
  const drawn = lanes.flatMap((lane) => {
    const { elements, height } = drawLane(lane, y);
    y += height;
    return elements;
  });
  const height = y;
  return svg({ width, height }, title, ".line { stroke-width: 1.5; fill: none }", [
    rectangle(0, 0, { width, height }, "page", 'rx="10"'),
    ...columns.map(({ head }, at) =>
      textAt(head, { x: lefts[at]!, y: margin + lineHeight, classes: "muted strong" }),
    ),
    ...drawn,
  ]);
}

function drawLane(lane: Lane, y: number) {
  const note = wrapped(
    `Interrupted: ${lane.interrupted}`,
    Math.floor((width - 2 * margin - 30) / letter.sans),
  );
  const boxes = columns.flatMap((column, at) =>
    drawBox(column.of(lane), lefts[at]!, y, column.width, at, lane),
  );
  const arrows = lefts.slice(1).map((left) => drawArrow(left - gap + 3, left - 3, y + boxHeight / 2));
  const noteTop = y + boxHeight + lineHeight;
  const corner = `M ${margin + 10} ${y + boxHeight} V ${noteTop - 5} H ${margin + 22}`;
  return {
    elements: [
      ...boxes,
      ...arrows,
      `<path d="${corner}" class="line on-muted" stroke-dasharray="3 3"/>`,
      ...note.map((line, row) =>
        textAt(line.trim(), { x: margin + 28, y: noteTop + row * lineHeight, classes: "muted" }),
      ),
    ],
    height: boxHeight + (note.length + 1) * lineHeight + 10,
  };
}

function drawBox(
  text: string,
  x: number,
  y: number,
  boxWidth: number,
  at: number,
  { colour }: Lane,
): string[] {
  const lines = wrapped(text, Math.floor((boxWidth - 2 * padding) / letter.sans)).map((line) => line.trim());
  const first = y + boxHeight / 2 - ((lines.length - 1) * lineHeight) / 2 + 5;
  const isChange = at === 0;
  return [
    rectangle(x, y, { width: boxWidth, height: boxHeight }, `panel ${isChange ? `on-${colour}` : "on-line"}`),
    ...lines.map((line, row) =>
      textAt(line, {
        x: x + padding,
        y: first + row * lineHeight,
        classes: isChange ? `${colour} strong` : "text",
      }),
    ),
  ];
}

function drawArrow(from: number, to: number, y: number): string {
  return `<path d="M ${from} ${y} H ${to} m -6 -4 l 6 4 l -6 4" class="line on-muted"/>`;
}
