import { useActionData, useLocation } from "@remix-run/react";
import { useState } from "react";

/**
 * The result of the page's last action, until the next result or navigation. Remix itself forgets the result as soon as
 * the page's data is loaded again, which also happens in the background. A form that got no response (`null`) leaves
 * the page as it is.
 */
export function useActionResult<Action>(): ReturnType<typeof useActionData<Action>> {
  const result = useActionData<Action>();
  const { key } = useLocation();
  const [last, setLast] = useState({ result, key });
  const next = result === null ? last.result : result;
  if ((next !== undefined && last.result !== next) || last.key !== key) setLast({ result: next, key });
  return last.result;
}
