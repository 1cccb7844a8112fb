import { type Answer, type Script, type Stage, scriptedRelay } from "@switchboard/channels/testing/ScriptedRelay"

/** A point of a session at which the relay answers. */
export interface Moment {
  readonly stage: Stage
  readonly connection: number
  /** The last recipient that was named; none before RCPT. */
  readonly address: string | undefined
  /** How often this stage was reached for this address, or on all connections where there is none: 1 at first. */
  readonly times: number
}

/** What the relay answers; undefined is what a relay without faults answers. */
export type Decide = (moment: Moment) => Answer | undefined

/** What the relay saw of an address. */
export interface Seen {
  /** When each RCPT came, in milliseconds of `performance.now()`. */
  readonly tries: Array<number>
  /** Mails taken: also those of which the client does not have the answer. */
  copies: number
  readonly messageIds: Set<string>
  /** The relay refused it for good. */
  isRefused: boolean
}

/** What all relays of a scenario saw. Each recipient is the recipient of one message. */
export class Truth {
  private readonly seen = new Map<string, Seen>()

  of(address: string): Seen {
    const known = this.seen.get(address)
    if (known !== undefined) return known
    const fresh: Seen = { tries: [], copies: 0, messageIds: new Set(), isRefused: false }
    this.seen.set(address, fresh)
    return fresh
  }

  all(): ReadonlyMap<string, Seen> {
    return this.seen
  }
}

const stages: ReadonlyArray<Stage> = ["greeting", "EHLO", "HELO", "STARTTLS", "AUTH", "MAIL", "RCPT", "DATA", "dot"]

const usual = { dot: "250 2.0.0 Ok: queued", DATA: "354 Go ahead", RCPT: "250 2.1.5 OK", MAIL: "250 2.1.0 OK" } as const

const usualOf = (stage: Stage): string => {
  if (stage === "greeting") return "220 relay.test ESMTP"
  if (stage === "EHLO") return "250-relay.test\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 DSN"
  return stage in usual ? usual[stage as keyof typeof usual] : "250 OK"
}

/** A relay that decides at each stage what it answers, and keeps what it saw. */
export const truthRelay = (truth: Truth, decide: Decide = () => undefined) => {
  const recipients = new Map<number, Array<string>>()
  const reached = new Map<string, number>()

  const answer = (stage: Stage) => (line: string, connection: number) => {
    if (stage === "MAIL") recipients.set(connection, [])
    const named = recipients.get(connection) ?? []
    if (stage === "RCPT") named.push(/<([^>]*)>/.exec(line)?.[1] ?? "")
    const address = named.at(-1)
    if (stage === "RCPT") truth.of(address ?? "").tries.push(performance.now())
    const place = `${stage} ${address ?? ""}`
    const times = (reached.get(place) ?? 0) + 1
    reached.set(place, times)
    const given = decide({ stage, connection, address, times }) ?? usualOf(stage)
    const reply = typeof given === "string" ? given : given.reply
    if (address !== undefined && reply.startsWith("5")) truth.of(address).isRefused = true
    if (stage === "dot" && /^(250|silence|drop)/.test(reply)) {
      const id = /^message-id:\s*(<[^>]+>)/im.exec(line)?.[1] ?? ""
      for (const one of named) {
        const seen = truth.of(one)
        seen.copies += 1
        seen.messageIds.add(id)
      }
    }
    return given
  }
  const script: Script = Object.fromEntries(stages.map((stage) => [stage, answer(stage)]))
  return scriptedRelay(script)
}
