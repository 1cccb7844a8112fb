import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The list of senders. */
export const sendersView = defineView({
  path: paths.senders,
  permission: "domains.read",
  navigation: { group: "E-mail", label: "Senders", icon: "user" },
  load: () => import("./SendersView.js")
})
