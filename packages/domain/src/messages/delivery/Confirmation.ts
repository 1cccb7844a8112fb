/**
 * The meaning of a provider's acceptance. For mail, the relay's 250 reply is delivery to the final mailbox (`accept`), or
 * acceptance that a delivery status notification confirms later (`dsn`, RFC 3461). A text message is `sent` until a
 * receipt confirms it (`receipt`).
 */
export type Confirmation = "accept" | "dsn" | "receipt"

/** The meaning of a relay's 250 reply. */
export type MailConfirmation = Exclude<Confirmation, "receipt">

/** The provider of mail in messages. */
export const smtpProvider = "smtp"
