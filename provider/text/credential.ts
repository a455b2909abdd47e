import { asObject, isObject, type Path, textsIn, valueAt, type Values, withValueAt } from "../../schema/tree";
import { withoutUserInfo } from "./user-info";

/** Matches `api_key`, `apiKey`, and common compounds such as `APIKEY`, but not `monkey`. */
const key = "(?:(?<![a-z])|access|api|app|auth|client|encryption|license|master|pass|private|signing|ssh)KEY";
const name = `(?:${key}|TOKEN|SECRET|PASSWORD)(?![a-z])`;

const credential = new RegExp(name, "i");
const endsAsCredential = new RegExp(`${name}$`, "i");

/** Names of secrets whose values are credentials: `MODEL_API_KEY`, `DB_PASSWORD`, but not `MAX_TOKENS`. */
export function isCredentialName(text: string): boolean {
  return credential.test(partedBeforeKey(text));
}

function partedBeforeKey(text: string): string {
  return text.replace(/[a-z](?=Key)/g, "$&_");
}

/** More names of credentials among the variables of containers, after `camelCase` was parted: `DB_PASS`, `GH_PAT`. */
const variableName = /(?:PASS|PASSWD|PWD|AUTH|CREDENTIALS?|DSN|(?<![a-z])PAT)(?![a-z])/i;
const isSwitch = /^(?:true|false|on|off|yes|no|\d{1,2})$/i;

/** Credentials as their issuers and HTTP spell them. */
const spellings = [
  "gh[oprsu]_",
  "github_pat_",
  "glpat-",
  "xox[a-z]-",
  "lsv2_",
  "AKIA",
  "AIza",
  "Bearer [^\\s$]",
  "sk-[\\w-]{8}",
  "hf_\\w{8}",
  "eyJ[\\w-]{8}",
  "Basic [\\w+/]{8}",
  "-----BEGIN [A-Z ]*PRIVATE KEY",
];
const issued = new RegExp(`(?<![\\w./-])(?:${spellings.join("|")})`);

/** `user:word@host`, but no address of mail and no image with a digest. */
const userWithPassword = /^(?!mailto:)[^:@$]+:[^@$]+@(?!sha256:)/;

/** Whether it is a container's variable with a credential: `{ name: "LOG_API_KEY", value: "…" }`. */
export function isCredentialVariable({ name, value }: Values): boolean {
  if (typeof name !== "string" || typeof value !== "string" || value === "") return false;
  return namesCredential(name, value) || isCredentialText(value);
}

/** What names a file with a credential does not count: `DB_PASSWORD_FILE`, `--token-path`. */
function namesCredential(name: string, value: string): boolean {
  if (/(?:file|path|dir)$/i.test(name)) return false;
  const parted = name.replace(/[a-z](?=[A-Z])/g, "$&_");
  return isCredentialName(name) || (variableName.test(parted) && !isSwitch.test(value));
}

/** Whether a text, of a container or an address, holds a credential, such as `--token=…` or `Server=db;Password=…`. */
export function isCredentialText(value: unknown): boolean {
  if (typeof value !== "string") return false;
  return (
    withoutUserInfo(value) !== value ||
    issued.test(value) ||
    value.split(/[\s/]+/).some((word) => userWithPassword.test(word)) ||
    value.split(/[\s;&?]+/).some(isAssignment)
  );
}

/** `--token=…`, but not `--token=$(TOKEN)`, which refers to a variable. */
function isAssignment(text: string): boolean {
  const [name = "", first] = text.split("=");
  return first !== undefined && /^[^$]/.test(first) && namesCredential(name, first);
}

/** Whether the item follows the name of an option: `["--token", "…"]`. */
function isCredentialItem(list: readonly unknown[], index: number): boolean {
  const [option, value] = [list[index - 1], list[index]];
  const areTexts = typeof option === "string" && typeof value === "string";
  return areTexts && option.startsWith("-") && !value.startsWith("-") && isAssignment(`${option}=${value}`);
}

/** Whether it is a label or an annotation such as `auth-token`, but not `agent-inject-secret-db`, which names a path. */
function isCredentialNote(name: string, value: unknown): boolean {
  return typeof value === "string" && endsAsCredential.test(partedBeforeKey(name)) && !isSwitch.test(value);
}

/** Where a container, or a list of them, holds credentials. */
export function credentialPathsIn(value: unknown, at: Path = []): Path[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => {
      const path = [...at, index];
      return isCredentialItem(value, index) ? [path] : credentialPathsIn(item, path);
    });
  if (!isObject(value)) return isCredentialText(value) ? [at] : [];
  const isVariable = isCredentialVariable(value);
  const hasNotes = at.at(-1) === "labels" || at.at(-1) === "annotations";
  return Object.entries(value).flatMap(([name, member]) => {
    const path = [...at, name];
    const isCredential = isVariable ? name === "value" : hasNotes && isCredentialNote(name, member);
    return isCredential ? [path] : credentialPathsIn(member, path);
  });
}

const size: Path = ["sourceConfig", "resourceSpec"];

/** Where the size of a deployment holds credentials: in its containers, labels and annotations. */
export function credentialPathsOf(args: object): Path[] {
  return credentialPathsIn(valueAt(args, size), size);
}

/** With credentials of containers marked as secrets, whoever added them: those of others are in no program. */
export function withMarkedCredentials<T extends object>(
  args: T,
  mark: (value: unknown) => unknown,
  paths = credentialPathsOf(args),
): T {
  return paths.reduce((all, path) => withValueAt(all, path, mark(valueAt(all, path))), args);
}

/** Values that are secret whatever they look like: credentials in the size, and `secrets` whose names are those of credentials. */
export function credentialsIn(args: object): string[] {
  const secrets = Object.entries(asObject(valueAt(args, ["secrets"])));
  const named = secrets.filter(([each]) => isCredentialName(each));
  return textsIn([
    ...named.map(([, value]) => value),
    ...credentialPathsOf(args).map((path) => valueAt(args, path)),
  ]);
}
