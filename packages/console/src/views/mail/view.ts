import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** A mail of the local mailbox. */
export const mailView = defineView({
  path: paths.mail,
  permission: "messages.read",
  load: () => import("./MailView.js")
})
