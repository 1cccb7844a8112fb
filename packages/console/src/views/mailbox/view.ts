import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The mails of the local mailbox. */
export const mailboxView = defineView({
  path: paths.mailbox,
  permission: "messages.read",
  navigation: { group: "Messages", label: "Local mailbox", icon: "inbox" },
  load: () => import("./MailboxView.js")
})

/** A mail of the local mailbox. */
export const mailView = defineView({
  path: paths.mail,
  permission: "messages.read",
  load: () => import("./MailView.js")
})
