import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The figures of a range. */
export const analyticsView = defineView({
  path: paths.analytics,
  permission: "analytics.read",
  navigation: { group: "Operation", label: "Analytics", icon: "chart" },
  load: () => import("./AnalyticsView.js")
})
