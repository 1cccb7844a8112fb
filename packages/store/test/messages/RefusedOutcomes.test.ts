import { assert, layer } from "@effect/vitest"
import { DeliveryOutcome, withoutReplies } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import { Effect, Exit } from "effect"
import { StoreLive } from "../StoreLive.js"
import { accept, emptyQueue, settle, statuses, take } from "./QueueFixtures.js"

layer(StoreLive, { excludeTestServices: true })("An outcome that the database refuses", (it) => {
  it.effect("leaves its entry leased, and is stored without the text of its replies", () =>
    Effect.gen(function* () {
      const { own } = yield* emptyQueue
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
