import { text } from "~/styles/text.css";

/** An e-mail address at the end of a sentence. A line is not broken before its full stop. */
export function EmailAtEnd({ email }: { email: string }) {
  return (
    <span className={text.whole}>
      <strong>{email}</strong>.
    </span>
  );
}
