import { Duration } from "effect"
import { mailData } from "./MailData.js"
import { openSession } from "./OpenSession.js"
import { type SmtpReceipt, sendTransaction } from "./SendTransaction.js"
import { SmtpConnection } from "./SmtpConnection.js"
import { envelopeProblem, type SmtpEnvelope } from "./SmtpEnvelope.js"
import { noExtensions, type SmtpExtensions } from "./SmtpExtensions.js"
import { lostConnection, type SmtpFailure } from "./SmtpFailure.js"
import type { SmtpRelay } from "./SmtpRelay.js"

/** Some servers end a session after a number of mails that they do not announce. */
const maxMails = 1_000

/** Shorter than the idle limits of common servers and routers. */
const idleTimeout = Duration.seconds(30)

const closed = lostConnection("connect", "The connections to the relay are closed")

interface Job {
  readonly envelope: SmtpEnvelope
  readonly octets: Uint8Array
  readonly done: (result: SmtpReceipt | SmtpFailure) => void
  /** A kept connection turned out to be closed: the job was moved to a new one. */
  isMoved: boolean
  member: Member | null
}

interface Member {
  readonly connection: SmtpConnection
  extensions: SmtpExtensions
  job: Job | null
  mails: number
  /** How a failing connection ends the mail under way. */
  ended: (failure: SmtpFailure) => SmtpReceipt | SmtpFailure
}

const same = (failure: SmtpFailure) => failure

/** Sends mails over a bounded number of connections, which it keeps open for the next mails. */
export class SmtpPool {
  private readonly waiting = new Set<Job>()
  private readonly members = new Set<Member>()
  private readonly idle: Array<Member> = []
  private isClosed = false

  constructor(
    private readonly relay: SmtpRelay,
    private readonly connections: number,
    /** Told of each connection whose reply becomes overdue, and of each where that ends. */
    private readonly stalled: (isStalled: boolean) => void = () => undefined
  ) {}

  /** Sends a mail. The result cancels it: a mail under way takes its connection with it, and `done` is not called. */
  send(envelope: SmtpEnvelope, octets: Uint8Array, done: Job["done"]): () => void {
    const job: Job = { envelope, octets, done, isMoved: false, member: null }
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

  /** Ends all connections and mails. */
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
      lost: (failure) => this.lost(member, failure),
      stalled: this.stalled
    })
    const member: Member = { connection, extensions: noExtensions, job, mails: 0, ended: same }
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
    member.ended = sendTransaction(
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
    member.ended = same
    member.mails += 1
    if (member.mails >= maxMails) {
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
    if (job !== null && isStale && !job.isMoved) {
      job.isMoved = true
      this.open(job)
    } else {
      job?.done(member.ended(failure))
      this.dispatch()
    }
  }
}
