import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** One message. */
export const messageView = defineView({
  path: paths.message,
  permission: "messages.read",
  load: () => import("./MessageView.js")
})
