import { paths } from "../../app/Paths.js"
import { defineView } from "../../app/View.js"

/** The list of domains. */
export const domainsView = defineView({
  path: paths.domains,
  permission: "domains.read",
  navigation: { group: "E-mail", label: "Domains", icon: "globe" },
  load: () => import("./DomainsView.js")
})

/** One domain with its DNS records. */
export const domainView = defineView({
  path: paths.domain,
  permission: "domains.read",
  load: () => import("./DomainView.js")
})
