import { cloudSettings } from "@switchboard/channels/testing/whatsapp/CloudServer"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { whatsappCallbackPath } from "@switchboard/services/providers/ProviderCallbacks"
import { Effect, Fiber } from "effect"
import { installation, untilNone } from "../Installation.js"
import { type DecideFault, eventProxy, killedLife, killedWorkers, unreached } from "../KilledLives.js"
import type { Scenario } from "../Scenario.js"
import type { Sends } from "../Sends.js"
import { type CloudFault, type CloudMoment, truthCloud } from "../TruthCloud.js"

const number = "+4930123456"

/** The phone is a parameter of the template, so that each request differs. */
const templateOf = (phone: string) => ({
  name: "order_shipped",
  language: "en_US",
  components: [{ type: "body", parameters: [{ type: "text", text: phone }] }]
})

const templates: Sends = {
  body: (phone) => ({ channel: "whatsapp", to: [{ phone }], whatsapp: { template: templateOf(phone) } }),
  parts: (phone) => {
    const { components, language, name } = templateOf(phone)
    const to = phone.slice(1)
    const template = { name, language: { code: language }, components }
    return [
      JSON.stringify({ messaging_product: "whatsapp", recipient_type: "individual", to, type: "template", template })
    ]
  }
}

const once = (at: CloudMoment, fault: CloudFault) => [{ at, fault, within: 5 }]

/** Workers send templates to a Cloud API, whose callbacks the api process receives. Both are killed. */
export const whatsApp: Scenario = {
  name: "whatsapp",
  about: "kills workers at requests of a Cloud API that fails, and the api at its callbacks",
  rounds: { short: 4, full: 220 },
  run: ({ dice, rounds }) =>
    Effect.gen(function* () {
      const port = String(yield* freePort)
      const { addNumber, cluster, drained, end, insist, report, start, truth } = yield* installation(
        { ...cloudSettings("http://127.0.0.1:1"), PORT: port },
        { sends: templates }
      )
      const isUp = yield* Effect.makeLatch()
      const baseUrl = Effect.as(isUp.await, `http://127.0.0.1:${port}`)
      const url = Effect.map(baseUrl, (base) => `${base}${whatsappCallbackPath}`)
      const cloud = yield* truthCloud(truth, dice, { number, url })
      const startApi = (address: string) => Effect.zipLeft(start("api", { DATABASE_URL: address }), isUp.open)
      const startWorker = ({ url }: { readonly url: string }) => start("worker", cloudSettings(url))
      const apiMoments = ["storing", "stored", "acknowledged"] as const
      const apiKills = { storing: 0, stored: 0, acknowledged: 0 }
      const apiLife = (round: number) =>
        Effect.gen(function* () {
          const at = apiMoments[round % apiMoments.length] ?? "stored"
          const isReached = yield* killedLife({
            dice,
            end,
            name: `api ${round}`,
            faults: [{ at, fault: "kill", within: 10 }],
            start: (decide: DecideFault<(typeof apiMoments)[number], never>) => {
              cloud.callbacks.acknowledged = () => void decide("acknowledged")
              return Effect.flatMap(eventProxy(cluster.url, decide), startApi)
            }
          })
          if (isReached) apiKills[at] += 1
        }).pipe(Effect.ensuring(isUp.close))
      yield* Effect.scoped(Effect.zipRight(start("api"), addNumber(number, "whatsapp")))
      const apis = yield* Effect.fork(
        Effect.gen(function* () {
          for (let round = 0; ; round++) yield* apiLife(round)
        })
      )
      const kills = yield* killedWorkers({
        dice,
        end,
        rounds,
        send: (phone) => insist(baseUrl, phone),
        kills: [
          { at: "request", within: 10 },
          { at: "taken", within: 10 },
          { at: "answered", within: 10 }
        ],
        faults: [
          once("request", "drop"),
          once("taken", "drop"),
          once("request", { status: 429, code: 130_429 }),
          once("request", { status: 400, code: 80_007 }),
          once("request", { status: 500, code: 131_000 }),
          once("taken", { status: 500, code: 131_000 })
        ],
        start: (decide) => Effect.flatMap(cloud.listen(decide), startWorker)
      })
      yield* startWorker(yield* cloud.listen())
      yield* drained()
      yield* Fiber.interrupt(apis)
      cloud.callbacks.acknowledged = () => {}
      yield* startApi(cluster.url)
      const waiting = yield* untilNone(cloud.waiting)
      return yield* report({ ...kills, ...apiKills, ...cloud.figures }, [
        ...unreached({ ...kills, ...apiKills }),
        ...cloud.violations,
        ...(waiting === 0 ? [] : [`${waiting} messages have callbacks without response`])
      ])
    })
}
