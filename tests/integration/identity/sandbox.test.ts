import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClock } from "../../../app/exchange.server/db/clock";
import type { OpenDatabase } from "../../../app/exchange.server/db/open";
import { createSandboxInbox } from "../../../app/exchange.server/sandbox/inbox";
import { createSandboxReviewer } from "../../../app/exchange.server/sandbox/reviewer";
import { application } from "../../support/exchange";
import { openTestDatabase, testDatabases } from "../../support/test-database";

describe.each(testDatabases)("the sandbox's people, on %s", (kind) => {
  let database: OpenDatabase;
  let offsetMs = 0;
  const clock = createClock(() => offsetMs);
  beforeEach(async () => {
    offsetMs = 0;
    database = await openTestDatabase(kind);
  });
  afterEach(() => database.close());

  it("the inbox shows mails newest first, of one recipient or of all, and keeps the last ones", async () => {
    const inbox = createSandboxInbox(database.db, clock, 10);
    await inbox.send({ to: "ada@example.org", subject: "first", text: "one", html: "", code: "123456" });
    await inbox.send({ to: "bob@example.org", subject: "second", text: "two", html: "", code: null });
    await inbox.send({ to: "ada@example.org", subject: "third", text: "three", html: "", code: null });
    expect((await inbox.list(" Ada@Example.org ")).map(({ subject, code }) => [subject, code])).toEqual([
      ["third", null],
      ["first", "123456"],
    ]);
    expect(await inbox.list()).toHaveLength(3);
    expect(Object.keys((await inbox.list())[0] ?? {})).toEqual(["to", "subject", "text", "code", "at"]);
    for (let i = 0; i < 50; i += 1)
      await inbox.send({ to: "c@example.org", subject: String(i), text: "", html: "", code: null });
    expect((await inbox.list()).length).toBeLessThanOrEqual(20);
    expect((await inbox.list())[0]?.subject).toBe("49");
  });

  it("the reviewer's verdict comes after its time, also when it was restarted meanwhile, and does not change", async () => {
    const hire = () => createSandboxReviewer({ db: database.db, clock, delayMs: 2_000 });
    await hire().submit("ref", application);
    await hire().submit("ref", { ...application, last_name: "Reject" });
    expect(await hire().getDecision("ref")).toBeNull();
    offsetMs = 1_000;
    expect(await hire().getDecision("ref")).toBeNull();
    offsetMs = 2_500;
    expect(await hire().getDecision("ref")).toMatchObject({ status: "approved", reasons: [] });
    expect(await hire().getDecision("nobody's")).toBeNull();
  });
});
