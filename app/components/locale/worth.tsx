import { useRootData } from "~/browser/root-data";
import { toWorth, type Valued } from "~/lib/worth";
import { text } from "~/styles/text.css";
import { VisuallyHidden } from "~/ui/visually-hidden";
import { useLocale } from "./use-locale";

type Props = Valued & {
  /** Put before it, where it follows other text in a line. */
  separator?: string;
};

/** About what an amount is worth in the visitor's currency; nothing if no rate is known. Quieter than any price. */
export function Worth({ separator, ...valued }: Props) {
  const { numbers } = useLocale();
  const currency = useRootData()?.currency;
  const worth = currency ? toWorth(valued, currency, numbers) : null;
  if (worth === null) return null;
  return (
    <>
      {separator}
      <span className={`${text.small} ${text.muted}`}>
        <span aria-hidden="true">{worth.shown}</span>
        <VisuallyHidden>{worth.spoken}</VisuallyHidden>
      </span>
    </>
  );
}
