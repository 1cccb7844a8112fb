import { assert, layer } from "@effect/vitest"
import { DeliveryOutcome, withoutReplies } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import { Effect, Exit } from "effect"
import { makeOrganization } from "./Fixtures.js"
import { accept, emptyQueue, Live, settle, statuses, take } from "./QueueFixtures.js"

layer(Live, { excludeTestServices: true })("An outcome that the database refuses", (it) => {
  it.effect("leaves its entry leased, and is stored without the text of its replies", () =>
    Effect.gen(function* () {
      yield* emptyQueue
      const own = yield* makeOrganization()
      yield* accept(own, 1)
      const taken = yield* take("w")
      const refused = DeliveryOutcome.Replied({
        replies: [{ recipient: "ada@example.com", verdict: "accepted", smtpCode: 250, response: "ok \0" }],
        response: "250 ok \0",
        providerMessageId: "\0",
        retryAt: null
      })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(settle("w", taken, refused))))
      yield* settle("w", taken, withoutReplies(refused))
      assert.deepStrictEqual(yield* statuses(own), ["pending processing sent delivered"])
    })
  )
})
