import { useEffect, useState } from "react";
import { storeTheme } from "~/browser/store-theme";
import { readTheme, type ThemeName, themes } from "~/lib/theme";
import * as styles from "./theme-choice.css";

const names: Record<ThemeName, string> = { auto: "Auto", light: "Light", dark: "Dark" };

/** Hidden until hydrated: without JavaScript the device setting applies. */
export function ThemeChoice() {
  const [current, setCurrent] = useState<ThemeName>();

  useEffect(() => setCurrent(readTheme(document.cookie)), []);

  function choose(theme: ThemeName) {
    storeTheme(theme);
    setCurrent(theme);
  }

  return (
    <fieldset className={styles.group} hidden={!current} aria-label="Theme">
      {themes.map((theme) => (
        <button
          key={theme}
          type="button"
          className={styles.choice}
          aria-pressed={theme === current}
          onClick={() => choose(theme)}
        >
          {names[theme]}
        </button>
      ))}
    </fieldset>
  );
}
