import { GrazingAntelope } from "~/components/brand/grazing-antelope";
import { Narrow } from "~/components/shell/arrangements";
import { text } from "~/styles/text.css";
import { Stack } from "~/ui/layout";

/** R16: the word and a poem. Also the fallback of streamed data. */
export function LoadingScreen() {
  return (
    <Narrow>
      <Stack gap={4} align="center" role="status">
        <GrazingAntelope size="large" />
        <p className={text.title}>Loading...</p>
        <p>
          The antelope lifts up her head,
          <br />
          one ear to where the grasses bend.
          <br />
          She knows the way; she waits instead
          <br />
          until the wind comes round, a friend.
        </p>
      </Stack>
    </Narrow>
  );
}
