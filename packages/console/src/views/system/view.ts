import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The state of the installation. */
export const systemView = defineView({
  path: paths.system,
  permission: "system.read",
  navigation: { group: "Operation", label: "System", icon: "server" },
  load: () => import("./SystemView.js")
})
