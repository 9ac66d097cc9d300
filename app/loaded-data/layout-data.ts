import type { User } from "../api/contract";

/** S04: the session as the browser sees it. */
export type AuthState = "signed-out" | "signed-in" | "passkey";

/** The data of the layout's loader, for every route inside the layout. */
export type LayoutData = { auth: AuthState; user: User | null; userError: string | null; email: string | null };

export const layoutRouteId = "routes/layout/route";
