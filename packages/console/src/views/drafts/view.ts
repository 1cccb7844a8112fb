import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The list of drafts. */
export const draftsView = defineView({
  path: paths.drafts,
  permission: "drafts.read",
  navigation: { group: "Messages", label: "Drafts", icon: "template" },
  load: () => import("./DraftsView.js")
})

/** One draft in a form. */
export const draftView = defineView({
  path: paths.draft,
  permission: "drafts.read",
  load: () => import("./DraftView.js")
})
