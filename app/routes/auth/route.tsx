import { Outlet } from "@remix-run/react";

/** R15: signing in and registering, a group without a path of its own. */
export default function AuthGroup() {
  return <Outlet />;
}
