import { join } from "node:path";
import type { Look } from "../e2e/support/looks";

export const folder = "screenshots";

export const toFileName = (scene: string, { width, colorScheme }: Look) => `${scene}-${width}-${colorScheme}.png`;

export const toPath = (fileName: string) => join(folder, fileName);
