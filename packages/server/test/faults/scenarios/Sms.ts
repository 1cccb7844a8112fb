import { Status } from "@switchboard/channels/sms/SmppStatus"
import { expectedSegments, textsAtLimits } from "@switchboard/channels/testing/sms/SmsFixture"
import { Effect } from "effect"
import { installation, untilNone } from "../Installation.js"
import { type DecideFault, eventProxy, killedWorkers, type StoreMoment, unreached } from "../KilledLives.js"
import type { Scenario } from "../Scenario.js"
import type { Sends } from "../Sends.js"
import { type SmscFault, type SmscMoment, truthSmsc } from "../TruthSmsc.js"

const number = "+4930123456"

const textOf = (phone: string) => textsAtLimits[Number(phone.slice(-7)) % textsAtLimits.length] ?? ""

const texts: Sends = {
  body: (phone) => ({ channel: "sms", to: [{ phone }], sms: { text: textOf(phone) } }),
  parts: (phone, id) => expectedSegments(textOf(phone), id)
}

const once = (at: SmscMoment, fault: SmscFault) => [{ at, fault, within: 5 }]

const bindFailed = { at: "bind", fault: Status.invalidBindStatus, within: 1 } as const

/** Workers deliver texts to an SMSC that has each worker killed at a segment or a receipt. */
export const sms: Scenario = {
  name: "sms",
  about: "kills workers at segments and receipts of an SMSC that drops, throttles and repeats",
  rounds: { short: 6, full: 220 },
  run: ({ dice, rounds }) =>
    Effect.gen(function* () {
      const { addNumber, cluster, drained, end, insist, report, start, truth } = yield* installation(
        { SMS_URL: "smpp://faults:secret@127.0.0.1:1" },
        { sends: texts }
      )
      const smsc = truthSmsc(truth, dice)
      const api = yield* start("api")
      yield* addNumber(number, "sms")
      const startWorker = ({ port }: { readonly port: number }, url = cluster.url) =>
        start("worker", { DATABASE_URL: url, SMS_URL: `smpp://faults:secret@127.0.0.1:${port}` })
      const kills = yield* killedWorkers({
        dice,
        end,
        rounds,
        send: (phone) => insist(Effect.succeed(api.baseUrl), phone),
        kills: [
          { at: "submit", within: 10 },
          { at: "taken", within: 10 },
          { at: "answered", within: 10 },
          { at: "storing", within: 3 },
          { at: "stored", within: 3 },
          { at: "acknowledged", within: 10 }
        ],
        faults: [
          once("submit", "drop"),
          once("taken", "drop"),
          once("submit", Status.throttled),
          once("submit", Status.temporaryError),
          [bindFailed, bindFailed]
        ],
        start: (decide: DecideFault<SmscMoment | StoreMoment, SmscFault>) =>
          Effect.flatMap(Effect.all([smsc.listen(decide), eventProxy(cluster.url, decide)]), (peers) =>
            startWorker(...peers)
          )
      })
      yield* startWorker(yield* smsc.listen())
      yield* drained()
      const waiting = yield* untilNone(Effect.sync(smsc.waiting))
      return yield* report({ ...kills, ...smsc.figures }, [
        ...unreached(kills),
        ...(waiting === 0 ? [] : [`${waiting} receipts are not acknowledged`])
      ])
    })
}
