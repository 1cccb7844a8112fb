import { Duration } from "effect"
import { SmtpConnection } from "./SmtpConnection.js"
import { envelopeProblem } from "./SmtpMail.js"
import {
  type EnvelopeOverlap,
  envelopeOverlap,
  type FailedServer,
  type PoolEvents,
  type SmtpLease,
  type SmtpPoolOptions
} from "./SmtpPoolOptions.js"
import {
  invalidReply,
  lostConnection,
  noExtensions,
  refusedReply,
  type SmtpExtensions,
  type SmtpFailure,
  type SmtpStage
} from "./SmtpReply.js"
import { envelopeCommands, openSession, type SmtpMail, type SmtpReceipt, sendTransaction } from "./SmtpSession.js"

/** Some servers close a session after an unannounced number of mails. */
const maxMailsPerConnection = 1_000

/** Shorter than the idle timeouts of common servers and routers. */
const defaultIdleTimeout = Duration.seconds(30)

/** The share of the connections for one owner, so that mails of one that hang leave some to others. */
const maxOwnerShare = 0.8

const closed = lostConnection("connect", "The connection pool of the relay is closed")

const noServer = lostConnection("connect", "There is no server to connect to")

interface Job extends SmtpMail {
  readonly lease?: SmtpLease
  readonly done: (result: SmtpReceipt | SmtpFailure) => void
  /** Whether the job was retried on a new connection because its first one was closed or out of step. */
  isRetried: boolean
  /** The servers to which no session could be opened for the job. */
  failed: ReadonlyArray<FailedServer>
  member: Member | null
}

interface Member {
  readonly connection: SmtpConnection
  extensions: SmtpExtensions
  job: Job | null
  /** The mail whose envelope was written with the end of the current one. */
  next: Job | null
  /** Whether the envelope of `job` was written with the end of the mail before. */
  isEnvelopeSent: boolean
  /** Whether `next` was removed: the server waits for its data, so the connection can't be used further. */
  isSpoiled: boolean
  mails: number
  /** Converts a connection failure to the result of the current mail. */
  toResult: (failure: SmtpFailure) => SmtpReceipt | SmtpFailure
}

const unchanged = (failure: SmtpFailure) => failure

/** The stages before the first mail of a connection. */
const sessionStages: ReadonlySet<SmtpStage> = new Set(["connect", "greeting", "EHLO", "STARTTLS", "AUTH"])

/** The stages before the data of a mail, or without it. */
const envelopeStages: ReadonlySet<SmtpStage> = new Set(["MAIL", "RCPT", "DATA", "RSET"])

/** A pool of persistent SMTP connections to the servers of a relay or destination. */
export class SmtpPool {
  private readonly waiting = new Set<Job>()
  private readonly members = new Set<Member>()
  private readonly idle: Array<Member> = []
  private readonly events: PoolEvents
  private readonly overlap: EnvelopeOverlap
  private isClosed = false

  constructor(private readonly options: SmtpPoolOptions) {
    this.events = options.events ?? { stalled: () => undefined }
    this.overlap = options.overlap ?? envelopeOverlap()
  }

  /** The number of open connections. */
  get size(): number {
    return this.members.size
  }

  /** Sends a mail. The returned function cancels it: `done` is not called, and a begun transaction closes its connection. */
  send(mail: SmtpMail & { readonly lease?: SmtpLease }, done: Job["done"]): () => void {
    const job: Job = { done, isRetried: false, failed: [], member: null, ...mail }
    if (this.isClosed) done(closed)
    else {
      this.waiting.add(job)
      this.dispatch()
    }
    return () => {
      this.waiting.delete(job)
      const { member } = job
      if (member?.next === job) this.spoil(member)
      if (member?.job !== job) return
      member.connection.destroy()
      this.remove(member)
      this.requeueNext(member)
      this.dispatch()
    }
  }

  /** Gives up the mails that wait for a connection: their leases are lost. */
  withdrawWaiting(): void {
    const jobs = [...this.waiting].filter(({ lease }) => lease !== undefined)
    for (const job of jobs) {
      this.waiting.delete(job)
      job.lease?.lost()
    }
  }

  /** Closes all connections; pending mails fail. */
  close(): void {
    this.isClosed = true
    for (const member of this.members) {
      if (this.idle.includes(member)) member.connection.quit()
      else member.connection.destroy()
    }
    const jobs = [...this.waiting, ...[...this.members].flatMap(({ job, next }) => [job, next])]
    this.waiting.clear()
    this.members.clear()
    this.idle.length = 0
    for (const job of jobs) job?.done(closed)
  }

  private dispatch(): void {
    for (const job of this.waiting) {
      if (this.idle.length === 0 && this.members.size >= this.options.connections()) return
      if (!this.hasRoom(job)) continue
      this.waiting.delete(job)
      if (!isHeld(job)) continue
      const member = this.idle.pop()
      if (member !== undefined) this.assign(member, job)
      else if (!this.open(job)) job.done(noServer)
    }
  }

  /** Whether the owner of a job may use another connection. */
  private hasRoom({ lease }: Job): boolean {
    if (lease === undefined) return true
    let used = 0
    for (const { job, next } of this.members) {
      if (job?.lease?.owner === lease.owner || next?.lease?.owner === lease.owner) used++
    }
    return used < Math.max(1, Math.floor(this.options.connections() * maxOwnerShare))
  }

  /** Opens a connection for a job to the next server. Returns false if there is none. */
  private open(job: Job): boolean {
    const server = this.options.nextServer(job.failed)
    if (server === null) return false
    const connection = new SmtpConnection(server, {
      ...this.events,
      lost: (failure) => this.lost(member, failure),
      stalled: (isStalled) => {
        this.events.stalled(isStalled)
        if (isStalled) this.requeueNext(member)
      }
    })
    const member: Member = {
      connection,
      extensions: noExtensions,
      job,
      next: null,
      isEnvelopeSent: false,
      isSpoiled: false,
      mails: 0,
      toResult: unchanged
    }
    job.member = member
    this.members.add(member)
    openSession(connection, (failure, extensions) => {
      if (failure !== null) return connection.fail(failure)
      member.extensions = extensions
      this.assign(member, job)
    })
    return true
  }

  private assign(member: Member, job: Job, isEnvelopeSent = false): void {
    member.job = job
    member.isEnvelopeSent = isEnvelopeSent
    job.member = member
    const problem = envelopeProblem(job.envelope, member.extensions)
    if (problem !== null) {
      this.finish(member, { stage: "MAIL", cause: "unsendable", reply: null, message: problem }, true)
      return
    }
    member.toResult = sendTransaction(job, {
      connection: member.connection,
      extensions: member.extensions,
      isEnvelopeSent,
      nextEnvelope: () => this.takeNext(member),
      outOfOrder: () => {
        this.overlap.disable()
        this.requeueNext(member)
      },
      done: (result, isClean) => this.finish(member, result, isClean)
    })
  }

  /** Selects the next mail of a connection while the current one ends, and returns the commands of its envelope. */
  private takeNext(member: Member): string {
    if (!this.overlap.isEnabled() || member.mails + 1 >= maxMailsPerConnection) return ""
    for (const job of this.waiting) {
      const isSameOwner = job.lease?.owner === member.job?.lease?.owner
      if (!isSameOwner && !this.hasRoom(job)) continue
      if (envelopeProblem(job.envelope, member.extensions) !== null) return ""
      this.waiting.delete(job)
      if (!isHeld(job)) continue
      member.next = job
      job.member = member
      return envelopeCommands(job, member.extensions).join("")
    }
    return ""
  }

  /** Returns the next mail to the queue if the current one hangs. */
  private requeueNext(member: Member): void {
    const { next } = member
    if (next === null) return
    this.spoil(member)
    next.member = null
    this.waiting.add(next)
    this.dispatch()
  }

  private spoil(member: Member): void {
    member.next = null
    member.isSpoiled = true
  }

  private finish(member: Member, result: SmtpReceipt | SmtpFailure, isClean: boolean): void {
    const { connection, job, next } = member
    member.job = null
    member.next = null
    member.toResult = unchanged
    member.mails += 1
    if (member.isSpoiled || (next !== null && !isHeld(next))) {
      connection.destroy()
      this.remove(member)
      this.dispatch()
    } else if (next !== null) this.assign(member, next, true)
    else if (member.mails >= maxMailsPerConnection) {
      connection.quit()
      this.remove(member)
      this.dispatch()
    } else if (isClean) this.release(member)
    else {
      this.reset(member, job, result)
      return
    }
    job?.done(result)
  }

  /** Ends an open transaction. Its result holds if the reply to RSET follows, and not one to an earlier command. */
  private reset(member: Member, job: Job | null, result: SmtpReceipt | SmtpFailure): void {
    const { connection } = member
    member.job = job
    member.toResult = () => result
    connection.expect("RSET", connection.relay.timeouts.command, (reply) => {
      if (reply.code !== 250) {
        return connection.fail(reply.code === 421 ? refusedReply("RSET", reply) : invalidReply("RSET"))
      }
      member.job = null
      member.toResult = unchanged
      this.release(member)
      job?.done(result)
    })
    connection.write("RSET\r\n")
  }

  private release(member: Member): void {
    if (this.members.size > this.options.connections()) {
      member.connection.quit()
      this.remove(member)
    } else {
      member.connection.idle(this.options.idleTimeout ?? defaultIdleTimeout)
      this.idle.push(member)
    }
    this.dispatch()
  }

  private remove(member: Member): void {
    this.members.delete(member)
    const at = this.idle.indexOf(member)
    if (at >= 0) this.idle.splice(at, 1)
  }

  private lost(member: Member, failure: SmtpFailure): void {
    this.remove(member)
    const { job, mails } = member
    member.job = null
    this.requeueNext(member)
    const isStale = failure.stage === "MAIL" && (failure.cause === "lost" || failure.reply?.code === 421)
    // Only the mails before can have brought the connection out of step: the server answered one of them twice or late.
    const isUnordered = failure.cause === "invalid" && envelopeStages.has(failure.stage)
    if (isUnordered && member.isEnvelopeSent) this.overlap.disable()
    if (job !== null && mails > 0 && (isStale || isUnordered) && !job.isRetried) {
      job.isRetried = true
      if (this.open(job)) return
    }
    if (job !== null && mails === 0 && sessionStages.has(failure.stage)) {
      job.failed = [...job.failed, { server: member.connection.relay, failure }]
      if (this.open(job)) return
    }
    job?.done(member.toResult(failure))
    this.dispatch()
  }
}

/** Whether a job may still be sent; one that may not is over. */
const isHeld = ({ lease }: Job): boolean => {
  if (lease === undefined || lease.isHeld()) return true
  lease.lost()
  return false
}
