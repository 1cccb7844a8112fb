/** What a relay's 250 means: the final mailbox has it (`accept`), or a notification will tell (`dsn`, RFC 3461). */
export type Confirmation = "accept" | "dsn"
