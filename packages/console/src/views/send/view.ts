import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The form to send a message. */
export const sendView = defineView({
  path: paths.send,
  permission: "messages.send",
  navigation: { group: "Messages", label: "Send", icon: "send" },
  load: () => import("./SendView.js")
})
