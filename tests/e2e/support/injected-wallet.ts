import type { Page } from "@playwright/test";

/**
 * The wallet's response by method: an error with an EIP-1193 code, a value, or none until the plan changes. Other
 * methods go to the sandbox's chain.
 */
export type WalletPlan = Record<string, { error: number } | { value: unknown } | { waiting: true }>;

/**
 * An EIP-1193 provider that announces itself (EIP-6963) as "Stubborn". It responds as
 * planned, and the test can change the plan. All other calls go to the sandbox's chain.
 */
export async function injectWallet(page: Page, plan: WalletPlan): Promise<void> {
  await page.addInitScript((first: WalletPlan) => {
    const listeners = new Map<string, ((value: unknown) => void)[]>();
    // The test's changes stay in effect when the page is loaded again.
    const changed = JSON.parse(sessionStorage.getItem("stubborn") ?? "{}") as WalletPlan;
    const state: { plan: WalletPlan } = { plan: { ...first, ...changed } };
    const provider = {
      async request({ method, params }: { method: string; params?: unknown[] }): Promise<unknown> {
        while (state.plan[method] && "waiting" in state.plan[method]) {
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        const planned = state.plan[method];
        if (planned && "error" in planned) {
          throw Object.assign(new Error(`planned ${planned.error}`), { code: planned.error });
        }
        if (planned && "value" in planned) return planned.value;
        const response = await fetch("/sandbox/ethereum", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: params ?? [] }),
        });
        const body = (await response.json()) as { result?: unknown; error?: { code: number; message: string } };
        if (body.error) throw Object.assign(new Error(body.error.message), { code: body.error.code });
        return body.result;
      },
      on(event: string, listener: (value: unknown) => void) {
        listeners.set(event, [...(listeners.get(event) ?? []), listener]);
      },
      removeListener(event: string, listener: (value: unknown) => void) {
        listeners.set(
          event,
          (listeners.get(event) ?? []).filter((known) => known !== listener),
        );
      },
    };
    Object.assign(window, {
      stubborn: {
        change: (changes: WalletPlan) => {
          Object.assign(changed, changes);
          sessionStorage.setItem("stubborn", JSON.stringify(changed));
          Object.assign(state.plan, changes);
        },
        emit: (event: string, value: unknown) => {
          for (const listener of listeners.get(event) ?? []) listener(value);
        },
      },
    });
    const info = {
      uuid: "350670db-19fa-4704-a166-e52e178b59d2",
      name: "Stubborn",
      rdns: "org.example.stubborn",
      icon: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><rect width='24' height='24' rx='6' fill='teal'/></svg>",
    };
    const announce = () =>
      window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
    window.addEventListener("eip6963:requestProvider", announce);
    announce();
  }, plan);
}

type Stubborn = {
  stubborn: { change(changes: WalletPlan): void; emit(event: string, value: unknown): void };
};

export const changePlan = (page: Page, changes: WalletPlan) =>
  page.evaluate((given) => (window as unknown as Stubborn).stubborn.change(given), changes);

export const emit = (page: Page, event: string, value: unknown) =>
  page.evaluate(([name, given]) => (window as unknown as Stubborn).stubborn.emit(name as string, given), [
    event,
    value,
  ] as const);
