import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The list of webhook endpoints. */
export const webhooksView = defineView({
  path: paths.webhooks,
  permission: "webhooks.read",
  navigation: { group: "Organization", label: "Webhooks", icon: "webhook" },
  load: () => import("./WebhooksView.js")
})

/** One webhook endpoint with its deliveries. */
export const webhookView = defineView({
  path: paths.webhook,
  permission: "webhooks.read",
  load: () => import("./WebhookView.js")
})
