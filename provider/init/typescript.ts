/** Writes a declaration as a TypeScript program. */
import { isObject, type Values } from "../../schema/tree";
import {
  comment,
  expand,
  newResource,
  quote,
  step,
  type Code,
  type Member,
  type Notes,
} from "../manifest/generate/code";
import { closing, opening, secretLine } from "../manifest/generate/commented-secrets";
import { Names } from "../manifest/generate/names";
import { commandText } from "../import/manifest";
import { isCommented, PerStack, perStackValues, type Declaration } from "./declaration";

export function programOf(declaration: Declaration): string {
  const { args, secrets, protectedIn } = declaration;
  const isManaged = secrets.size > 0 && !isCommented(declaration);
  const usesConfig = perStackValues(args).length > 0 || isManaged;
  const usesPulumi = usesConfig || secrets.size > 0 || protectedIn.length > 0;
  return [
    ...(usesPulumi ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    'import { Deployment } from "pulumi-deployment-service";',
    "",
    ...(usesConfig ? ["const config = new pulumi.Config();", ""] : []),
    ...(isPartlyManaged(declaration) ? [...unmanagedText(declaration), ""] : []),
    resourceOf(declaration),
    "",
    `export const { status, url } = ${variableOf(declaration)};`,
    "",
  ].join("\n");
}

/** The statement that declares it, which may use the variables `config` and `isManaged`. */
function resourceOf(declaration: Declaration): string {
  const { key, args, secrets, protectedIn } = declaration;
  const members = membersOf(args, declaration, []);
  const last = members.at(-1);
  if (secrets.size > 0 && !isCommented(declaration))
    members.push({ key: "secrets", value: secretsCode(declaration) });
  else if (secrets.size > 0 && last !== undefined)
    members.splice(-1, 1, {
      ...last,
      notes: notesOf({ ...last.notes, after: commentedSecrets(declaration) }),
    });
  const protect = protectedIn.map((each) => `pulumi.getStack() === ${quote(each)}`).join(" || ");
  const options: Member[] = protect === "" ? [] : [{ key: "protect", value: protect }];
  return newResource(variableOf(declaration), key, members, options);
}

function variableOf({ key }: Declaration): string {
  const taken = ["config", "isManaged", "pulumi", "status", "url", "Deployment"];
  return new Names(taken).take(key, "Deployment");
}

function isPartlyManaged(declaration: Declaration): boolean {
  return declaration.secrets.size > 0 && declaration.unmanagedIn.length > 0 && !isCommented(declaration);
}

function secretsCode(declaration: Declaration): Code {
  const members = [...declaration.secrets].map(([key, configKey]) => ({
    key,
    value: `config.requireSecret(${quote(configKey)})`,
  }));
  if (!isPartlyManaged(declaration)) return { members };
  // As Prettier breaks it: options indent the arguments once more.
  const indent = step.repeat(declaration.protectedIn.length > 0 ? 3 : 2);
  return `isManaged\n${indent}? ${expand({ members }, indent + step)}\n${indent}: undefined`;
}

function membersOf(
  values: Values,
  { comments }: Pick<Declaration, "comments">,
  path: readonly string[],
): Member[] {
  return Object.entries(values).map(([key, value]) => {
    const place = [...path, key];
    const before = comments[place.join(".")];
    const code: Code =
      isObject(value) && !(value instanceof PerStack)
        ? { members: membersOf(value, { comments }, place) }
        : codeOf(value);
    return { key, value: code, ...(before && { notes: notesOf({ before: [...before] }) }) };
  });
}

function codeOf(value: unknown): Code {
  if (value instanceof PerStack) return fromConfig(value);
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return { items: value.map((each) => ({ value: codeOf(each) })) };
  if (!isObject(value)) return String(value);
  const members = Object.entries(value).map(([key, each]) => ({ key, value: codeOf(each) }));
  return { members };
}

const kinds: Readonly<Record<string, string>> = { string: "", number: "Number", boolean: "Boolean" };

function fromConfig({ configKey, values }: PerStack): string {
  const given = values.filter((value) => value !== undefined);
  const verb = given.length === values.length ? "require" : "get";
  return `config.${verb}${kinds[typeof given[0]] ?? "Object"}(${quote(configKey)})`;
}

function commentedSecrets({ secrets }: Declaration): string[] {
  const lines = [...secrets].map(([name, configKey]) =>
    secretLine(name, configKey, commandText({ configKey })),
  );
  return [opening, ...lines, closing];
}

function unmanagedText({ unmanagedIn }: Declaration): string[] {
  const [first, ...others] = unmanagedIn;
  const kept =
    others.length === 0 ? `stack ${first} keeps its` : `stacks ${unmanagedIn.join(" and ")} keep their`;
  return [
    comment(`The ${kept} deployment's secrets as the service has them. To manage them here,`),
    comment(`run \`sh set-secrets.sh ${first}\` and replace this condition by \`true\`.`),
    `const isManaged = ${unmanagedIn.map((each) => `pulumi.getStack() !== ${quote(each)}`).join(" && ")};`,
  ];
}

function notesOf({ before = [], beside = [], after = [] }: Partial<Notes>): Notes {
  return { before, beside, after };
}
