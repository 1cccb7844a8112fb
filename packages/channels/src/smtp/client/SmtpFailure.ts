import type { SmtpReply } from "./SmtpReply.js"

/** The stage of a session at which a failure occurred. */
export type SmtpStage =
  | "connect"
  | "greeting"
  | "EHLO"
  | "STARTTLS"
  | "AUTH"
  | "MAIL"
  | "RCPT"
  | "DATA"
  | "mail data"
  | "dot"
  | "RSET"

/** A failed connection or command. */
export interface SmtpFailure {
  readonly stage: SmtpStage
  /**
   * `reply`: the server refused. `lost`: the connection closed. `timeout`: no reply in time.
   * `invalid`: not a valid reply to the command. `unsendable`: the mail was not offered to the server.
   */
  readonly cause: "reply" | "lost" | "timeout" | "invalid" | "unsendable"
  readonly reply: SmtpReply | null
  readonly message: string
}

/** The text of the server's reply, or else a description of the failure. */
export const failureResponse = ({ message, reply }: SmtpFailure): string => reply?.text ?? message

export const refusedReply = (stage: SmtpStage, reply: SmtpReply): SmtpFailure => ({
  stage,
  cause: "reply",
  reply,
  message: reply.text
})

export const invalidReply = (stage: SmtpStage): SmtpFailure => ({
  stage,
  cause: "invalid",
  reply: null,
  message: `The reply to ${stage} is not SMTP`
})

/** 503: the server expects another command, since its session is not the one that the client has. */
export const isOutOfStep = ({ code }: SmtpReply): boolean => code === 503

/** The reply of a session out of step, which is not about the mail or a recipient. */
export const outOfStep = (stage: SmtpStage, reply: SmtpReply): SmtpFailure => ({
  stage,
  cause: "invalid",
  reply,
  message: reply.text
})

/** No reply, or no connection, within the timeout. */
export const replyTimeout = (stage: SmtpStage, within: string): SmtpFailure => ({
  stage,
  cause: "timeout",
  reply: null,
  message: stage === "connect" ? `No connection within ${within}` : `No reply at ${stage} within ${within}`
})

export const lostConnection = (stage: SmtpStage, message = "The connection was closed"): SmtpFailure => ({
  stage,
  cause: "lost",
  reply: null,
  message
})

/** Whether the server may have accepted the mail: the session failed between the final dot and its reply. */
export const mayBeAccepted = ({ cause, stage }: SmtpFailure): boolean =>
  stage === "dot" && (cause === "lost" || cause === "timeout" || cause === "invalid")
