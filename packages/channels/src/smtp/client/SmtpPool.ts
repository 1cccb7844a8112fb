import { Duration } from "effect"
import { mailData } from "./MailData.js"
import { openSession } from "./OpenSession.js"
import { type SmtpReceipt, sendTransaction } from "./SendTransaction.js"
import { type ConnectionEvents, SmtpConnection } from "./SmtpConnection.js"
import { envelopeProblem, type SmtpEnvelope } from "./SmtpEnvelope.js"
import { noExtensions, type SmtpExtensions } from "./SmtpExtensions.js"
import { lostConnection, type SmtpFailure } from "./SmtpFailure.js"
import type { SmtpRelay } from "./SmtpRelay.js"

/** Some servers close a session after an unannounced number of mails. */
const maxMailsPerConnection = 1_000

/** Shorter than the idle timeouts of common servers and routers. */
const idleTimeout = Duration.seconds(30)

const closed = lostConnection("connect", "The connection pool of the relay is closed")

interface Job {
  readonly envelope: SmtpEnvelope
  readonly octets: Uint8Array
  readonly done: (result: SmtpReceipt | SmtpFailure) => void
  /** Whether the job was retried on a new connection because its first one was already closed by the server. */
  isRetried: boolean
  member: Member | null
}

interface Member {
  readonly connection: SmtpConnection
  extensions: SmtpExtensions
  job: Job | null
  mails: number
  /** Converts a connection failure to the result of the current mail. */
  toResult: (failure: SmtpFailure) => SmtpReceipt | SmtpFailure
}

const unchanged = (failure: SmtpFailure) => failure

/** A pool of at most `connections` persistent SMTP connections. */
export class SmtpPool {
  private readonly waiting = new Set<Job>()
  private readonly members = new Set<Member>()
  private readonly idle: Array<Member> = []
  private isClosed = false

  constructor(
    private readonly relay: SmtpRelay,
    private readonly connections: number,
    private readonly events: Omit<ConnectionEvents, "lost"> = { stalled: () => undefined }
  ) {}

  /** Sends a mail. The returned function cancels it: `done` is not called, and a begun transaction closes its connection. */
  send(envelope: SmtpEnvelope, octets: Uint8Array, done: Job["done"]): () => void {
    const job: Job = { envelope, octets, done, isRetried: false, member: null }
    if (this.isClosed) done(closed)
    else {
      this.waiting.add(job)
      this.dispatch()
    }
    return () => {
      this.waiting.delete(job)
      if (job.member?.job !== job) return
      job.member.connection.destroy()
      this.remove(job.member)
      this.dispatch()
    }
  }

  /** Closes all connections; pending mails fail. */
  close(): void {
    this.isClosed = true
    for (const member of this.members) {
      if (this.idle.includes(member)) member.connection.quit()
      else member.connection.destroy()
    }
    const jobs = [...this.waiting, ...[...this.members].flatMap(({ job }) => (job === null ? [] : [job]))]
    this.waiting.clear()
    this.members.clear()
    this.idle.length = 0
    for (const job of jobs) job.done(closed)
  }

  private dispatch(): void {
    for (const job of this.waiting) {
      const member = this.idle.pop()
      if (member === undefined && this.members.size >= this.connections) return
      this.waiting.delete(job)
      if (member === undefined) this.open(job)
      else this.assign(member, job)
    }
  }

  private open(job: Job): void {
    const connection = new SmtpConnection(this.relay, {
      ...this.events,
      lost: (failure) => this.lost(member, failure)
    })
    const member: Member = { connection, extensions: noExtensions, job, mails: 0, toResult: unchanged }
    job.member = member
    this.members.add(member)
    openSession(connection, (failure, extensions) => {
      if (failure !== null) return connection.fail(failure)
      member.extensions = extensions
      this.assign(member, job)
    })
  }

  private assign(member: Member, job: Job): void {
    member.job = job
    job.member = member
    const problem = envelopeProblem(job.envelope, member.extensions)
    if (problem !== null) {
      this.finish(member, { stage: "MAIL", cause: "unsendable", reply: null, message: problem }, true)
      return
    }
    member.toResult = sendTransaction(
      member.connection,
      member.extensions,
      job.envelope,
      mailData(job.octets),
      (result, isClean) => this.finish(member, result, isClean)
    )
  }

  private finish(member: Member, result: SmtpReceipt | SmtpFailure, isClean: boolean): void {
    const { connection, job } = member
    member.job = null
    member.toResult = unchanged
    member.mails += 1
    if (member.mails >= maxMailsPerConnection) {
      connection.quit()
      this.remove(member)
      this.dispatch()
    } else if (isClean) this.release(member)
    else {
      connection.expect("RSET", connection.relay.timeouts.command, ({ code }) => {
        if (code === 250) return this.release(member)
        connection.fail(lostConnection("RSET"))
      })
      connection.write("RSET\r\n")
    }
    job?.done(result)
  }

  private release(member: Member): void {
    member.connection.idle(idleTimeout)
    this.idle.push(member)
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
    const isStale = mails > 0 && failure.stage === "MAIL" && (failure.cause === "lost" || failure.reply?.code === 421)
    if (job !== null && isStale && !job.isRetried) {
      job.isRetried = true
      this.open(job)
    } else {
      job?.done(member.toResult(failure))
      this.dispatch()
    }
  }
}
