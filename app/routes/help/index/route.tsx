import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { AnswerList } from "~/components/help/answer-list";
import { ContactUs } from "~/components/help/contact-us";
import * as styles from "~/components/help/help.css";
import { Page } from "~/components/shell/layouts";
import { withoutScripts } from "~/components/shell/use-scripts";
import { listHelpTopics, searchAnswers } from "~/content/help.server";
import { paths } from "~/lib/paths";
import { readLocale } from "~/lib/read-locale.server";
import { text } from "~/styles/text.css";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";
import { SearchForm } from "./search-form";

const longestQuery = 100;

/** The help centre: every question by topic, or the answers that a search finds (`?q=`). */
export function loader({ request }: LoaderFunctionArgs) {
  const query = (new URL(request.url).searchParams.get("q") ?? "").trim().slice(0, longestQuery);
  const { numbers } = readLocale(request.headers);
  return { query, found: query === "" ? null : searchAnswers(query, numbers), topics: listHelpTopics(numbers) };
}

export const handle = withoutScripts;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.query ? `“${data.query}” in help` : "Help"} · Antelope` },
  { name: "description", content: "Short answers about paying, prices, Signal, refunds, verification and security." },
  ...(data?.query ? [{ name: "robots", content: "noindex" }] : []),
];

export default function Help() {
  const { query, found, topics } = useLoaderData<typeof loader>();
  return (
    <Page title="Help" lede="Short answers to common questions.">
      <SearchForm query={query} maxLength={longestQuery} />
      <Card roomy as="div">
        <Stack gap={6}>
          {found ? <Results query={query} found={found} /> : null}
          {found && found.length > 0 ? null : (
            <div className={styles.topics}>
              {topics.map(({ name, answers }) => (
                <section key={name} className={styles.topic}>
                  <h2 className={text.heading}>{name}</h2>
                  <AnswerList answers={answers} />
                </section>
              ))}
            </div>
          )}
          <ContactUs />
        </Stack>
      </Card>
    </Page>
  );
}

type ResultsProps = { query: string; found: ReturnType<typeof searchAnswers> };

function Results({ query, found }: ResultsProps) {
  if (found.length === 0) {
    return (
      <Stack gap={2}>
        <h2 className={text.heading}>No answers contain “{query}”</h2>
        <p>Try fewer or other words, or look through the questions below.</p>
      </Stack>
    );
  }
  return (
    <Stack gap={3}>
      <h2 className={text.heading}>Answers for “{query}”</h2>
      <AnswerList answers={found} withSummary />
      <a href={paths.help}>Show all questions</a>
    </Stack>
  );
}
