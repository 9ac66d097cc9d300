import { createTransport } from "nodemailer";
import type { MailSender } from "../context";

/**
 * Mails over SMTP. `url` is smtp://user:password@host:port or smtps://…; `from` the sender's
 * address. Resolves when the server has taken the mail.
 */
export function createSmtpSender(url: string, from: string): MailSender & { close(): void } {
  const transport = createTransport({
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    // Texts never make this program read a file or open a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      await transport.sendMail({
        from,
        to: { name: "", address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        // Answering machines stay quiet (RFC 3834).
        headers: { "Auto-Submitted": "auto-generated" },
      });
    },
    close: () => transport.close(),
  };
}
