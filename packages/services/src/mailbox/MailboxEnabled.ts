import { Context } from "effect"

/** Whether the service delivers to its local mailbox. */
export class MailboxEnabled extends Context.Tag("services/MailboxEnabled")<MailboxEnabled, boolean>() {}
