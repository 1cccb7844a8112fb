import { Duration } from "effect"

/** How long a server may take, by what it is to do. */
export interface SmtpTimeouts {
  readonly connection: Duration.Duration
  readonly greeting: Duration.Duration
  /** EHLO, STARTTLS, AUTH, MAIL, RCPT, RSET. */
  readonly command: Duration.Duration
  /** The reply to DATA. */
  readonly data: Duration.Duration
  /** One block of a mail's octets. */
  readonly block: Duration.Duration
  /** The reply to the final dot. */
  readonly dot: Duration.Duration
}

/** RFC 5321 section 4.5.3.2. */
const standard: SmtpTimeouts = {
  connection: Duration.seconds(30),
  greeting: Duration.minutes(5),
  command: Duration.minutes(5),
  data: Duration.minutes(2),
  block: Duration.minutes(3),
  dot: Duration.minutes(10)
}

/**
 * The standard's timeouts, none but the final dot's longer than `limit`. A server may have taken a mail after its final
 * dot without having replied yet: to give up early repeats the mail (RFC 1047).
 */
export const smtpTimeouts = (limit: Duration.Duration): SmtpTimeouts => ({
  connection: Duration.min(standard.connection, limit),
  greeting: Duration.min(standard.greeting, limit),
  command: Duration.min(standard.command, limit),
  data: Duration.min(standard.data, limit),
  block: Duration.min(standard.block, limit),
  dot: standard.dot
})
