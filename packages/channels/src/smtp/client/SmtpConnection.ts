import { connect, isIP, type Socket } from "node:net"
import { connect as connectTls, TLSSocket } from "node:tls"
import { Duration } from "effect"
import { invalidReply, lostConnection, refusedReply, type SmtpFailure, type SmtpStage, silence } from "./SmtpFailure.js"
import type { SmtpRelay } from "./SmtpRelay.js"
import { ReplyReader, type SmtpReply } from "./SmtpReply.js"

/** A wait longer than this counts as stalled. */
const stalledAfterMs = 5_000

/** How often a connection compares its waiting time with its limits: one timer, whatever the number of commands. */
const tickMs = 1_000

/** Larger mails are written block by block, each with its own time. */
const blockLength = 256 * 1024

/** Told what becomes of a connection. */
export interface ConnectionEvents {
  /** The connection is gone, and says why; once. */
  readonly lost: (failure: SmtpFailure) => void
  /** A reply became overdue, or an overdue one arrived. */
  readonly stalled: (isStalled: boolean) => void
}

/** The wire of one SMTP session: octets out, replies in, and a time limit on every wait. */
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
    const shortestMs = Math.min(...Object.values(timeouts).map((timeout) => Duration.toMillis(timeout)))
    this.timer = setInterval(() => this.tick(), Math.max(10, Math.min(tickMs, shortestMs / 4)))
    this.socket = connect({ host: relay.host, port: relay.port, noDelay: true })
    this.listen()
  }

  get isSecure(): boolean {
    return this.socket instanceof TLSSocket
  }

  /** Runs `done` once the TCP connection stands. */
  connected(done: () => void): void {
    this.socket.once("connect", done)
  }

  /** Hands every reply to `onReply` until the next call; each must arrive within `timeout`. */
  expect(stage: SmtpStage, timeout: Duration.Duration, onReply: (reply: SmtpReply) => void): void {
    this.stage = stage
    this.onReply = onReply
    this.isIdle = false
    this.waitFor(Duration.toMillis(timeout))
  }

  /** Waits for nothing: a connection that idles longer than `limit` ends. */
  idle(limit: Duration.Duration): void {
    this.onReply = null
    this.isIdle = true
    this.waitFor(Duration.toMillis(limit))
  }

  write(text: string): void {
    this.socket.write(text)
  }

  /** Writes a mail and its end, then expects the reply to the final dot. */
  writeMail(octets: Uint8Array, end: Uint8Array, onReply: (reply: SmtpReply) => void): void {
    const { block, dot } = this.relay.timeouts
    const writeFrom = (at: number): void => {
      if (!this.isOpen) return
      if (octets.length - at > blockLength) {
        // A reply before the end can't accept the mail, and the rest of the session would be out of step.
        this.expect("mail data", block, (reply) =>
          this.fail(reply.code < 400 ? invalidReply("mail data") : refusedReply("mail data", reply))
        )
        this.socket.write(octets.subarray(at, at + blockLength), () => writeFrom(at + blockLength))
        return
      }
      this.socket.cork()
      this.socket.write(at === 0 ? octets : octets.subarray(at))
      this.socket.write(end)
      this.socket.uncork()
      this.expect("dot", dot, onReply)
    }
    writeFrom(0)
  }

  /** Negotiates TLS on the open connection. Octets that came in clear after the last reply are discarded. */
  upgrade(done: () => void): void {
    const { host, timeouts, tls } = this.relay
    this.reader.clear()
    this.stage = "STARTTLS"
    this.onReply = null
    this.waitFor(Duration.toMillis(timeouts.command))
    const plain = this.socket
    plain.off("data", this.read).off("end", this.ended).off("close", this.ended)
    this.socket = connectTls({
      socket: plain,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      rejectUnauthorized: tls === "require"
    })
    this.listen()
    this.socket.once("secureConnect", done)
  }

  /** Ends an idle session politely. */
  quit(): void {
    if (!this.close()) return
    this.socket.end("QUIT\r\n")
    this.socket.destroySoon()
  }

  /** Ends the connection; `lost` is not called. */
  destroy(): void {
    this.close()
    this.socket.destroy()
  }

  /** Ends the connection for this reason. */
  fail(failure: SmtpFailure): void {
    if (!this.close()) return
    this.socket.destroy()
    this.events.lost(failure)
  }

  private close(): boolean {
    const wasOpen = this.isOpen
    this.isOpen = false
    clearInterval(this.timer)
    this.showStalled(false)
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
        this.waitFor(this.limitMs)
        this.onReply(reply)
      }
    }
  }

  private waitFor(limitMs: number): void {
    this.waitingSince = performance.now()
    this.limitMs = limitMs
    this.showStalled(false)
  }

  private tick(): void {
    const waitedMs = performance.now() - this.waitingSince
    if (waitedMs < this.limitMs) {
      this.showStalled(!this.isIdle && waitedMs >= Math.min(stalledAfterMs, this.limitMs / 2))
      return
    }
    if (this.isIdle) {
      this.quit()
      this.events.lost(lostConnection(this.stage, "The connection was idle"))
    } else this.fail(silence(this.stage, Duration.format(Duration.millis(this.limitMs))))
  }

  private showStalled(isStalled: boolean): void {
    if (isStalled === this.isStalled) return
    this.isStalled = isStalled
    this.events.stalled(isStalled)
  }
}
