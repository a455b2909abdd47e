/**
 * Faults that the tests must notice: each is put into a copy of the source, and the tests next to it must fail. `npm run test:mutants`
 * plays them all, `npm run test:mutants -- adopt` those whose file has that in its name. A row that lives is a law that no test holds.
 */
export interface Mutant {
  readonly file: string;
  /** Stands once in the file. */
  readonly text: string;
  readonly replacement: string;
  /** The test files that must notice, of which one is enough. */
  readonly tests: readonly string[];
}

type Row = readonly [file: string, text: string, replacement: string, ...tests: string[]];

const deployment: readonly Row[] = [
  ["adopt", "if (isUnderWay) return", "if (!isUnderWay) return", "adopt"],
  [
    "adopt",
    "last.problem === undefined ? live : withoutRevision(live, args, dialect)",
    "live",
    "adopt",
    "taken-over",
  ],
  ["adopt", "refuseOwned(found);", "", "adopt"],
  ["read", "!isResolvable || !isDigestOf(each)", "true", "digest"],
  ["read", "const isResolvable = !isNew || previous.length === 0", "const isResolvable = true", "digest"],
  ["lost-request", "isNew && isOwn &&", "isOwn &&", "recognize"],
  ["lost-request", "latest === null || previous.includes(latest)", "latest === null", "recognize", "update"],
  // A revision that failed counts as made.
  ["lost-request", "isNewest && !hasEnded &&", "isNewest &&", "lost-update"],
  // A revision counts as made, whoever made it and whenever.
  ["lost-request", "isNewest && !hasEnded", "!hasEnded", "lost-update"],
  ["lost-request", "!rows.some(isDrift) && revising", "revising", "lost-update"],
  ["lost-request", "if (isStale || sent !== undefined)", "if (sent !== undefined)", "lost-update"],
  // One row of the table of `merge.ts` each.
  [
    "merge",
    "recorded === undefined ? each.wants :",
    "recorded !== null ? each.wants :",
    "merge",
    "normalized",
  ],
  [
    "merge",
    'valueAt(sent, each.path) === undefined ? "program" : "service"',
    '"program"',
    "merge",
    "normalized",
  ],
  ["merge", 'isLeft ? "ignored" : ', "", "merge"],
  // What `ignoreChanges` leaves to others lets a killed run make a second revision.
  [
    "lost-request",
    "compare({ declared, live, shown, ignoreChanges })",
    "compare({ declared, live, shown })",
    "lost-update",
  ],
  ["merge", 'isCompared ? "program" : "hidden"', '"program"', "merge", "normalized"],
  [
    "merge",
    "before === undefined && wants === undefined) return is",
    "wants === undefined) return is",
    "undeclared",
    "ignored",
  ],
  ["merge", "if (isItem && wants === undefined) return undefined;", "", "undeclared", "ignored"],
  ["merge", "isEqual(wants, Array.isArray(wants) ? [] : {})", "false", "drift"],
  ["merge", 'if (is === undefined ? wants === "" :', "if (is === undefined ? false :", "drift"],
  // A mask that was shown once hides what comes after it, and a response without secrets makes all of them new.
  [
    "merge",
    'typeof recorded === "string" && isHidden(recorded) ? undefined : recorded',
    "recorded",
    "normalized",
  ],
  ["shown", 'if (values["secrets"] === undefined) return lastShown;', "", "merge"],
  // The mask of a secret that a refresh meets is not recorded: the preview does not know that an update will be refused.
  ["shown", "firstDefined(lastShown, standInOf(row))", "undefined", "ignored"],
  [
    "shown",
    "return row && standInOf(row);",
    'return row && row.whose !== "hidden" ? standInOf(row) : undefined;',
    "ignored",
  ],
  // The value that someone gave a secret is recorded beside the arguments, and another one later is not seen.
  ["shown", "row === undefined || isDrift(row) ?", "row === undefined ?", "taken-over"],
  [
    "shown",
    "!isEqual(value, lastShownAt(before, row.path)) &&",
    "isEqual(value, lastShownAt(before, row.path)) &&",
    "taken-over",
  ],
  ["shown", "before !== undefined &&\n    !runs", "!runs", "after-first-revision"],
  // A setting whose responses all lag is sent again by each `up`.
  ["shown", "first === undefined && mayShowLater", "false", "normalized"],
  [
    "shown",
    "isFixed ? lastShownAt(before, path) : undefined",
    "undefined",
    "immutable",
    "undeclared",
    "after-first-revision",
  ],
  // A failed replacement holds nothing.
  ["claims", "for (const claim of failed) this.#claims.set(keyOf(claim), claim);", "", "claims"],
  ["claims", 'claims.find(({ hold }) => hold === "keeps") ?? ', "", "claims"],
  [
    "create",
    "mayExist && observed !== undefined && isLikelyResultOfPost(declared, observed, earliest)",
    "observed !== undefined && isLikelyResultOfPost(declared, observed, earliest)",
    "recognize",
    "create",
  ],
  ["name-taken", "if (holder !== undefined && isDeleting(holder))", "if (holder === undefined)", "create"],
  ["delete", 'if (claim?.hold !== "failed") return claim;', "return claim;", "claims"],
  ["delete", "await refuseUnseen(state, context);", "", "read-and-remove"],
  ["delete", "await service.read(id).catch(() => undefined);", "await service.read(id);", "read-and-remove"],
  ["delete", "if (observed !== undefined) refuseOwned(observed);", "", "read-and-remove"],
  ["diff", 'state.arguments.name === args["name"] && !isMoved', "!isMoved", "diff"],
  ["diff", " || content.pinsServer", "", "source-folder.long"],
  ["diff", ' || effectOf(now) === "revision"', "", "after-first-revision", "diff", "steps"],
  [
    "identity",
    "made !== undefined && tenantId !== undefined && made !== tenantId.toLowerCase()",
    "made !== undefined && tenantId !== undefined && made !== tenantId",
    "read-and-remove",
  ],
  [
    "patch",
    'whose === "ignored" && !isAfterFirstRevision(path) &&',
    'whose === "ignored" &&',
    "after-first-revision",
  ],
  [
    "patch",
    "reasons.every(({ path }) => isAfterFirstRevision(path))",
    "true",
    "after-first-revision",
    "source-folder.long",
  ],
  ["patch", 'if (effectOf(changes) !== "revision") return patch;', "", "patch"],
  ["read", "isNew && isRevised ?", "isRevised ?", "read-and-remove", "drift"],
  [
    "record",
    'end === "active" || isGivenUp ? undefined : rollout',
    'end === "active" ? undefined : rollout',
    "update",
  ],
  ["record", 'shown && end !== "stopped" ?', "shown ?", "record"],
  [
    "record",
    "canShow ? [response, observed].find((each) => isShown(change, before, each)) : undefined",
    "[response, observed].find((each) => isShown(change, before, each))",
    "record",
  ],
  ["record", '...(end === "no revision" ? [texts.notSeen(observed, isGivenUp)] : [])', "", "update"],
  // A rollout that `skipAwait` did not wait for is forgotten.
  [
    "rollout",
    'if (rollout === undefined) return { end: "active", observed: response, rollout };',
    'if (rollout === undefined) return waitUntilReady(context, args, response).then(() => ({ end: "active" as const, observed: response, rollout }));',
    "ready",
  ],
  ["rollout", 'isRolledOut(response, rollout) ? "active" : "not awaited"', '"active"', "taken-over"],
  ["patch", "wants === undefined && isNothing(merged) ? undefined : merged", "merged", "undeclared"],
  ["send", "await refuseUnseen(before, context);\n  throw", "throw", "update"],
  ["send", "withMissing({ ...patch }, changedValues(changes, args))", "{ ...patch }", "lost-update"],
  ["read", "!isChecked && isRolledOut", "!isChecked && skipAwait === true || isRolledOut", "taken-over"],
  ["send", "if (!isAmbiguous) throw error;", "throw error;", "update", "recognize"],
  ["plan", ' && args["skipAwait"] !== true', "", "update", "after-first-revision"],
  ["reconcile", "(resumes || later.length > 0)", "resumes", "after-first-revision"],
  ["plan", "!isActive && isAfterFirstRevision(path)", "isAfterFirstRevision(path)", "after-first-revision"],
  // A failed update counts its generation.
  ["update", "const counted = { ...state, generation,", "const counted = { ...state,", "update"],
  [
    "awaited-revision",
    "latestRevisionId === revision || !previous.includes(latestRevisionId)",
    "true",
    "wait",
    "update",
  ],
  ["awaited-revision", 'if (status !== "READY") return false;', "", "wait", "update"],
  ["wait", " && !waitingStatuses.includes(status)", "", "wait"],
];

const controlPlane: readonly Row[] = [
  ["batch-reader", "this.cost + 2 <= 2 * this.costByIds", "true", "batch-reader"],
  ["batch-reader", "this.written.add(sameId(id));", "", "batch-reader"],
  ["batch-reader", "asked.some(({ beforeWrite }) => beforeWrite)", "false", "batch-reader"],
  ["batch-reader", "this.clock.now() - round.began <= mostAge", "true", "batch-reader"],
  // A write whose response is late may have been done, and nobody finds out.
  [
    "http",
    'call.method === "GET" ? limits : this.limitsAfterDeadline(limits, answered.signal)',
    "limits",
    "http",
  ],
  ["rate-limit", "turn.leave();", "", "rate-limit.isolated"],
  [
    "rate-limit",
    'return { end: waited.end, reason: "others were sent before it", wait: 0 };',
    "",
    "rate-limit.isolated",
  ],
  ["pagination", "page.offset > offset ? page.offset : offset + ids.length", "page.offset", "pagination"],
  ["response", "if (raw.status >= 300) {", "if (raw.status >= 600) {", "response", "http"],
  ["retry", "(error.isAmbiguous && !idempotent)", "false", "retry", "http"],
  ["revisions", "latest === null ? null : ", "", "revisions", "polls"],
  ["translate", "this.dialect.vocabulary.sources[value as string] ?? value", "value", "translate"],
  // What only a deletion takes is sent with a creation.
  ["translate", 'sent !== "never" && sent !== "onDelete"', 'sent !== "never"', "translate"],
  [
    "translate",
    'wire.url || textIn(sourceConfig["customUrl"]) || ""',
    'wire.url || ""',
    "translate",
    "parse",
    "../deployment/ready",
  ],
  ["upload", 'if (isKind(error, "invalid")) return ask();', "", "../deployment/source-folder.long"],
  ["visibility", "tenantId === null ? this.#tenants.size > 0 :", "tenantId === null ? true :", "visibility"],
];

const dialects: readonly Row[] = [
  ["index", 'if (status === known.stopped) return "stopped";', "", "../deployment/wait"],
];

const archive: readonly Row[] = [
  [
    "root-rules",
    "if (pattern?.isNegated === false) {",
    "if (pattern !== undefined) {",
    "folder",
    "model.long",
  ],
  ["root-rules", 'entry.isSymbolicLink() ? "links" : "special"', '"special"', "folder"],
  ["source-files", "[...files.keys()].sort()", "[...files.keys()].sort().reverse()", "folder", "model.long"],
  ["archive", "if (size > rules.largest) throw tooLarge(files, rules.largest);", "", "folder"],
  ["digest", "if (pointers.length > 0)", "if (pointers.length > 1)", "folder", "graph-config"],
  // Another system's checkout makes a revision.
  ["source-files", "isExecutable: bits.get(file)", "isExecutable: undefined", "folder"],
  ["named-files", "!(isMade && isBuilt)", "!isBuilt", "graph-config"],
];

const text: readonly Row[] = [
  [
    "redact",
    "return withoutUserInfo(result + text.slice(end));",
    "return result + text.slice(end);",
    "user-info",
  ],
  ["sanitize", "const line = withoutUserInfo(plain)", "const line = plain", "user-info"],
  ["sanitize", "(?:vso|teamcity)?", "(?:vso)?", "sanitize"],
];

const manifest: readonly Row[] = [
  [
    "reference",
    'if (depth > 0 && next === "}" && braces === 0) return end();',
    'if (depth > 0 && next === "}") return end();',
    "references",
  ],
  ["layers", " && name.endsWith(last)", "", "stacks", "corpus"],
  ["layers", "deployments.delete(key);", "", "stacks", "corpus", "from-manifest"],
  [
    "secrecy",
    'if (context === "secrets") return "secret";',
    'if (context === "secrets") return "unknown";',
    "corpus",
    "references",
  ],
  [
    "dependency-graph",
    "if (depth !== -1) return reportCycle(path.slice(depth), view, report);",
    "if (depth !== -1) return;",
    "corpus",
  ],
];

const summary: readonly Row[] = [
  [
    "deployment-change",
    'step.oldState?.retainOnDelete === true ? "retention" : "deletion"',
    '"deletion"',
    "summary",
  ],
  [
    "summary",
    'return [operation, Math.max(0, missing) + (operation === "update" ? empty : 0)];',
    "return [operation, 0];",
    "summary",
  ],
];

const connection: readonly Row[] = [
  [
    "named-deployment",
    "if (stack === undefined || deployment === undefined) return deployment;",
    "return deployment;",
    "../two-stacks.long",
  ],
  [
    "named-deployment",
    "if (id !== undefined) return client",
    "if (id === name) return client",
    "../two-stacks.long",
  ],
];

const settings: readonly Row[] = [
  ["token", "now < expires - margin", "now < expires", "token"],
  ["token", 'if (token.expires <= now) throw new Error("printed a token that has expired");', "", "token"],
  ["token", "if (known?.texts.includes(login.stored.text)) return known;", "", "token"],
  ["profile", "filter(([variable]) => !tools.api.includes(variable))", "filter(() => true)", "token"],
  [
    "vendor",
    "if (key !== undefined && this.#isOfVariables(baseUrl)) {",
    "if (key !== undefined) {",
    "vendor",
  ],
];

const folders = {
  "provider/deployment": deployment,
  "provider/control-plane": controlPlane,
  "provider/dialects": dialects,
  "provider/archive": archive,
  "provider/text": text,
  "provider/manifest": manifest,
  "provider/settings": settings,
  "cli/connection": connection,
  "cli/summary": summary,
};

export const mutants: readonly Mutant[] = Object.entries(folders).flatMap(([folder, rows]) =>
  rows.map(([file, text, replacement, ...tests]) => ({
    file: `${folder}/${file}.ts`,
    text,
    replacement,
    tests: tests.map((each) => `test/unit/${folder.replace("provider/", "")}/${each}.test.ts`),
  })),
);
