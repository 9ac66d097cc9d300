import { useActionData, useLocation } from "@remix-run/react";
import { useRef } from "react";

/**
 * The result of the page's last action, until the next submission or navigation. Remix itself forgets the result as
 * soon as the page's data is loaded again, which also happens in the background.
 */
export function useActionResult<Action>(): ReturnType<typeof useActionData<Action>> {
  const result = useActionData<Action>();
  const { key } = useLocation();
  const last = useRef({ result, key });
  if (result !== undefined || last.current.key !== key) last.current = { result, key };
  return last.current.result;
}
