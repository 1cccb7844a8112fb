import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The organization: its settings, its plan and its usage. */
export const organizationView = defineView({
  path: paths.organization,
  permission: "organization.read",
  navigation: { group: "Organization", label: "Settings and usage", icon: "settings" },
  load: () => import("./OrganizationView.js")
})
