import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { AmountField } from "~/ui/amount-field";
import { Button } from "~/ui/button";
import { CopyField } from "~/ui/copy-field";
import { CountdownRing } from "~/ui/countdown-ring";
import { QrCode } from "~/ui/qr-code";
import { drawQr } from "~/ui/qr-drawing.server";
import { RadioCards } from "~/ui/radio-cards";
import { TextField } from "~/ui/text-field";
import { Timeline } from "~/ui/timeline";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

const samples = {
  copy: <CopyField label="Address" value={address} groups={4} />,
  field: <TextField label="E-mail" name="email" hint="We send a code." error="Write an e-mail address." />,
  amount: <AmountField label="You send" name="amount" coin="USDT" error="Too little." />,
  choice: <RadioCards label="Where to" name="to" options={[{ value: "1", label: "One" }]} defaultValue="1" />,
  ring: <CountdownRing left={15} total={60} />,
  qr: <QrCode drawing={drawQr(address)} label="The address as a code" />,
  steps: (
    <Timeline
      label="Steps"
      steps={[
        { key: "1", state: "done", title: "Locked" },
        { key: "2", state: "current", title: "Waiting" },
      ]}
    />
  ),
  pending: (
    <Button kind="primary" pending="Locking…">
      Lock
    </Button>
  ),
};

describe("the primitives as the server writes them", () => {
  it.each(Object.entries(samples))("%s carries no inline style, so that a strict CSP holds", (_, element) => {
    expect(renderToStaticMarkup(element)).not.toMatch(/\sstyle=/);
  });

  it("an address in groups is still the address when its text is taken", () => {
    const code = renderToStaticMarkup(samples.copy).match(/<code[^>]*>(.*?)<\/code>/s)?.[1] ?? "";
    expect(code.replace(/<[^>]+>/g, "")).toBe(address);
    expect(code.match(/<span/g)).toHaveLength(10);
  });

  it("a field's hint and error are tied to its input", () => {
    const html = renderToStaticMarkup(samples.field);
    const described = html.match(/aria-describedby="([^"]+)"/)?.[1]?.split(" ") ?? [];
    expect(described).toHaveLength(2);
    for (const id of described) expect(html).toContain(`id="${id}"`);
    expect(html).toContain('aria-invalid="true"');
    expect(renderToStaticMarkup(samples.amount)).toContain('inputMode="decimal"');
  });

  it("the ring shows what is left, and nothing when nothing is", () => {
    expect(renderToStaticMarkup(samples.ring)).toContain('stroke-dashoffset="75"');
    expect(renderToStaticMarkup(<CountdownRing left={-3} total={60} />)).not.toContain("dashoffset");
  });

  it("a timeline says its states in words and marks the present step", () => {
    const html = renderToStaticMarkup(samples.steps);
    expect(html).toMatch(/Done: .*Locked/s);
    expect(html.match(/aria-current="step"/g)).toHaveLength(1);
  });

  it("a pending button says what it does and stays where the focus is", () => {
    const html = renderToStaticMarkup(samples.pending);
    expect(html).toContain("Locking…");
    expect(html).toContain('aria-disabled="true"');
    expect(html).not.toMatch(/\sdisabled/);
  });
});
