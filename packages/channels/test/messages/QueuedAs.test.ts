import { assert, describe, it } from "@effect/vitest"
import { queuedAs } from "@switchboard/channels/messages/SendOverSmtp"

const replies: ReadonlyArray<readonly [string, string, string | null]> = [
  ["Postfix", "250 2.0.0 Ok: queued as 4XyZ1a2b3c", "4XyZ1a2b3c"],
  ["Exim", "250 OK id=1rTqX2-0004Gh-1A", "1rTqX2-0004Gh-1A"],
  [
    "Exchange",
    "250 2.6.0 <abc@HOST.prod.outlook.com> [InternalId=1] Queued mail for delivery",
    "abc@HOST.prod.outlook.com"
  ],
  ["Sendmail", "250 2.0.0 41PAbCdE012345 Message accepted for delivery", "41PAbCdE012345"],
  ["Google", "250 2.0.0 OK  1709296496 d2e1a72-20020a056a00sor123.1 - gsmtp", "d2e1a72-20020a056a00sor123.1"],
  ["Amazon SES", "250 Ok 0100018b5c3c0a4f-11e1-000000", "0100018b5c3c0a4f-11e1-000000"],
  ["a server that returns no queue id", "250 OK: message queued", null]
]

describe("queuedAs", () => {
  for (const [server, reply, name] of replies) {
    it(`reads the queue id in the reply of ${server}`, () => assert.strictEqual(queuedAs(reply), name))
  }
})
