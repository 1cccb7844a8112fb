import { assert, describe, it } from "@effect/vitest"
import { isNetSmppInstalled, perl, submitsOf, withoutNetSmpp } from "@switchboard/channels/testing/sms/NetSmpp"
import { textsAtLimits } from "@switchboard/channels/testing/sms/SmsFixture"
import { Array, Effect } from "effect"
import { caller, temporaryFolder, until } from "../ServiceCalls.js"
import { base, launch, run } from "../ServiceProcess.js"

const count = 2_000
const batchSize = 100
const from = "+4915100000000"

describe("The service with Net::SMPP as the SMSC", () => {
  it.scopedLive.skipIf(!isNetSmppInstalled)(
    `delivers ${count} texts at the limits octet for octet, each by its receipts${withoutNetSmpp}`,
    () =>
      Effect.gen(function* () {
        const line = yield* perl("smpp-server.pl")
        const port = (yield* line).replace("port ", "")
        const environment = {
          ...base(yield* temporaryFolder),
          SMS_URL: `smpp://user:pw@127.0.0.1:${port}`
        }
        const { baseUrl } = yield* launch("serve", environment)
        yield* run(["numbers", "add", from, "--organization", "default", "--channels", "sms"], environment)
        const call = caller(baseUrl)
        const texts = Array.makeBy(count, (index) => ({
          to: `+49170${String(index * 10).padStart(8, "0")}`,
          text: textsAtLimits[index % textsAtLimits.length] ?? ""
        }))
        const expected: globalThis.Array<string> = []
        for (const part of Array.chunksOf(texts, batchSize)) {
          const { body, status } = yield* call("POST", "/v1/messages/batch", {
            messages: part.map(({ text, to }) => ({ channel: "sms", to: [{ phone: to }], sms: { text } }))
          })
          assert.strictEqual(status, 200)
          for (const [index, sms] of part.entries()) {
            expected.push(...submitsOf({ from, messageId: body.results[index].message.id, ...sms }))
          }
        }
        const seen: globalThis.Array<string> = []
        while (seen.length < expected.length) {
          const next = yield* line
          if (next.startsWith("submit")) seen.push(next)
          else assert.include(["bind user pw", "receipt 0"], next)
        }
        assert.deepStrictEqual(seen.sort(), expected.sort())
        const { body } = yield* until(
          call("GET", "/v1/messages?channel=sms&status=delivered&limit=1"),
          ({ body }) => body.pagination.total === count
        )
        assert.strictEqual(body.items.length, 1)
      })
  )
})
