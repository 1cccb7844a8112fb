import type { ServerResponse } from "node:http"
import { receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import {
  callbackBody,
  postCallback,
  respondError,
  respondTaken,
  signatureOf
} from "@switchboard/channels/testing/whatsapp/CloudServer"
import { Effect, FiberSet } from "effect"
import type { Dice } from "./Dice.js"
import type { DecideFault } from "./KilledLives.js"
import type { Truth } from "./Truth.js"

/** "request" is before the message is taken, "taken" before the response. */
export type CloudMoment = "request" | "taken" | "answered"

/** The end of the connection, or an error response. */
export type CloudFault = "drop" | { readonly status: number; readonly code: number }

/** The shares of messages whose callbacks come twice, late, in the wrong order, before the response, and forged too. */
const shares = { doubled: 0.2, late: 0.2, disordered: 0.2, early: 0.2, forged: 0.2 }

/** The maximum delay of callbacks, and the delay of a response that callbacks precede, in milliseconds. */
const maxLateness = 3_000
const earliness = 200

/** A Cloud API that records requests. It posts callbacks to `url` until they are accepted. */
export const truthCloud = (
  truth: Truth,
  dice: Dice,
  { number, url }: { readonly number: string; readonly url: Effect.Effect<string> }
) =>
  Effect.gen(function* () {
    const posting = yield* FiberSet.make()
    const run = yield* FiberSet.runtime(posting)<never>()
    const figures = { doubled: 0, late: 0, disordered: 0, early: 0, forged: 0, reposted: 0 }
    const violations: Array<string> = []
    const callbacks = { acknowledged: () => {} }
    let taken = 0

    const has = (kind: keyof typeof shares, id: string) => {
      const so = dice(kind, id) < shares[kind]
      if (so) figures[kind] += 1
      return so
    }

    /** Posts a callback until it gets the expected response. A killed process gives none. */
    const post = (status: object, expected: 200 | 401): Effect.Effect<void> => {
      const body = callbackBody(number, { statuses: [status] })
      const signature = expected === 200 ? signatureOf(body) : signatureOf(body, "forged")
      return Effect.gen(function* () {
        const at = yield* url
        const got = yield* Effect.catchAllDefect(postCallback(at, body, signature), () => Effect.succeed(0))
        if (got === expected) return callbacks.acknowledged()
        if (got !== 0 && got !== 503) return void violations.push(`a callback got ${got}, not ${expected}`)
        figures.reposted += 1
        yield* Effect.delay(post(status, expected), "50 millis")
      })
    }

    const report = Effect.fnUntraced(function* (id: string, phone: string) {
      const timestamp = String(Math.floor(Date.now() / 1_000))
      const about = { id, timestamp, recipient_id: phone }
      if (has("forged", id)) yield* post({ ...about, status: "failed", errors: [{ code: 131_026 }] }, 401)
      if (has("late", id)) yield* Effect.sleep(dice("lateness", id) * maxLateness)
      const order = has("disordered", id) ? ["delivered", "sent"] : ["sent", "delivered"]
      for (const status of order) yield* post({ ...about, status }, 200)
      if (has("doubled", id)) yield* post({ ...about, status: "delivered" }, 200)
    })

    /** A Cloud API with faults. */
    const listen = (decide: DecideFault<CloudMoment, CloudFault> = () => undefined) => {
      /** Whether the fault at a moment prevents the response without faults. */
      const fails = (at: CloudMoment, response: ServerResponse) => {
        const fault = decide(at)
        if (fault === "drop") response.destroy()
        if (typeof fault === "object") respondError(response, fault.status, fault.code)
        return fault !== undefined
      }
      return receiver((response, { body }) => {
        const { to }: { readonly to: string } = JSON.parse(body)
        const seen = truth.of(`+${to}`)
        seen.tries.push(performance.now())
        if (fails("request", response)) return
        const id = `wamid.${++taken}`
        seen.accept(body)
        run(report(id, to))
        if (fails("taken", response)) return
        const respond = () => {
          respondTaken(response, id)
          decide("answered")
        }
        if (has("early", id)) setTimeout(respond, earliness)
        else respond()
      })
    }

    return { listen, callbacks, figures, violations, waiting: FiberSet.size(posting) }
  })
