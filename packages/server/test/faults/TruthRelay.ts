import { type Script, type ScriptedReply, type Stage, scriptedRelay } from "@switchboard/channels/testing/ScriptedRelay"
import type { Truth } from "./Truth.js"

/** A stage of an SMTP session at which the relay replies. */
export interface Moment {
  readonly stage: Stage
  readonly connection: number
  /** The last recipient; undefined before RCPT. */
  readonly address: string | undefined
  /** How often this stage was reached for this address, or on all connections without one; begins with 1. */
  readonly times: number
}

/** The reply of the relay; undefined means the reply without faults. */
export type Decide = (moment: Moment) => ScriptedReply | undefined

/** Where a relay listens. */
type Listen = Parameters<typeof scriptedRelay>[1]

const stages: ReadonlyArray<Stage> = ["greeting", "EHLO", "HELO", "STARTTLS", "AUTH", "MAIL", "RCPT", "DATA", "dot"]

const usual = { dot: "250 2.0.0 Ok: queued", DATA: "354 Go ahead", RCPT: "250 2.1.5 OK", MAIL: "250 2.1.0 OK" } as const

const usualOf = (stage: Stage): string => {
  if (stage === "greeting") return "220 relay.test ESMTP"
  if (stage === "EHLO") return "250-relay.test\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 DSN"
  return stage in usual ? usual[stage as keyof typeof usual] : "250 OK"
}

/** A relay with a chosen reply at each stage, which records the sessions. Default: on a free port. */
export const truthRelay = (truth: Truth, decide: Decide = () => undefined, listen?: Listen) => {
  /** The last recipient, and the accepted ones, by connection. */
  const last = new Map<number, string>()
  const recipients = new Map<number, Array<string>>()
  const reached = new Map<string, number>()

  const answer = (stage: Stage) => (line: string, connection: number) => {
    if (stage === "MAIL") {
      recipients.set(connection, [])
      last.delete(connection)
    }
    const named = recipients.get(connection) ?? []
    if (stage === "DATA" && named.length === 0) return "554 5.5.1 No valid recipients"
    if (stage === "RCPT") last.set(connection, /<([^>]*)>/.exec(line)?.[1] ?? "")
    const address = last.get(connection)
    if (stage === "RCPT") truth.of(address ?? "").tries.push(performance.now())
    const place = `${stage} ${address ?? ""}`
    const times = (reached.get(place) ?? 0) + 1
    reached.set(place, times)
    const decision = decide({ stage, connection, address, times }) ?? usualOf(stage)
    const reply = typeof decision === "string" ? decision : decision.reply
    if (stage === "RCPT" && address !== undefined && !/^[45]/.test(reply)) named.push(address)
    if (address !== undefined && reply.startsWith("5")) truth.of(address).isRefused = true
    if (stage === "dot" && /^(250|silence|drop)/.test(reply)) {
      const id = /^message-id:\s*(<[^>]+>)/im.exec(line)?.[1] ?? ""
      for (const one of named) truth.of(one).accept(id)
    }
    return decision
  }
  const script: Script = Object.fromEntries(stages.map((stage) => [stage, answer(stage)]))
  return scriptedRelay(script, listen)
}
