import type { Socket } from "node:net"
import { Data, Duration } from "effect"
import { Command, encodePdu, isResponse, type Pdu, PduReader, responseTo } from "./Pdu.js"
import { Status } from "./SmppStatus.js"

/** The result of a request. */
export type RequestResult = Data.TaggedEnum<{
  /** The peer responded, with any command_status. */
  Responded: { readonly status: number; readonly body: Uint8Array }
  /** The session ended before the response. */
  Lost: { readonly isWritten: boolean; readonly reason: string }
  /** No response arrived in time. */
  Silent: object
  /** The request was not written because it was withdrawn. */
  Withdrawn: object
}>

export const RequestResult = Data.taggedEnum<RequestResult>()

/** The limits of a session. */
export interface SessionLimits {
  /** Outstanding requests at most; further ones wait. */
  readonly window: number
  /** The wait for a response. */
  readonly responseTimeout: Duration.Duration
  /** The interval of enquire_link. */
  readonly enquireLinkInterval: Duration.Duration
}

export const defaultLimits: SessionLimits = {
  window: 10,
  responseTimeout: Duration.seconds(30),
  enquireLinkInterval: Duration.seconds(30)
}

/** The events of a session. */
export interface SessionEvents {
  /** The peer requests something else than enquire_link and unbind. Each request must get a response. */
  readonly requested: (request: Pdu) => void
  /** The session ended. Called once. */
  readonly closed: (reason: string) => void
}

/** A request to write when the window has room. */
interface WaitingRequest {
  readonly command: number
  readonly body: Uint8Array
  readonly isWanted: () => boolean
  readonly settle: (result: RequestResult) => void
}

interface OutstandingRequest extends WaitingRequest {
  readonly deadline: number
}

const maxSequence = 0x7fffffff

/** A peer that takes no data has this long until its connection is destroyed. */
const closeTimeoutMs = 1_000

/** Requests of the peer that have no response yet; beyond them the session reads no more. */
const maxUnanswered = 200

/** In octets: the session of a peer that does not read ends when more than this is unsent. */
const maxUnsent = 4 * 1024 * 1024

/** An SMPP session over a connection, of a client or of a server. */
export class SmppSession {
  /** Whether a bind succeeded. A session that is not bound ends without unbind. */
  isBound = false
  private readonly reader = new PduReader()
  private readonly outstanding = new Map<number, OutstandingRequest>()
  private waiting: Array<WaitingRequest> = []
  private readonly timer: NodeJS.Timeout
  private sequence: number
  private unanswered = 0
  private inWindow = 0
  private lastEnquiry = performance.now()
  private isOpen = true

  constructor(
    private readonly socket: Socket,
    private readonly limits: SessionLimits,
    private readonly events: SessionEvents,
    firstSequence = 1
  ) {
    this.sequence = firstSequence
    const shortest = Math.min(Duration.toMillis(limits.responseTimeout), Duration.toMillis(limits.enquireLinkInterval))
    this.timer = setInterval(this.tick, Math.max(10, Math.min(1_000, shortest / 4)))
    socket.on("data", this.read)
    socket.on("error", ({ message }) => this.fail(message))
    socket.on("close", () => this.fail("The connection was closed"))
    socket.on("end", () => this.fail("The connection was closed"))
  }

  /** Writes a request when the window has room and `isWanted`. The returned function withdraws it before that. */
  request(
    command: number,
    body: Uint8Array,
    settle: (result: RequestResult) => void,
    isWanted: () => boolean = () => true
  ): () => void {
    const request = { command, body, isWanted, settle }
    if (!this.isOpen) settle(RequestResult.Lost({ isWritten: false, reason: "The session ended" }))
    else {
      this.waiting.push(request)
      this.writeWaiting()
    }
    return () => {
      this.waiting = this.waiting.filter((other) => other !== request)
    }
  }

  /** Responds to a request of the peer. */
  respond(request: Pdu, status: number, body: Uint8Array = new Uint8Array()): void {
    this.unanswered -= 1
    this.write({ command: responseTo(request.command), status, sequence: request.sequence, body })
    if (this.unanswered < maxUnanswered) this.socket.resume()
  }

  /** Responds to a request of an unknown command. */
  refuse({ sequence }: Pdu): void {
    this.unanswered -= 1
    this.write({ command: Command.genericNack, status: Status.invalidCommand, sequence, body: Buffer.of() })
  }

  /** Sends unbind, and closes the connection at the response or after `closeTimeoutMs`. */
  unbind(): void {
    if (!this.isOpen) return
    if (!this.isBound) {
      this.fail("The session was not bound")
      return
    }
    const end = () => this.fail("The session was unbound")
    setTimeout(end, closeTimeoutMs).unref()
    this.writeRequest({ command: Command.unbind, body: new Uint8Array(), isWanted: () => true, settle: end })
  }

  /** Ends the session. */
  fail(reason: string): void {
    if (!this.isOpen) return
    this.isOpen = false
    clearInterval(this.timer)
    this.socket.destroySoon()
    this.socket.resume()
    setTimeout(() => this.socket.destroy(), closeTimeoutMs).unref()
    const waiting = this.waiting
    this.waiting = []
    for (const { settle } of waiting) settle(RequestResult.Lost({ isWritten: false, reason }))
    const outstanding = [...this.outstanding.values()]
    this.outstanding.clear()
    for (const { settle } of outstanding) settle(RequestResult.Lost({ isWritten: true, reason }))
    this.events.closed(reason)
  }

  private readonly read = (chunk: Buffer): void => {
    this.reader.push(chunk)
    while (this.isOpen) {
      const pdu = this.reader.next()
      if (pdu === null) return
      if (pdu === "invalid") {
        this.write({
          command: Command.genericNack,
          status: Status.invalidCommandLength,
          sequence: 0,
          body: Buffer.of()
        })
        this.fail("The peer sent a PDU of an invalid length")
      } else if (isResponse(pdu)) this.responded(pdu)
      else this.requested(pdu)
    }
  }

  private responded({ body, command, sequence, status }: Pdu): void {
    const request = this.outstanding.get(sequence)
    // A response after its timeout, or one that no request had.
    if (request === undefined) return
    if (command !== responseTo(request.command) && command !== Command.genericNack) {
      this.fail("The peer sent a response to another command")
      return
    }
    this.settle(sequence, request, RequestResult.Responded({ status, body }))
  }

  private requested(request: Pdu): void {
    this.unanswered += 1
    if (request.command === Command.enquireLink) this.respond(request, Status.ok)
    else if (request.command === Command.unbind) {
      this.respond(request, Status.ok)
      this.fail("The peer unbound the session")
    } else {
      if (this.unanswered >= maxUnanswered) this.socket.pause()
      this.events.requested(request)
    }
  }

  private settle(sequence: number, request: OutstandingRequest, result: RequestResult): void {
    this.outstanding.delete(sequence)
    if (request.command !== Command.enquireLink) this.inWindow -= 1
    request.settle(result)
    this.writeWaiting()
  }

  private writeWaiting(): void {
    while (this.isOpen && this.inWindow < this.limits.window) {
      const request = this.waiting.shift()
      if (request === undefined) return
      if (request.isWanted()) this.writeRequest(request)
      else request.settle(RequestResult.Withdrawn())
    }
  }

  private writeRequest(request: WaitingRequest): void {
    while (this.outstanding.has(this.sequence)) this.advance()
    const sequence = this.sequence
    this.advance()
    const deadline = performance.now() + Duration.toMillis(this.limits.responseTimeout)
    this.outstanding.set(sequence, { ...request, deadline })
    if (request.command !== Command.enquireLink) this.inWindow += 1
    this.write({ command: request.command, status: 0, sequence, body: request.body })
  }

  private advance(): void {
    this.sequence = this.sequence >= maxSequence ? 1 : this.sequence + 1
  }

  private write(pdu: Pdu): void {
    if (!this.isOpen) return
    this.socket.write(encodePdu(pdu))
    if (this.socket.writableLength > maxUnsent) this.fail("The peer does not read")
  }

  private readonly tick = (): void => {
    const now = performance.now()
    for (const [sequence, request] of this.outstanding) {
      if (request.deadline > now) break
      if (request.command === Command.enquireLink) {
        this.fail("The peer did not respond to enquire_link")
        return
      }
      this.settle(sequence, request, RequestResult.Silent())
    }
    if (now - this.lastEnquiry < Duration.toMillis(this.limits.enquireLinkInterval)) return
    this.lastEnquiry = now
    const ignore = () => undefined
    this.writeRequest({ command: Command.enquireLink, body: Buffer.of(), isWanted: () => true, settle: ignore })
  }
}
