import type { OutgoingMail } from "@switchboard/services/messages/MailTransport"
import type { SendMailOptions } from "nodemailer"

const named = (address: string) => ({ name: "", address })

/** The original recipient can be told of one alone: the composer has one for all of a mail's recipients. */
const originalRecipient = ([recipient, ...others]: ReadonlyArray<string>) =>
  recipient === undefined || others.length > 0 ? {} : { recipient }

/** A mail with its envelope as the SMTP client takes it. */
export const smtpMail = (mail: OutgoingMail, raw: Buffer): SendMailOptions => ({
  envelope: { from: named(mail.mailFrom), to: mail.rcptTo.map(named) },
  dsn: {
    id: mail.envelopeId,
    ret: "HDRS",
    ...(mail.notify ? { notify: ["SUCCESS", "FAILURE", "DELAY"], ...originalRecipient(mail.rcptTo) } : {})
  },
  raw
})
