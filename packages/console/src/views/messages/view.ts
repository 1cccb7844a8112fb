import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The list of messages. */
export const messagesView = defineView({
  path: paths.messages,
  permission: "messages.read",
  navigation: { group: "Messages", label: "Messages", icon: "mail" },
  load: () => import("./MessagesView.js")
})
