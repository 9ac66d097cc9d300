import { useActionData, useLocation } from "@remix-run/react";
import { useState } from "react";

/**
 * The result of the page's last action, until the next submission or navigation. Remix itself forgets the result as
 * soon as the page's data is loaded again, which also happens in the background.
 */
export function useActionResult<Action>(): ReturnType<typeof useActionData<Action>> {
  const result = useActionData<Action>();
  const { key } = useLocation();
  const [last, setLast] = useState({ result, key });
  if ((result !== undefined && last.result !== result) || last.key !== key) setLast({ result, key });
  return last.result;
}
