import { useEffect, useState } from "react";
import * as styles from "./theme-choice.css";
import { readTheme, rememberTheme, type ThemeName, themes } from "./theme-preference";

const names: Record<ThemeName, string> = { auto: "Auto", light: "Day", dark: "Night" };

/** Needs scripts; without them the device decides, and the place stays empty. */
export function ThemeChoice() {
  const [chosen, setChosen] = useState<ThemeName>();

  useEffect(() => setChosen(readTheme(document.cookie)), []);

  function choose(theme: ThemeName) {
    rememberTheme(theme);
    setChosen(theme);
  }

  return (
    <fieldset className={styles.group} hidden={!chosen} aria-label="Day or night">
      {themes.map((theme) => (
        <button
          key={theme}
          type="button"
          className={styles.choice}
          aria-pressed={theme === chosen}
          onClick={() => choose(theme)}
        >
          {names[theme]}
        </button>
      ))}
    </fieldset>
  );
}
