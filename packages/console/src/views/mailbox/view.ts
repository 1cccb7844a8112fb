import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The mails of the local mailbox. */
export const mailboxView = defineView({
  path: paths.mailbox,
  permission: "messages.read",
  navigation: { group: "Messages", label: "Local mailbox", icon: "inbox" },
  load: () => import("./MailboxView.js")
})
