import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The list of forwarding rules. */
export const forwardingView = defineView({
  path: paths.forwarding,
  permission: "email.read",
  navigation: { group: "E-mail", label: "Forwarding", icon: "forward" },
  load: () => import("./ForwardingView.js")
})

/** The log of forwarded mails. */
export const forwardingLogView = defineView({
  path: paths.forwardingLog,
  permission: "email.read",
  load: () => import("./ForwardingLogView.js")
})
