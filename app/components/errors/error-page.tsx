import type { ReactNode } from "react";
import { Antelope } from "~/components/brand/antelope";
import { Narrow } from "~/components/shell/layouts";
import { text } from "~/styles/text.css";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";
import * as styles from "./error-page.css";

/** A page that only says what has happened and what to do now. */
export function ErrorPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Narrow>
      <Card roomy className={styles.card}>
        <Antelope pose="looking" />
        <Stack>
          <h1 className={text.title}>{title}</h1>
          {children}
        </Stack>
      </Card>
    </Narrow>
  );
}
