import PDFDocument from "pdfkit";
import type { ReceiptText } from "./receipt-text";

/** In points. An A4 page is 595 points wide. */
const margin = 56;
/** Room for an amount with all its digits. */
const nameWidth = 216;
const lineGap = 3;

const colors = { ink: "#1f1b16", muted: "#665d52", line: "#d9d0c3" };

/** Draws a receipt as a tagged PDF on A4, with the fonts that every reader has. Long hashes and addresses wrap. */
export async function drawReceipt(receipt: ReceiptText): Promise<Uint8Array<ArrayBuffer>> {
  const doc = new PDFDocument({
    size: "A4",
    margin,
    pdfVersion: "1.7",
    tagged: true,
    lang: "en",
    displayTitle: true,
    info: { Title: receipt.title, Author: "Antelope" },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    doc.on("data", (chunk: Buffer) => chunks.push(chunk));
    doc.on("end", () => resolve(new Uint8Array(Buffer.concat(chunks))));
    doc.on("error", reject);
  });
  drawContent(doc, receipt);
  doc.end();
  return done;
}

type Doc = PDFKit.PDFDocument;

function drawContent(doc: Doc, { rows, payments, morePayments, footer }: ReceiptText): void {
  const root = doc.struct("Document");
  doc.addStructure(root);
  const add = (type: string, draw: () => void) => root.add(doc.struct(type, {}, draw));

  add("H1", () => withFont(doc, "Helvetica-Bold", 20).text("Receipt from Antelope"));
  doc.moveDown(0.8);
  for (const { name, value } of rows) add("P", () => drawRow(doc, name, value));
  drawLine(doc);
  add("H2", () => withFont(doc, "Helvetica-Bold", 12).text("Payments", { lineGap }));
  for (const { title, when, details } of payments) {
    doc.moveDown(0.4);
    add("P", () => drawRow(doc, title, when));
    for (const { name, value } of details) add("P", () => drawDetail(doc, name, value));
  }
  if (morePayments !== null) {
    doc.moveDown(0.4);
    add("P", () => withFont(doc, "Helvetica", 10.5, colors.muted).text(morePayments, margin, doc.y, { lineGap }));
  }
  drawLine(doc);
  add("P", () => withFont(doc, "Helvetica", 9, colors.muted).text(footer, { lineGap }));
  root.end();
}

/** A name and its value beside it. */
function drawRow(doc: Doc, name: string, value: string): void {
  const { y } = doc;
  withFont(doc, "Helvetica", 10.5, colors.muted).text(`${name} `, margin, y, { width: nameWidth, lineGap });
  const afterName = doc.y;
  withFont(doc, "Helvetica", 10.5).text(value, margin + nameWidth, y, { lineGap });
  doc.y = Math.max(doc.y, afterName);
  doc.x = margin;
}

/** A name and its value after it, which may need the rest of the line. */
function drawDetail(doc: Doc, name: string, value: string): void {
  withFont(doc, "Helvetica", 9, colors.muted).text(`${name} `, margin, doc.y, { lineGap, continued: true });
  withFont(doc, "Courier", 9).text(value, { lineGap });
}

/** Decorative: marked so that screen readers skip it. */
function drawLine(doc: Doc): void {
  doc.moveDown(0.9);
  doc.markContent("Artifact", { type: "Layout" });
  doc
    .moveTo(margin, doc.y)
    .lineTo(doc.page.width - margin, doc.y)
    .lineWidth(0.75)
    .stroke(colors.line);
  doc.endMarkedContent();
  doc.moveDown(0.9);
}

function withFont(doc: Doc, font: string, size: number, color = colors.ink): Doc {
  return doc.font(font).fontSize(size).fillColor(color);
}
