import { type EmailPart, type EmailTemplate, senderName } from "./template";

/** Renders an e-mail as plain text. The signature follows "-- ", which e-mail programs recognise. */
export function toText({ title, parts, notYou }: EmailTemplate, footer: string[]): string {
  const blocks = [title, ...parts.map(toBlock), notYou, `-- \n${[senderName, ...footer].join("\n")}\n`];
  return blocks.join("\n\n");
}

function toBlock(part: EmailPart): string {
  if (typeof part === "string") return part;
  if ("digits" in part) return part.digits;
  if ("list" in part) return part.list.map((item) => `- ${item}`).join("\n");
  if ("quote" in part) {
    return `${part.quote.title}:\n\n${part.quote.text.replace(/^/gm, "> ").replace(/ $/gm, "")}`;
  }
  if ("link" in part) return `${part.link.text}: ${part.link.url}`;
  return part.details.map(([label, value]) => `${label}: ${value}`).join("\n");
}
