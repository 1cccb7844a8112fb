import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { findProgram, skipWithout } from "@switchboard/domain/testing/Programs"
import { Effect, Queue, Schedule } from "effect"
import { heldLease } from "../Fixtures.js"
import { receiver } from "../webhooks/Receiver.js"
import { handsetFixture, smppTransportTo, sms } from "./SmsFixture.js"

const isInstalled = findProgram("bearerbox") !== undefined
const reason = skipWithout("bearerbox", "kannel")

interface Ports {
  readonly admin: number
  readonly smsbox: number
  readonly sendsms: number
  readonly smsc: number
}

/** The configuration of bearerbox, which binds to the SMSC, and of smsbox, which sends texts over HTTP. */
const configuration = ({ admin, sendsms, smsbox, smsc }: Ports, hook: string) => `
group = core
admin-port = ${admin}
admin-password = admin
smsbox-port = ${smsbox}
box-allow-ip = "127.0.0.1"
dlr-storage = internal

group = smsc
smsc = smpp
host = 127.0.0.1
port = ${smsc}
transceiver-mode = true
smsc-username = kannel
smsc-password = secret
system-type = ""
source-addr-ton = 1
source-addr-npi = 1
dest-addr-ton = 1
dest-addr-npi = 1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${sendsms}
sendsms-chars = "0123456789+ "

group = sendsms-user
username = tester
password = secret
max-messages = 10
concatenation = true

group = sms-service
keyword = default
get-url = "${hook}/text?from=%p&to=%P&text=%b"
max-messages = 0
`

const start = (program: string, file: string) =>
  Effect.acquireRelease(
    Effect.sync((): ChildProcess => spawn(program, [file], { stdio: "ignore" })),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Kannel as an SMPP client of a port. `send` returns the response of smsbox; `requests` are those of smsbox to its hook. */
const kannel = (smsc: number) =>
  Effect.gen(function* () {
    const requests = yield* Queue.unbounded<URL>()
    const hook = yield* receiver((response, { path }) => {
      requests.unsafeOffer(new URL(path, "http://hook.test"))
      response.end()
    })
    const ports = { admin: yield* freePort, smsbox: yield* freePort, sendsms: yield* freePort, smsc }
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "switchboard-kannel-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true }))
    )
    const file = join(folder, "kannel.conf")
    writeFileSync(file, configuration(ports, hook.url))
    yield* start("bearerbox", file)
    const get = (port: number, path: string) =>
      Effect.tryPromise(() => fetch(`http://127.0.0.1:${port}${path}`).then((response) => response.text()))
    const listens = (port: number) => Effect.retry(get(port, "/"), Schedule.spaced("25 millis"))
    // smsbox ends if bearerbox does not listen yet.
    yield* listens(ports.admin)
    yield* start("smsbox", file)
    const send = (fields: Readonly<Record<string, string>>) => {
      const query = new URLSearchParams({
        username: "tester",
        password: "secret",
        charset: "UTF-8",
        "dlr-mask": "3",
        "dlr-url": `${hook.url}/receipt?to=%P&type=%d`,
        ...fields
      })
      return get(ports.sendsms, `/cgi-bin/sendsms?${query}`)
    }
    yield* listens(ports.sendsms)
    return { send, requests }
  })

const gsm = "0"
const ucs2 = "2"

describe("The local handset with Kannel as the client", () => {
  it.scopedLive.skipIf(!isInstalled)(`takes its texts, and sends receipts and texts of phones${reason}`, () =>
    Effect.gen(function* () {
      const handset = yield* handsetFixture()
      const { requests, send } = yield* kannel(handset.port)
      const texts = [
        { coding: gsm, text: "a".repeat(160), ending: "1000" },
        { coding: gsm, text: `${"b".repeat(150)}€${"c".repeat(11)}`, ending: "1001" },
        { coding: ucs2, text: "ж".repeat(70), ending: "1002" },
        { coding: ucs2, text: `${"ж".repeat(66)}😀${"ж".repeat(10)}`, ending: "1003" },
        { coding: gsm, text: "undeliverable", ending: "0001" }
      ]
      for (const { coding, ending, text } of texts) {
        const to = `+49170000${ending}`
        assert.include(yield* send({ coding, text, from: "+4915100000000", to }), "0: Accepted for delivery")
        const receipt = yield* Queue.take(requests)
        assert.deepStrictEqual(
          [receipt.pathname, receipt.searchParams.get("type"), handset.stored.at(-1)?.text, handset.stored.at(-1)?.to],
          ["/receipt", ending === "0001" ? "2" : "1", text, to]
        )
      }
      assert.strictEqual(handset.stored.length, texts.length)

      const phone = yield* smppTransportTo(handset.port, { url: `smpp://handset:pw@127.0.0.1:${handset.port}` })
      yield* phone.send(sms({ from: "+4917000001000", to: "+4915100000000", text: "Hello Kannel" }), heldLease)
      const received = yield* Queue.take(requests)
      assert.deepStrictEqual(
        [received.pathname, received.searchParams.get("text"), received.searchParams.get("from")],
        ["/text", "Hello Kannel", "+4917000001000"]
      )
    })
  )
})
