import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { AnswerList } from "~/components/help/answer-list";
import { ContactUs } from "~/components/help/contact-us";
import * as styles from "~/components/help/help.css";
import { Prose } from "~/components/prose/prose";
import { page } from "~/components/prose/prose.css";
import { withoutScripts } from "~/components/shell/use-scripts";
import { getAnswer } from "~/content/help.server";
import { paths } from "~/lib/paths";
import { readLocale } from "~/lib/read-locale.server";
import { throwNotFound } from "~/session/responses.server";
import { text } from "~/styles/text.css";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";

/** One answer of the help centre. */
export function loader({ request, params }: LoaderFunctionArgs) {
  return getAnswer(params.answer ?? "", readLocale(request.headers).numbers) ?? throwNotFound();
}

export const handle = withoutScripts;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title ?? "Help"} · Antelope` },
  { name: "description", content: data?.lede ?? "" },
];

export default function Answer() {
  const { title, lede, blocks, related } = useLoaderData<typeof loader>();
  return (
    <div className={page}>
      <Card roomy as="article">
        <Stack gap={6}>
          <a className={styles.back} href={paths.help}>
            All questions
          </a>
          <Stack gap={2}>
            <h1 className={text.title}>{title}</h1>
            <p className={styles.lede}>{lede}</p>
          </Stack>
          <Prose blocks={blocks} />
          <ContactUs />
        </Stack>
      </Card>
      <Stack gap={3}>
        <h2 className={text.heading}>Related questions</h2>
        <AnswerList answers={related} />
      </Stack>
    </div>
  );
}
