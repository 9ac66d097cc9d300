import { PlainList } from "~/ui/plain-list";
import { VisuallyHidden } from "~/ui/visually-hidden";
import * as styles from "./first-swap-steps.css";

/** What a new customer does before and during the first swap. */
export type FirstSwapStep = "account" | "email" | "identity" | "swap";

const titles: Record<FirstSwapStep, string> = {
  account: "Create your account",
  email: "Confirm your e-mail",
  identity: "Verify your identity",
  swap: "Make your swap",
};
const steps: readonly FirstSwapStep[] = ["account", "email", "identity", "swap"];

type Props = {
  now: FirstSwapStep;
  /** Whether the visitor may already have an account. */
  maybe?: boolean;
};

/** How far a new customer has come, on every screen from registering to paying for the first swap. */
export function FirstSwapSteps({ now, maybe = false }: Props) {
  const current = steps.indexOf(now);
  return (
    <div className={styles.progress}>
      <p className={styles.now}>
        {maybe ? "New here? This is step" : "Step"} {current + 1} of {steps.length}:{" "}
        <span className={styles.nowName}>{titles[now]}</span>
      </p>
      <PlainList ordered className={styles.bars} aria-label="Steps to your first swap">
        {steps.map((step, index) => (
          <li
            key={step}
            className={styles.bar}
            data-state={index < current ? "done" : undefined}
            aria-current={index === current ? "step" : undefined}
          >
            <VisuallyHidden>
              {titles[step]}
              {index < current ? " (done)" : ""}
            </VisuallyHidden>
          </li>
        ))}
      </PlainList>
    </div>
  );
}
