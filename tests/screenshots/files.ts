import { join } from "node:path";
import type { Appearance } from "../e2e/support/appearances";

export const folder = "screenshots";

export const toFileName = (scene: string, { width, colorScheme }: Appearance) => `${scene}-${width}-${colorScheme}.png`;

export const toPath = (fileName: string) => join(folder, fileName);
