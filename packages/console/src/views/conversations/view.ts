import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The list of conversations. */
export const conversationsView = defineView({
  path: paths.conversations,
  permission: "conversations.read",
  navigation: { group: "Messages", label: "Conversations", icon: "thread" },
  load: () => import("./ConversationsView.js")
})

/** One conversation with its participants and messages. */
export const conversationView = defineView({
  path: paths.conversation,
  permission: "conversations.read",
  load: () => import("./ConversationView.js")
})
