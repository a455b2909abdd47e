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
import {
  areSecretsManaged,
  PerStack,
  perStackValues,
  protectedStacks,
  stacksWithoutSecrets,
  type Declaration,
} from "./declaration";

export function programOf(declaration: Declaration): string {
  const { args, secrets } = declaration;
  const usesConfig = perStackValues(args).length > 0 || areSecretsManaged(declaration);
  const usesPulumi = usesConfig || secrets.size > 0 || protectedStacks(declaration).length > 0;
  return [
    ...(usesPulumi ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    'import { Deployment } from "pulumi-deployment-service";',
    "",
    ...(usesConfig ? ["const config = new pulumi.Config();", ""] : []),
    ...conditionOfSecrets(stacksWithoutSecrets(declaration)),
    resourceOf(declaration),
    "",
    `export const { status, url } = ${variableOf(declaration)};`,
    "",
  ].join("\n");
}

/** The statement that declares it, which may use the variables `config` and `isManaged`. */
function resourceOf(declaration: Declaration): string {
  const { key, args, secrets } = declaration;
  const members = membersOf(args, declaration, []);
  const last = members.at(-1);
  if (areSecretsManaged(declaration)) members.push({ key: "secrets", value: secretsCode(declaration) });
  else if (secrets.size > 0 && last !== undefined)
    members.splice(-1, 1, {
      ...last,
      notes: notesOf({ ...last.notes, after: commentedSecrets(declaration) }),
    });
  const isStack = protectedStacks(declaration).map((each) => `pulumi.getStack() === ${quote(each)}`);
  const options: Member[] = isStack.length === 0 ? [] : [{ key: "protect", value: isStack.join(" || ") }];
  return newResource(variableOf(declaration), key, members, options);
}

function variableOf({ key }: Declaration): string {
  const taken = ["config", "isManaged", "pulumi", "status", "url", "Deployment"];
  return new Names(taken).take(key, "Deployment");
}

function secretsCode(declaration: Declaration): Code {
  const members = [...declaration.secrets].map(([key, configKey]) => ({
    key,
    value: `config.requireSecret(${quote(configKey)})`,
  }));
  if (stacksWithoutSecrets(declaration).length === 0) return { members };
  // As Prettier breaks it: options indent the arguments once more.
  const indent = step.repeat(protectedStacks(declaration).length > 0 ? 3 : 2);
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

function conditionOfSecrets(unmanaged: readonly string[]): string[] {
  if (unmanaged.length === 0) return [];
  return [
    comment(`In ${unmanaged.join(" and ")}, the secrets stay as the service has them. To manage them here,`),
    comment(`run \`sh set-secrets.sh ${unmanaged[0]}\` and replace this condition by \`true\`.`),
    `const isManaged = ${unmanaged.map((each) => `pulumi.getStack() !== ${quote(each)}`).join(" && ")};`,
    "",
  ];
}

function notesOf({ before = [], beside = [], after = [] }: Partial<Notes>): Notes {
  return { before, beside, after };
}
