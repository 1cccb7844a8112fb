import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The list of blocks. */
export const blocksView = defineView({
  path: paths.blocks,
  permission: "email.read",
  navigation: { group: "E-mail", label: "Blocks", icon: "shield" },
  load: () => import("./BlocksView.js")
})

/** The log of blocks. */
export const blockLogView = defineView({
  path: paths.blockLog,
  permission: "email.read",
  load: () => import("./BlockLogView.js")
})
