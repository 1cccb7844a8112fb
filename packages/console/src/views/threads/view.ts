import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The list of e-mail threads. */
export const threadsView = defineView({
  path: paths.threads,
  permission: "email.read",
  navigation: { group: "Messages", label: "Threads", icon: "reply" },
  load: () => import("./ThreadsView.js")
})

/** One thread as an exchange of mails. */
export const threadView = defineView({
  path: paths.thread,
  permission: "email.read",
  load: () => import("./ThreadView.js")
})
