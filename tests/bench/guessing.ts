import { createBenchAccount } from "./account";
import { type RunningServer, startSite } from "./servers";
import { ms, percentile, printTable, verdict } from "./table";

const samples = 300;

/** T26: whether response times reveal who has an account. Known and unknown addresses alternate. */
export async function benchGuessing(): Promise<void> {
  const site = await startSite();
  try {
    const { email } = await createBenchAccount(site.origin);
    const rows: string[][] = [];
    for (const [name, path, toBody] of [
      [
        "POST /api/auth (e-mail code)",
        "/api/auth",
        (identifier: string) => ({ auth_method: "email", credentials: { identifier } }),
      ],
      [
        "POST /api/auth/passkey/login-options",
        "/api/auth/passkey/login-options",
        (identifier: string) => ({ identifier }),
      ],
    ] as const) {
      const known: number[] = [];
      const unknown: number[] = [];
      for (let i = 0; i < samples; i++) {
        known.push(await time(site, path, toBody(email)));
        unknown.push(await time(site, path, toBody(`nobody${i}@example.org`)));
      }
      const [a, b] = [percentile(known, 0.5), percentile(unknown, 0.5)];
      rows.push([name, ms(a, 2), ms(b, 2), ms(Math.abs(a - b), 2), "< 1 ms", verdict(Math.abs(a - b), 1)]);
    }
    const head = ["T26 request", "known, median", "unknown, median", "gap", "budget", "verdict"];
    printTable(`Response times for known and unknown accounts (2 × ${samples} samples, alternating)`, head, rows);
  } finally {
    await site.stop();
  }
}

async function time(site: RunningServer, path: string, body: object): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(site.origin + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: site.origin },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return performance.now() - startedAt;
}
