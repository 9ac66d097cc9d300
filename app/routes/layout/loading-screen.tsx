import { Antelope } from "~/components/brand/antelope";
import { Narrow } from "~/components/shell/layouts";
import { text } from "~/styles/text.css";
import { Stack } from "~/ui/layout";

/** R16: shown during slow navigations, which the layout announces. */
export function LoadingScreen() {
  return (
    <Narrow>
      <Stack gap={4} align="center">
        <Antelope pose="grazing" size="large" />
        <p className={text.title}>Loading...</p>
        <p>
          The antelope pauses, one hoof in the air,
          <br />
          and listens for what's on the breeze.
          <br />A moment, no longer: she'll soon be right there,
          <br />a flicker of gold through the trees.
        </p>
      </Stack>
    </Narrow>
  );
}
