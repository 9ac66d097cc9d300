import { Link } from "@remix-run/react";
import type { Deletion } from "~/api/contract";
import { DateTime } from "~/components/locale/date-time";
import { Money } from "~/components/locale/money";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";
import * as styles from "./delete.css";

/** What is deleted, what the law requires us to keep and for how long, and what happens to late payments. */
export function Consequences({ deletion }: { deletion: Deletion }) {
  const { records_kept_until: keptUntil, retention_years: years, set_aside: setAside = [] } = deletion;
  return (
    <Card roomy>
      <Stack gap={6}>
        <Stack gap={2}>
          <h2 className={text.heading}>What we delete now</h2>
          <ul className={styles.list}>
            <li>
              your e-mail address, passkeys and <span className={text.unbroken}>signed-in</span> devices
            </li>
            <li>your saved addresses, and prices that you didn't lock</li>
            <li>your identity details{keptUntil ? ", except for the copy below" : ""}</li>
          </ul>
        </Stack>
        <Stack gap={2}>
          <h2 className={text.heading}>What we keep</h2>
          {keptUntil ? (
            <p>
              Anti-money-laundering law requires us to keep records of who our customers were for {years}{" "}
              {years === 1 ? "year" : "years"}. An encrypted copy of your e-mail address, identity details and consents
              is kept apart from everything else until <DateTime at={keptUntil} />. Then it is deleted automatically.
            </p>
          ) : (
            <p>You haven't made a swap or been verified, so we keep nothing that identifies you.</p>
          )}
          <p>
            {keptUntil
              ? "Our books keep the amounts, addresses and transactions of your swaps, without your name. "
              : null}
            You can{" "}
            <Link to={paths.dataExport} reloadDocument prefetch="none">
              download a copy of your data
            </Link>{" "}
            first.
          </p>
        </Stack>
        <Stack gap={2}>
          <h2 className={text.heading}>Afterwards</h2>
          {setAside.map(({ asset_symbol: asset, amount }) => (
            <p key={asset}>
              We still hold <Money amount={amount} asset={asset} /> for you, because it is worth less than the network
              fee for sending it back. If the fee falls, we send it to the refund address of its swap, without an e-mail
              to you.
            </p>
          ))}
          <p>
            A payment that arrives late is sent back to the refund address of its swap, less the network fee, without an
            e-mail to you. You can register again with the same e-mail address, but that will be a new account.
          </p>
        </Stack>
      </Stack>
    </Card>
  );
}
