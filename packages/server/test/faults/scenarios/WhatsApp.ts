import { cloudSettings } from "@switchboard/channels/testing/whatsapp/CloudServer"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { whatsappCallbackPath } from "@switchboard/services/providers/ProviderCallbacks"
import { Effect, Fiber } from "effect"
import { installation, untilNone } from "../Installation.js"
import { killedLife, killedWorkers } from "../KilledLives.js"
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
  rounds: { short: 6, full: 220 },
  run: ({ dice, rounds }) =>
    Effect.gen(function* () {
      const port = String(yield* freePort)
      const { addNumber, drained, end, insist, report, start, truth } = yield* installation(
        { ...cloudSettings("http://127.0.0.1:1"), PORT: port },
        { sends: templates }
      )
      const baseUrl = `http://127.0.0.1:${port}`
      const cloud = yield* truthCloud(truth, dice, { number, url: `${baseUrl}${whatsappCallbackPath}` })
      const startWorker = ({ url }: { readonly url: string }) => start("worker", cloudSettings(url))
      let isOver = false
      let apiKills = 0
      const apiLife = (round: number) =>
        killedLife({
          dice,
          end,
          name: `api ${round}`,
          faults: [{ at: round % 2 === 0 ? "posted" : "acknowledged", fault: "kill", within: 20 }],
          start: (decide: typeof cloud.callbacks.decide) => {
            cloud.callbacks.decide = decide
            return start("api")
          }
        })
      const first = yield* start("api")
      yield* addNumber(number, "whatsapp")
      yield* end(first)
      const apis = yield* Effect.fork(
        Effect.gen(function* () {
          for (let round = 0; !isOver; round++) if (yield* apiLife(round)) apiKills += 1
        })
      )
      const kills = yield* killedWorkers({
        dice,
        end,
        rounds,
        send: (phone) => insist(Effect.succeed(baseUrl), phone),
        moments: ["request", "taken", "answered"],
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
      isOver = true
      yield* Fiber.join(apis)
      cloud.callbacks.decide = () => undefined
      yield* start("api")
      yield* startWorker(yield* cloud.listen())
      yield* drained()
      const waiting = yield* untilNone(cloud.waiting)
      return yield* report({ kills, apiKills, ...cloud.figures }, [
        ...cloud.violations,
        ...(waiting === 0 ? [] : [`${waiting} messages have callbacks without response`])
      ])
    })
}
