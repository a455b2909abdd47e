/** Writes the script that completes command lines in a shell, from the commands themselves. */
import { commonFlags } from "./command-line";
import { exitCodes, UsageError, type Command, type Flag } from "./command";

type Shell = "bash" | "zsh" | "fish";

const names = ["pulumi-deployment-service", "deployment-service"];

/** @param all the other commands */
export function completionCommand(all: readonly Command[]): Command {
  const command: Command = {
    name: "completion",
    summary: "Write the script that completes command lines in a shell",
    positionals: ["SHELL"],
    flags: [],
    notes: [
      {
        title: "Set up",
        lines: [
          "With the command on the PATH, by `npm install --global pulumi-deployment-service` for example:",
          "  bash  source <(pulumi-deployment-service completion bash)   in ~/.bashrc",
          "  zsh   source <(pulumi-deployment-service completion zsh)    in ~/.zshrc, after compinit",
          "  fish  pulumi-deployment-service completion fish | source    in ~/.config/fish/config.fish",
        ],
      },
    ],
    examples: { "npx pulumi-deployment-service completion bash": "for bash; also zsh and fish" },
    run({ positionals: [shell = ""] }, io) {
      if (!Object.hasOwn(scripts, shell)) throw new UsageError("SHELL must be one of bash, zsh, fish");
      io.stdout.write(scripts[shell as Shell]([...all, command]));
      return Promise.resolve(exitCodes.done);
    },
  };
  return command;
}

const scripts: Readonly<Record<Shell, (commands: readonly Command[]) => string>> = {
  bash: (commands) =>
    script([...bashFunction(commands), `complete -o default -F _deployment_service ${names.join(" ")}`]),
  // zsh reads the functions of bash.
  zsh: (commands) => script(["autoload -U +X bashcompinit && bashcompinit", scripts.bash(commands)]),
  fish: (commands) => script(names.flatMap((name) => fishLines(name, commands))),
};

function bashFunction(commands: readonly Command[]): string[] {
  const cases = commands.map(({ name, flags }) => `    ${name}) words="${wordsOf(flags).join(" ")}" ;;`);
  const values = commands.flatMap(({ name, flags }) =>
    flags.flatMap(({ name: flag, choices }) =>
      choices === undefined ? [] : [`    "${name} --${flag}") words="${choices.join(" ")}" ;;`],
    ),
  );
  return [
    "_deployment_service() {",
    '  local words="" current="${COMP_WORDS[COMP_CWORD]}" command="${COMP_WORDS[1]}"',
    '  case "$command" in',
    ...cases,
    "  esac",
    '  case "$command ${COMP_WORDS[COMP_CWORD-1]}" in',
    ...values,
    "  esac",
    `  if [ "$COMP_CWORD" -eq 1 ]; then words="${commands.map(({ name }) => name).join(" ")} --help --version"; fi`,
    '  if [ "$COMP_CWORD" -eq 2 ] && [ "$command" = completion ]; then words="bash zsh fish"; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    "}",
  ];
}

function wordsOf(flags: readonly Flag[]): string[] {
  return [...flags, ...commonFlags].map(({ name }) => `--${name}`);
}

function fishLines(program: string, commands: readonly Command[]): string[] {
  return commands.flatMap(({ name, summary, flags }) => [
    `complete -c ${program} -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ...[...flags, ...commonFlags].map(({ name: flag, doc, value, choices }) => {
      const takes =
        value === undefined ? "" : choices === undefined ? " -r" : ` -x -a ${quoted(choices.join(" "))}`;
      return `complete -c ${program} -n '__fish_seen_subcommand_from ${name}' -l ${flag}${takes} -d ${quoted(doc)}`;
    }),
  ]);
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function script(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}
