import { connect, isIP, type Socket } from "node:net"
import { connect as connectTls, TLSSocket } from "node:tls"
import { Duration } from "effect"
import { storableText } from "../../StorableText.js"
import { daneProblem } from "../mx/TlsaRecord.js"
import type { SmtpRelay } from "./SmtpRelay.js"
import {
  invalidReply,
  lostConnection,
  ReplyReader,
  refusedReply,
  replyTimeout,
  type SmtpFailure,
  type SmtpReply,
  type SmtpStage
} from "./SmtpReply.js"

/** A wait longer than this counts as stalled. */
const stalledAfterMs = 5_000

/** The interval at which a connection checks its timeouts: one timer instead of one per command. */
const tickMs = 1_000

/** In octets: a larger mail is written in blocks, each with its own timeout. */
const blockLength = 256 * 1024

/** The maximum characters of the reason of a failed handshake: a certificate can put a text of any length into it. */
const maxTlsReason = 300

/** The events of a connection. */
export interface ConnectionEvents {
  /** The connection was lost. Called at most once. */
  readonly lost: (failure: SmtpFailure) => void
  /** A reply became overdue (true), or is no longer overdue (false). */
  readonly stalled: (isStalled: boolean) => void
  /** The wait of a stage ended, in milliseconds: a reply, a connection, or a TLS handshake (STARTTLS). */
  readonly replied?: (stage: SmtpStage, milliseconds: number) => void
}

/** The connection of one SMTP session: writes octets, reads replies, and has a timeout on every wait. */
export class SmtpConnection {
  private socket: Socket
  private readonly reader = new ReplyReader()
  private readonly timer: NodeJS.Timeout
  private stage: SmtpStage = "connect"
  private onReply: ((reply: SmtpReply) => void) | null = null
  private waitingSince: number
  private limitMs: number
  private isIdle = false
  private isStalled = false
  private isOpen = true

  constructor(
    readonly relay: SmtpRelay,
    private readonly events: ConnectionEvents
  ) {
    const { timeouts } = relay
    this.waitingSince = performance.now()
    this.limitMs = Duration.toMillis(timeouts.connection)
    const minTimeoutMs = Math.min(...Object.values(timeouts).map((timeout) => Duration.toMillis(timeout)))
    this.timer = setInterval(() => this.tick(), Math.max(10, Math.min(tickMs, minTimeoutMs / 4)))
    const { address: host = relay.host, localAddress, port } = relay
    this.socket = connect({ host, port, noDelay: true, ...(localAddress === undefined ? {} : { localAddress }) })
    this.listen()
  }

  get isSecure(): boolean {
    return this.socket instanceof TLSSocket
  }

  /** Calls `done` when the TCP connection is established. */
  connected(done: () => void): void {
    this.socket.once("connect", () => {
      this.reportReply()
      done()
    })
  }

  /** Passes every reply to `onReply` until the next call; each must arrive within `timeout`. */
  expect(stage: SmtpStage, timeout: Duration.Duration, onReply: (reply: SmtpReply) => void): void {
    this.stage = stage
    this.onReply = onReply
    this.isIdle = false
    this.waitFor(Duration.toMillis(timeout))
  }

  /** Expects no reply. The connection closes after `limit`. */
  idle(limit: Duration.Duration): void {
    this.onReply = null
    this.isIdle = true
    this.waitFor(Duration.toMillis(limit))
  }

  /** Writes commands. Fails if the server has sent a surplus reply, which would be taken for the reply to them. */
  write(text: string): void {
    if (this.reader.hasInput) this.fail(invalidReply(this.stage))
    else this.socket.write(text)
  }

  /** Writes a mail and then its end, which is requested when the rest is written, and expects the reply. */
  writeMail(octets: Uint8Array, end: () => string, onReply: (reply: SmtpReply) => void): void {
    const { block, dot } = this.relay.timeouts
    const writeFrom = (at: number): void => {
      if (!this.isOpen) return
      if (octets.length - at > blockLength) {
        // A reply before the final dot can't accept the mail, and later replies would be misattributed.
        this.expect("mail data", block, (reply) =>
          this.fail(reply.code < 400 ? invalidReply("mail data") : refusedReply("mail data", reply))
        )
        this.socket.write(octets.subarray(at, at + blockLength), () => writeFrom(at + blockLength))
        return
      }
      this.socket.cork()
      this.socket.write(at === 0 ? octets : octets.subarray(at))
      this.socket.write(end())
      this.socket.uncork()
      this.expect("dot", dot, onReply)
    }
    writeFrom(0)
  }

  /** Negotiates TLS. Plaintext received after the last reply is discarded (RFC 3207 section 6). */
  upgrade(done: () => void): void {
    const { host, timeouts, tls, tlsa } = this.relay
    this.reader.clear()
    this.stage = "STARTTLS"
    this.onReply = null
    this.waitFor(Duration.toMillis(timeouts.command))
    const plain = this.socket
    plain.off("data", this.read).off("end", this.ended).off("close", this.ended)
    const secured = connectTls({
      socket: plain,
      host,
      ...(isIP(host) === 0 ? { servername: tlsa[0]?.name ?? host } : {}),
      minVersion: "TLSv1.2",
      rejectUnauthorized: tls === "require"
    })
    this.socket = secured
    const fail = (reason: string) =>
      this.fail(lostConnection("STARTTLS", `TLS with ${host} failed: ${storableText(reason, maxTlsReason)}`))
    const failHandshake = ({ message }: Error) => fail(message)
    secured.once("error", failHandshake)
    this.listen()
    secured.once("secureConnect", () => {
      secured.off("error", failHandshake)
      // The time of the machine, by which TLS checks certificates too.
      const problem = tls === "dane" ? daneProblem(host, secured.getPeerX509Certificate(), tlsa, Date.now()) : null
      if (problem !== null) return fail(problem)
      this.reportReply()
      done()
    })
  }

  /** Closes an idle session with QUIT. */
  quit(): void {
    if (!this.close()) return
    this.socket.end("QUIT\r\n")
    this.socket.destroySoon()
  }

  /** Closes the connection without calling `lost`. */
  destroy(): void {
    this.close()
    this.socket.destroy()
  }

  /** Closes the connection and calls `lost` with this failure. */
  fail(failure: SmtpFailure): void {
    if (!this.close()) return
    this.socket.destroy()
    this.events.lost(failure)
  }

  private close(): boolean {
    const wasOpen = this.isOpen
    this.isOpen = false
    clearInterval(this.timer)
    this.reportStalled(false)
    return wasOpen
  }

  private listen(): void {
    this.socket.on("data", this.read)
    this.socket.on("error", ({ message }) => this.fail(lostConnection(this.stage, message)))
    this.socket.on("end", this.ended)
    this.socket.on("close", this.ended)
  }

  private readonly ended = (): void => this.fail(lostConnection(this.stage))

  private readonly read = (octets: Buffer): void => {
    this.reader.push(octets)
    while (this.isOpen) {
      const reply = this.reader.next()
      if (reply === null) return
      if (reply === "invalid" || this.onReply === null) this.fail(invalidReply(this.stage))
      else {
        this.reportReply()
        this.waitFor(this.limitMs)
        this.onReply(reply)
      }
    }
  }

  private waitFor(limitMs: number): void {
    this.waitingSince = performance.now()
    this.limitMs = limitMs
    this.reportStalled(false)
  }

  private tick(): void {
    const waitedMs = performance.now() - this.waitingSince
    if (waitedMs < this.limitMs) {
      this.reportStalled(!this.isIdle && waitedMs >= Math.min(stalledAfterMs, this.limitMs / 2))
      return
    }
    if (this.isIdle) {
      this.quit()
      this.events.lost(lostConnection(this.stage, "The connection was idle"))
    } else this.fail(replyTimeout(this.stage, Duration.format(Duration.millis(this.limitMs))))
  }

  private reportReply(): void {
    this.events.replied?.(this.stage, performance.now() - this.waitingSince)
  }

  private reportStalled(isStalled: boolean): void {
    if (isStalled === this.isStalled) return
    this.isStalled = isStalled
    this.events.stalled(isStalled)
  }
}
