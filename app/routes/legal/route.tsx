import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Prose } from "~/components/prose/prose";
import { page } from "~/components/prose/prose.css";
import { withoutScripts } from "~/components/shell/use-scripts";
import { getLegalDocument } from "~/content/legal.server";
import { readLocale } from "~/lib/read-locale.server";
import { throwNotFound } from "~/session/responses.server";
import { text } from "~/styles/text.css";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";
import { Note } from "~/ui/note";

/** The terms, the privacy notice and the accessibility statement. The operator can replace each (`LEGAL_DIR`). */
export function loader({ request, params }: LoaderFunctionArgs) {
  return getLegalDocument(params.document ?? "", readLocale(request.headers).numbers) ?? throwNotFound();
}

export const handle = withoutScripts;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title ?? "Legal"} · Antelope` },
  { name: "description", content: data?.lede ?? "" },
];

export default function Legal() {
  const { title, lede, blocks, isTemplate, version } = useLoaderData<typeof loader>();
  return (
    <div className={page}>
      <Card roomy as="article">
        <Stack gap={6}>
          {isTemplate ? (
            <Note tone="waiting" title="This is a template">
              <p>The operator of this site hasn't replaced it with their own text yet.</p>
            </Note>
          ) : null}
          <Stack gap={2}>
            <h1 className={text.title}>{title}</h1>
            <p className={text.lede}>{lede}</p>
          </Stack>
          <Prose blocks={blocks} />
          <p className={`${text.small} ${text.muted}`}>Version {version}</p>
        </Stack>
      </Card>
    </div>
  );
}
