import type { Finding } from "@switchboard/domain/system/Finding"
import { type OldTransaction, oldTransactions } from "@switchboard/store/database/OldTransactions"
import { Duration, Effect } from "effect"
import { failedCheck } from "./FailedCheck.js"

/** Longer than any transaction of the service. A backup of a large database can also take longer. */
const maxAge = Duration.minutes(10)

/** Warns of old transactions. They slow the queues: each lease also reads the entries deleted since they began. */
export const oldTransactionFinding = (old: ReadonlyArray<OldTransaction>): Finding =>
  old.length === 0
    ? { level: "ok", subject: "Open transactions of the database server" }
    : {
        level: "warning",
        subject: `Open transactions of the database server: ${old.length} older than ${Duration.format(maxAge)}`,
        advice: [
          "While they are open, deleted rows can't be removed, and the queues become slow. Wait until they end, or run:",
          ...old.map(
            ({ ageSeconds, name, remedy }) =>
              `${remedy}  (${name}, open for ${Duration.format(Duration.seconds(Math.floor(ageSeconds)))})`
          )
        ]
      }

/** Checks the ages of open transactions. If the database can't be read, the check has failed. */
export const openTransactionFinding = oldTransactions(maxAge).pipe(
  Effect.map(oldTransactionFinding),
  Effect.catchAll((error) => Effect.succeed(failedCheck("Open transactions of the database server")(error)))
)
