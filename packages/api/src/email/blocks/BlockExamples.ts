import { blockColumns } from "@switchboard/domain/email/blocks/Block"
import { exampleBlock } from "@switchboard/domain/events/ExampleData"
import { csvRows } from "../../csv/Csv.js"

const pagination = { page: 1, limit: 20, total: 1, totalPages: 1 }
const blockedAt = "2026-11-21T08:15:00.000Z"

const hit = { ...exampleBlock, hitCount: 1, lastHitAt: blockedAt }
const { sourceMessageId, ...unbound } = exampleBlock
const domain = {
  ...unbound,
  type: "domain",
  value: "example.org",
  reason: "manual",
  source: "api",
  expiresAt: "2027-01-01T00:00:00.000Z"
}

/** Examples by operation id. */
export const blockExamples = {
  "blocks.list": { response: { items: [hit], pagination } },
  "blocks.create": { request: { domain: domain.value, expiresAt: domain.expiresAt }, response: domain },
  "blocks.check": { response: { blocked: true, block: hit, blocks: [hit] } },
  "blocks.import": {
    request: csvRows([
      [...blockColumns],
      ["ada@example.com", "", "unsubscribe", "marketing", "", blockedAt],
      ["", "example.org", "", "", "", ""],
      ["ada", "", "", "", "", ""]
    ]),
    response: {
      added: 2,
      existing: 0,
      refused: 1,
      refusedLines: [{ line: 4, fields: { email: ["must be an email address like ada@example.com"] } }]
    }
  },
  "blocks.export": {
    response: csvRows([[...blockColumns], ["ada@example.com", "", "unsubscribe", "marketing", "", blockedAt]])
  },
  "blocks.logs": {
    response: {
      items: [
        {
          id: "01a1fc1e-9d21-7c3e-b6c0-1f2e3d4c5b6a",
          blockId: hit.id,
          email: hit.value,
          messageId: sourceMessageId,
          action: "blocked",
          createdAt: blockedAt
        }
      ],
      pagination
    }
  },
  "blocks.update": { request: { expiresAt: null }, response: { ...unbound, reason: "manual", source: "api" } },
  "blocks.remove": { response: { success: true } }
}
