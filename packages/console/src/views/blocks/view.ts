import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The list of blocks. */
export const blocksView = defineView({
  path: paths.blocks,
  permission: "email.read",
  navigation: { group: "Setup", label: "Blocks", icon: "shield" },
  load: () => import("./BlocksView.js")
})
