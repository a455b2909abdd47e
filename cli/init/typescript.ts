/** Writes a declaration as a TypeScript program. */
import { asObject, isObject, mapValues, withMissing, type Values } from "../../schema/tree";
import { comment, expand, keyText, newResource, quote, step, type Code, type Member } from "../generate/code";
import { filled } from "../files/package-texts";
import { variableNames } from "../generate/names";
import { commandText } from "../import/imported-manifest";
import {
  areSecretsManaged,
  argumentsWith,
  configOf,
  stacksWithoutSecrets,
  unmanagedText,
  type Declaration,
} from "./declaration";

export function programOf(declaration: Declaration): string {
  const { key, secrets, stacks } = declaration;
  const areManaged = areSecretsManaged(declaration);
  const unmanaged = stacksWithoutSecrets(declaration);
  const production = stacks.find(({ isProtected }) => isProtected)?.stack;
  const options: Member[] =
    production === undefined ? [] : [{ key: "protect", value: `pulumi.getStack() === ${quote(production)}` }];
  const members = membersOf(argumentsWith(ownArguments(declaration), declaration));
  if (areManaged) members.push({ key: "secrets", value: secretsCode(declaration, options.length > 0) });
  const closing = areManaged || secrets.size === 0 ? [] : commentedSecrets(declaration);
  const taken = ["config", "isManaged", "pulumi", "status", "url", "Deployment"];
  const variable = variableNames(taken)(key, "Deployment");
  const hasConfig = stacks.length > 1 || areManaged;
  const resource = newResource(variable, key, { members, comment: closing }, options);
  const usesSdk = hasConfig || resource.includes("pulumi.");
  return filled("cli/init/templates/program.txt", {
    sdkImport: usesSdk ? 'import * as pulumi from "@pulumi/pulumi";\n' : "",
    hasConfig,
    unmanaged: unmanaged.length > 0 && unmanaged.map(({ stack }) => stack).join(", "),
    commands: unmanaged.map(({ setSecrets }) => `\`${setSecrets}\``).join(" and "),
    condition: unmanaged.map(({ stack }) => `pulumi.getStack() !== ${quote(stack)}`).join(" && "),
    comment: declaration.comment.map((line) => `${comment(line)}\n`).join(""),
    resource,
    variable,
  });
}

/** A value that the program reads when it runs. */
class Expression {
  constructor(readonly code: string) {}
}

/** The values of the only stack, or code that reads them from the configuration of each stack. */
function ownArguments({ stacks }: Declaration): Values {
  const [{ args }] = stacks as [(typeof stacks)[number]];
  if (stacks.length === 1) return args;
  const configs = stacks.map(configOf);
  const fromConfig = (key: string) => {
    const given = configs.map((each) => each[key]).filter((value) => value !== undefined);
    const verb = given.length === stacks.length ? "require" : "get";
    return new Expression(`config.${verb}${kinds[typeof given[0]] ?? "Object"}(${quote(key)})`);
  };
  const all = stacks.reduce<Values>((more, each) => withMissing(more, each.args), {});
  return mapValues(all, (value, name) =>
    name === "sourceConfig" ? mapValues(asObject(value), (_, field) => fromConfig(field)) : fromConfig(name),
  );
}

const kinds: Readonly<Record<string, string>> = { string: "", number: "Number", boolean: "Boolean" };

function secretsCode({ secrets, stacks }: Declaration, hasOptions: boolean): Code {
  const members = [...secrets].map(([key, configKey]) => ({
    key,
    value: `config.requireSecret(${quote(configKey)})`,
  }));
  if (stacks.every(({ existing }) => existing === undefined)) return { members };
  // As Prettier breaks it: options indent the arguments once more.
  const indent = step.repeat(hasOptions ? 3 : 2);
  return `isManaged\n${indent}? ${expand({ members }, indent + step)}\n${indent}: undefined`;
}

function membersOf(values: Values): Member[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: codeOf(value) }));
}

function codeOf(value: unknown): Code {
  if (value instanceof Expression) return value.code;
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return { items: value.map(codeOf) };
  return isObject(value) ? { members: membersOf(value) } : String(value);
}

/** The lines of a block to be uncommented one by one: each stays on its line, whatever its length. */
function commentedSecrets(declaration: Declaration): string[] {
  const lines = [...declaration.secrets].map(([name, configKey]) => {
    const value = `new pulumi.Config().requireSecret(${quote(configKey)})`;
    return `  ${keyText(name)}: ${value}, // ${commandText({ configKey })}`;
  });
  return [...unmanagedText(declaration), "secrets: {", ...lines, "},"];
}
