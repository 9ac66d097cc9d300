import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClock } from "~/exchange.server/db/clock";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { createSandboxInbox } from "~/sandbox.server/inbox";
import { createSandboxReviewer } from "~/sandbox.server/reviewer";
import { application } from "../../support/exchange";
import { openTestDatabase, testDatabases } from "../../support/test-database";

describe.each(testDatabases)("the sandbox's inbox and reviewer, on %s", (kind) => {
  let database: OpenDatabase;
  let offsetMs = 0;
  const clock = createClock(() => offsetMs);
  beforeEach(async () => {
    offsetMs = 0;
    database = await openTestDatabase(kind);
  });
  afterEach(() => database.close());

  it("lists e-mails newest first, for one recipient or for all, and deletes old ones", async () => {
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

  it("finds e-mails to an address that the operator's settings have in upper case", async () => {
    const inbox = createSandboxInbox(database.db, clock);
    await inbox.send({ to: "Help@Antelope.example", subject: "A question", text: "", html: "", code: null });
    for (const to of ["help@antelope.example", "Help@Antelope.example"]) expect(await inbox.list(to)).toHaveLength(1);
  });

  it("decides after the delay, even across a restart, and does not change the decision", async () => {
    const restartReviewer = () => createSandboxReviewer({ db: database.db, clock, delayMs: 60_000 });
    await restartReviewer().submit("ref", application);
    await restartReviewer().submit("ref", { ...application, last_name: "Reject" });
    expect(await restartReviewer().getDecision("ref")).toBeNull();
    offsetMs = 30_000;
    expect(await restartReviewer().getDecision("ref")).toBeNull();
    offsetMs = 60_500;
    expect(await restartReviewer().getDecision("ref")).toMatchObject({ status: "approved", reasons: [] });
    expect(await restartReviewer().getDecision("unknown")).toBeNull();
  });
});
