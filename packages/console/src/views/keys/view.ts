import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The list of API keys. */
export const keysView = defineView({
  path: paths.keys,
  permission: "apiKeys.read",
  navigation: { group: "Organization", label: "API keys", icon: "key" },
  load: () => import("./KeysView.js")
})

/** One API key with its requests. */
export const keyView = defineView({
  path: paths.key,
  permission: "apiKeys.read",
  load: () => import("./KeyView.js")
})
