import { Outlet } from "@remix-run/react";

/** R15: groups /login and /register without adding a path segment. */
export default function AuthGroup() {
  return <Outlet />;
}
