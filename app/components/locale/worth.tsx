import { toWorth, type Valued } from "~/lib/worth";
import { useRootData } from "~/loaded-data/root-data";
import { text } from "~/styles/text.css";
import { VisuallyHidden } from "~/ui/visually-hidden";
import { useLocale } from "./use-locale";

type Props = Valued & {
  /** Text to show before the value, when it follows other text on the same line. */
  separator?: string;
};

/** The approximate value of an amount in the visitor's currency, in muted text. Renders nothing if no rate is known. */
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
