import { useNavigation } from "@remix-run/react";

/** Returns a function that says whether a form with these fields is being sent, for example `{ intent: "remove", id }`. */
export function useIsSending(): (fields: Record<string, string>) => boolean {
  const { formData } = useNavigation();
  return (fields) => Object.entries(fields).every(([name, value]) => formData?.get(name) === value);
}
