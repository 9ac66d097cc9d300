import { type AnswerId, helpTopics } from "../lib/help-topics";
import type { NumberStyle } from "../lib/number-style";
import { type Block, type Document, toPlainText } from "../lib/prose";
import { type ParsedDocument, parseMarkdown } from "./markdown.server";
import { toValues } from "./values.server";

const sources = import.meta.glob<string>("./help/*.md", { query: "?raw", import: "default", eager: true });

/** An answer in a list: its question, and the answer in a sentence. */
export type AnswerLink = { id: AnswerId; question: string; summary: string };
export type HelpTopic = { name: string; answers: AnswerLink[] };

/** Every topic with its answers. */
export function listHelpTopics(style: NumberStyle): HelpTopic[] {
  const values = toValues(style);
  return helpTopics.map(({ name, answers }) => ({ name, answers: answers.map((id) => toLink(id, parse(id, values))) }));
}

/** Null if there is no such answer. `related` are the others of its topic. */
export function getAnswer(id: string, style: NumberStyle): (Document & { related: AnswerLink[] }) | null {
  const topic = helpTopics.find(({ answers }) => answers.some((answer) => answer === id));
  if (!topic) return null;
  const values = toValues(style);
  const { keywords: _, ...document } = parse(id as AnswerId, values);
  const others: readonly AnswerId[] = topic.answers.filter((answer) => answer !== id);
  return { ...document, related: others.map((other) => toLink(other, parse(other, values))) };
}

/** The answers that contain every word of the query, best match first. */
export function searchAnswers(query: string, style: NumberStyle): AnswerLink[] {
  const words = toWords(query);
  if (words.length === 0) return [];
  const values = toValues(style);
  const found = helpTopics
    .flatMap<AnswerId>(({ answers }) => answers)
    .flatMap((id) => {
      const document = parse(id, values);
      const scores = words.map((word) => toScore(word, document));
      if (scores.includes(0)) return [];
      return [{ link: toLink(id, document), score: scores.reduce((sum, score) => sum + score, 0) }];
    });
  return found.sort((a, b) => b.score - a.score).map(({ link }) => link);
}

function parse(id: AnswerId, values: Record<string, string>): ParsedDocument {
  const source = sources[`./help/${id}.md`];
  if (source === undefined) throw new Error(`There is no answer ${id}`);
  return parseMarkdown(source, values);
}

function toLink(id: AnswerId, { title, lede }: Document): AnswerLink {
  return { id, question: title, summary: lede };
}

/** A word scores higher in the question than in the text. 0 if the answer does not contain it. */
function toScore(word: string, { title, lede, keywords, blocks }: ParsedDocument): number {
  const has = (text: string) => text.toLowerCase().includes(word);
  if (has(title)) return 4;
  if (has(keywords)) return 3;
  if (has(lede)) return 2;
  return blocks.some((block) => has(toBlockText(block))) ? 1 : 0;
}

function toBlockText(block: Block): string {
  return block.kind === "list" ? block.items.map(toPlainText).join(" ") : toPlainText(block.content);
}

/** Common words that the search ignores. */
const fillers = new Set(["a", "an", "and", "do", "does", "i", "if", "in", "is", "it", "my", "of", "on", "the", "to"]);

/** The words of a query in lower case and without a plural "s", so that "refunds" finds "refund". */
function toWords(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? [];
  return words
    .filter((word) => !fillers.has(word))
    .slice(0, 8)
    .map((word) => (word.length > 3 ? word.replace(/s$/, "") : word));
}
