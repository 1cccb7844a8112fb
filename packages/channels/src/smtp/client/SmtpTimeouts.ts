import { Duration } from "effect"

/** The timeouts of the stages of an SMTP session. */
export interface SmtpTimeouts {
  readonly connection: Duration.Duration
  readonly greeting: Duration.Duration
  /** EHLO, STARTTLS, AUTH, MAIL, RCPT, RSET. */
  readonly command: Duration.Duration
  /** The reply to DATA. */
  readonly data: Duration.Duration
  /** One block of the mail data. */
  readonly block: Duration.Duration
  /** The reply to the final dot. */
  readonly dot: Duration.Duration
}

/** RFC 5321 section 4.5.3.2, except the connection timeout. */
const standard: SmtpTimeouts = {
  connection: Duration.seconds(30),
  greeting: Duration.minutes(5),
  command: Duration.minutes(5),
  data: Duration.minutes(2),
  block: Duration.minutes(3),
  dot: Duration.minutes(10)
}

/**
 * The timeouts of RFC 5321, reduced to `limit` except for the final dot: the server may already have accepted the mail,
 * and a retry would duplicate it (RFC 1047).
 */
export const smtpTimeouts = (limit: Duration.Duration): SmtpTimeouts => ({
  connection: Duration.min(standard.connection, limit),
  greeting: Duration.min(standard.greeting, limit),
  command: Duration.min(standard.command, limit),
  data: Duration.min(standard.data, limit),
  block: Duration.min(standard.block, limit),
  dot: standard.dot
})
