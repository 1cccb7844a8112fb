const name = "example.com"

const catchAll = {
  domain: name,
  enabled: true,
  forwardTo: ["ada@example.org"],
  exclude: [`no-reply@${name}`],
  createdAt: "2026-11-20T09:50:00.000Z",
  updatedAt: "2026-11-21T08:15:00.000Z"
}

/** Examples by operation id. */
export const receivingExamples = {
  "receiving.enable": {
    request: { domain: name, catchAll: true, addresses: ["support", `sales@${name}`] },
    response: {
      success: true,
      ruleName: `inbound-${name}`,
      recipients: [`support@${name}`, `sales@${name}`, `*@${name}`]
    }
  },
  "catchAll.enable": { request: { domain: name, forwardTo: catchAll.forwardTo }, response: catchAll },
  "catchAll.disable": { request: { domain: name }, response: { ...catchAll, enabled: false } },
  "catchAll.config": { response: catchAll },
  "catchAll.update": { request: { domain: name, exclude: ["no-reply"] }, response: catchAll },
  "catchAll.stats": {
    response: { domain: name, received: 1815, forwarded: 1790, rejected: 52, last24Hours: 12, last30Days: 640 }
  }
}
