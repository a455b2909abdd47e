/** The help of every command, as it prints it. */
import { commands } from "../../../provider/cli/commands";
import { helpText, overview } from "../../../provider/cli/help";

export function commandSections(): string {
  const sections = commands.map((command) => `## ${command.name}\n\n${block(helpText(command))}`);
  return [block(overview(commands)), ...sections].join("\n\n");
}

function block(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}
