import { useActionData, useLocation } from "@remix-run/react";
import { useState } from "react";
import { type NoResponse, noResponse } from "~/query-cache/failures";

type ActionResult<Action> = ReturnType<typeof useActionData<Action>>;

/**
 * The result of the page's last action, until the next result or navigation. Remix itself forgets the result as soon as
 * the page's data is loaded again, which also happens in the background.
 * @param lost the result of a form that got no response; by default, the previous result stays
 */
export function useActionResult<Action>(lost?: ActionResult<Action>): ActionResult<Action> {
  const data = useActionData() as ActionResult<Action> | NoResponse;
  const { key } = useLocation();
  const [last, setLast] = useState({ result: data === noResponse ? lost : data, key });
  const next = data === noResponse ? (lost ?? last.result) : data;
  if ((next !== undefined && last.result !== next) || last.key !== key) setLast({ result: next, key });
  return last.result;
}
