import type { SmtpReply } from "./SmtpReply.js"

/** Where in a session something failed. */
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

/** Why a connection or a command failed. */
export interface SmtpFailure {
  readonly stage: SmtpStage
  /**
   * `reply`: the server refused. `lost`: the connection ended. `silent`: no reply within the command's time.
   * `invalid`: what came is no reply to the command. `unsendable`: the mail was not offered to the server.
   */
  readonly cause: "reply" | "lost" | "silent" | "invalid" | "unsendable"
  readonly reply: SmtpReply | null
  readonly message: string
}

/** The server's own words where there are any, else what happened. */
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

/** No reply, or no connection, within this time. */
export const silence = (stage: SmtpStage, within: string): SmtpFailure => ({
  stage,
  cause: "silent",
  reply: null,
  message: stage === "connect" ? `No connection within ${within}` : `No reply at ${stage} within ${within}`
})

export const lostConnection = (stage: SmtpStage, message = "The connection was closed"): SmtpFailure => ({
  stage,
  cause: "lost",
  reply: null,
  message
})

/** Whether the server may have taken the mail: the session ended after the final dot, and before the reply to it. */
export const mayBeTaken = ({ cause, stage }: SmtpFailure): boolean =>
  stage === "dot" && (cause === "lost" || cause === "silent" || cause === "invalid")
