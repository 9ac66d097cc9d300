import fetchPage from "./fetch-page.js?url";

type Props = {
  seconds: number;
  /** The statuses of responses that contain the page; any other status counts as no response. */
  statuses: readonly number[];
  /** The URL of the page's own script, which shows each page that was fetched (the event "fetched"). */
  script: string;
};

/** Keeps a page without React up to date. */
export function RefreshScripts({ seconds, statuses, script }: Props) {
  return (
    <>
      <script src={fetchPage} type="module" data-seconds={seconds} data-statuses={statuses.join(" ")} />
      <script src={script} type="module" />
    </>
  );
}
