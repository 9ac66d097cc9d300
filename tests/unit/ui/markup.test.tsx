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
  field: <TextField label="E-mail" name="email" hint="We send a code." error="Enter an e-mail address." />,
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

describe("the server-rendered UI components", () => {
  it.each(Object.entries(samples))("%s has no inline style, which a strict CSP would block", (_, element) => {
    expect(renderToStaticMarkup(element)).not.toMatch(/\sstyle=/);
  });

  it("keeps a grouped address intact when it is copied", () => {
    const code = renderToStaticMarkup(samples.copy).match(/<code[^>]*>(.*?)<\/code>/s)?.[1] ?? "";
    expect(code.replace(/<[^>]+>/g, "")).toBe(address);
    expect(code.match(/<span/g)).toHaveLength(10);
  });

  it("links a field's hint and error to its input", () => {
    const html = renderToStaticMarkup(samples.field);
    const described = html.match(/aria-describedby="([^"]+)"/)?.[1]?.split(" ") ?? [];
    expect(described).toHaveLength(2);
    for (const id of described) expect(html).toContain(`id="${id}"`);
    expect(html).toContain('aria-invalid="true"');
  });

  it("says which coin an amount is in and what is wrong with it", () => {
    const html = renderToStaticMarkup(samples.amount);
    expect(html).toContain('inputMode="decimal"');
    const [coin = "", error = ""] = html.match(/aria-describedby="([^"]+)"/)?.[1]?.split(" ") ?? [];
    expect(html).toMatch(new RegExp(`id="${coin}"[^>]*>USDT<`));
    expect(html).toMatch(new RegExp(`id="${error}"[^>]*>Too little\\.<`));
  });

  it("shows the time left as a ring, and no ring at zero", () => {
    expect(renderToStaticMarkup(samples.ring)).toContain('stroke-dashoffset="75"');
    expect(renderToStaticMarkup(<CountdownRing left={-3} total={60} />)).not.toContain("dashoffset");
  });

  it("describes the timeline's states as text and marks the current step", () => {
    const html = renderToStaticMarkup(samples.steps);
    expect(html).toMatch(/Done: .*Locked/s);
    // Safari would not say that a list without markers is one.
    expect(html).toMatch(/^<ol role="list"/);
    expect(html.match(/aria-current="step"/g)).toHaveLength(1);
  });

  it("shows a pending button's progress and keeps it focusable", () => {
    const html = renderToStaticMarkup(samples.pending);
    expect(html).toContain("Locking…");
    expect(html).toContain('aria-disabled="true"');
    expect(html).not.toMatch(/\sdisabled/);
  });
});
