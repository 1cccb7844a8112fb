import { defineView } from "../../app/View.js"

/** The list of messages. */
export const messagesView = defineView({
  path: "/messages",
  permission: "messages.read",
  navigation: { label: "Messages", icon: "mail" },
  load: () => import("./MessagesView.js")
})
