import { RelayUnavailable } from "@switchboard/services/messages/MailTransport"
import { Effect } from "effect"
import { openSession } from "../smtp/client/OpenSession.js"
import { SmtpConnection } from "../smtp/client/SmtpConnection.js"
import { failureResponse, type SmtpFailure } from "../smtp/client/SmtpFailure.js"
import type { SmtpRelay } from "../smtp/client/SmtpRelay.js"

/** Opens a session as a delivery would, and logs in if there is a password and the relay takes one. */
export const probeRelay = (relay: SmtpRelay) =>
  Effect.async<{ readonly extensions: ReadonlyArray<string> }, RelayUnavailable>((resume) => {
    const failed = (failure: SmtpFailure) => resume(new RelayUnavailable({ response: failureResponse(failure) }))
    const connection = new SmtpConnection(relay, { lost: failed, stalled: () => undefined })
    openSession(connection, (failure, offered) => {
      if (failure !== null) return connection.fail(failure)
      connection.quit()
      resume(Effect.succeed({ extensions: [...offered].map((extension) => extension.join(" ").trim()) }))
    })
    return Effect.sync(() => connection.destroy())
  }).pipe(
    Effect.timeoutFail({
      duration: "15 seconds",
      onTimeout: () => new RelayUnavailable({ response: "No reply within 15 seconds" })
    })
  )
