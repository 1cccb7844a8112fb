/**
 * The meaning of the relay's 250 reply: delivery to the final mailbox (`accept`), or acceptance that a delivery status
 * notification confirms later (`dsn`, RFC 3461).
 */
export type Confirmation = "accept" | "dsn"
