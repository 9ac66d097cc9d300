import { createTransport } from "nodemailer";
import type { MailSender } from "../context";

/**
 * Sends e-mail over SMTP. `url` is smtp://user:password@host:port or smtps://…; `from` is the
 * sender. `send` resolves when the server has accepted the e-mail. Call `close` at the end.
 */
export function createSmtpSender(url: string, from: string): MailSender & { close(): void } {
  const [, host = "localhost"] = /@([^\s<>@]+)/.exec(from) ?? [];
  const transport = createTransport({
    url,
    // A few connections, which carry several e-mails each and close soon after.
    pool: true,
    maxConnections: 5,
    idleTimeout: 5_000,
    maxRequeues: 1,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    // Content must never make nodemailer read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail, signal) {
      await transport.sendMail({
        from,
        to: { name: "", address: mail.to },
        ...(mail.replyTo !== undefined && { replyTo: { name: "", address: mail.replyTo } }),
        // The same for every attempt, so that mailboxes can recognise a duplicate.
        messageId: `<${mail.id}@${host}>`,
        date: mail.queuedAt,
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        // Stops automatic replies (RFC 3834).
        headers: mail.allowsAutoReply ? {} : { "Auto-Submitted": "auto-generated" },
        // Closes the connection, so that the server does not accept an e-mail that we have given up on.
        ...(signal && { signal }),
      });
    },
    close: () => transport.close(),
  };
}
