import type { Client } from "pg";

/** What the database announces when a transaction commits: docs/architecture.md, "A job". */
export const noticeTopics = ["mail", "payments", "kyc"] as const;
export type NoticeTopic = (typeof noticeTopics)[number];

/** The PostgreSQL channel of all topics; the topic is the payload. */
export const noticeChannel = "antelope";

/** Announces new work. Runs at every start, after the migrations; every statement is idempotent. */
export const noticeTriggers = `
create or replace function announce() returns trigger language plpgsql as $$
begin
  perform pg_notify('${noticeChannel}', tg_argv[0]);
  return null;
end $$;
create or replace trigger outbox_announce after insert on outbox
  for each statement execute function announce('mail');
create or replace trigger payments_announce after insert on payments
  for each statement execute function announce('payments');
create or replace trigger kyc_applications_announce after insert on kyc_applications
  for each statement execute function announce('kyc');
`;

/** Stops listening. */
export type StopListening = () => Promise<void>;

const reconnectMs = 1_000;

/** Whether a payload is a topic; others come from a newer version of the exchange. */
export const isTopic = (payload: string | undefined): payload is NoticeTopic =>
  noticeTopics.some((topic) => topic === payload);

/**
 * Listens on a connection of its own, and connects again when it is lost. Notices sent meanwhile are
 * lost, so whoever listens must also look by itself from time to time.
 */
export async function listenOnPostgres(
  connect: () => Client,
  onNotice: (topic: NoticeTopic) => void,
): Promise<StopListening> {
  let stopped = false;
  let current: Client | null = null;
  let retry: NodeJS.Timeout | undefined;
  const open = async (): Promise<void> => {
    const client = connect();
    const lost = () => {
      if (stopped || current !== client) return;
      current = null;
      retry = setTimeout(() => void open(), reconnectMs);
    };
    current = client;
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", ({ payload }) => {
      if (isTopic(payload)) onNotice(payload);
    });
    try {
      await client.connect();
      await client.query(`listen ${noticeChannel}`);
    } catch {
      lost();
    }
  };
  await open();
  return async () => {
    stopped = true;
    clearTimeout(retry);
    await current?.end().catch(() => undefined);
  };
}
