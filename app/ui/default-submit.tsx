import type { ReactNode } from "react";
import { VisuallyHidden } from "./visually-hidden";

type Props = { name: string; value: string; disabled: boolean; children: ReactNode };

/**
 * Pressing Enter in a field uses the first submit button of its form. This hidden button comes first, only for that
 * purpose.
 */
export function DefaultSubmit({ children, ...button }: Props) {
  return (
    <VisuallyHidden>
      <button type="submit" tabIndex={-1} aria-hidden="true" {...button}>
        {children}
      </button>
    </VisuallyHidden>
  );
}
