import type { User } from "~/api/contract";

/** S04 as the screens see it. */
export type AuthState = "signed-out" | "signed-in" | "passkey";

/** What the layout's loader hands to every route in it. */
export type LayoutData = { auth: AuthState; user: User | null; userError: string | null; email: string | null };

export const layoutRouteId = "routes/layout/route";
