import { Form, type FormProps } from "@remix-run/react";
import { forwardRef } from "react";
import { useOwnPath } from "../use-outcome";

/** A form of the account. It posts to the page with its filters, so that the list of swaps stays as it is. */
export const AccountForm = forwardRef<HTMLFormElement, Omit<FormProps, "method" | "action" | "preventScrollReset">>(
  function AccountForm(props, ref) {
    return <Form {...props} method="post" action={useOwnPath()} preventScrollReset ref={ref} />;
  },
);
