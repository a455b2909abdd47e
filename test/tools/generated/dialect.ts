/** What a dialect rules, in tables for its page. */
import { reservedInPlaces, type Dialect } from "../../../provider/dialects";
import { sources } from "../../../schema/enums";
import { names, table } from "./table";

/** The last part of a path says enough: no two arguments share it. */
const fields = (paths: readonly string[]) => names(paths.map((path) => path.split(".").pop()!));

/** A page explains sizes and types in a section of their own. */
const isOfSize = (property: string) => /deployment(Tier|Type)$/.test(property);

/** Where it differs from the tables of arguments and changes. */
export function ruleRows(dialect: Dialect): string {
  const { vocabulary: words, changes, removal, revisionStatuses } = dialect;
  const conflicts = dialect.conflicts.filter(({ property }) => !isOfSize(property));
  const ruled = (kind: string) => fields(Object.keys(changes).filter((path) => changes[path] === kind));
  const cleared = Object.keys(removal).filter((path) => removal[path] !== "never");
  const spelt = Object.entries({ ...words.sources, ...words.fields });
  return table(
    ["", `Dialect \`${dialect.name}\``],
    [
      ["On the wire", spelt.map(([ours, theirs]) => `\`${ours}\` is \`${theirs}\``).join(", ")],
      ["Also replaces the deployment", ruled("replacement")],
      ["Also creates a new revision", ruled("revision")],
      ["Can be cleared", `only ${fields(cleared)}`],
      ["A name", dialect.names?.reason ?? ""],
      ...dialect.places
        .flatMap(({ namesOf = {} }) => Object.entries(namesOf))
        .map(([source, { reason }]) => [`A new name of ${names([source])}`, reason]),
      ...[...new Set(conflicts.map(({ reason }) => reason))].map((reason) => [
        fields(conflicts.filter((each) => each.reason === reason).map(({ property }) => property)),
        reason,
      ]),
      ["A revision has failed with", names(Object.keys(revisionStatuses?.failed ?? {}))],
    ],
  );
}

export function sourceRows({ sourcesOf, required, refusedOnFirstUp, sentOnCreate }: Dialect): string {
  return table(
    ["Source", "Needs", "Also accepts", "Sent if not declared"],
    sources.map((source) => {
      const needed = required[source] ?? [];
      const taken = Object.keys(sourcesOf).filter((path) => sourcesOf[path]?.includes(source));
      const later = refusedOnFirstUp[source] ?? [];
      const sent = Object.entries(sentOnCreate[source] ?? {});
      return [
        names([source]),
        fields(needed),
        [
          fields(taken.filter((path) => ![...needed, ...later].includes(path))),
          ...(later.length === 0 ? [] : [`${fields(later)} (once the deployment exists)`]),
        ].join(", "),
        fields(sent.map(([path, value]) => `${path}: ${JSON.stringify(value)}`)),
      ];
    }),
  );
}

export function reservedNames(dialect: Dialect): string {
  if (dialect.reservedSecrets.length === 0) return "";
  const everywhere = names(dialect.reservedSecrets);
  return `${everywhere}.\n\nIn the vendor's cloud also ${names(reservedInPlaces(dialect))}.\n`;
}
