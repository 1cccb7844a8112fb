import { SqlClient } from "@effect/sql"
import { addressKey } from "@switchboard/domain/email/EmailAddress"
import { type Counted, type Erasure, ErasureRepo } from "@switchboard/services/erasure/ErasureRepo"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Effect, Layer, Option } from "effect"
import { separateConnections } from "../database/Database.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { eraseAll } from "./EraseAll.js"
import { countPendingMails, stopForwarding, withdrawMails } from "./WithdrawMails.js"

const counted =
  (what: string) =>
  (rows: ReadonlyArray<unknown>): ReadonlyArray<Counted> =>
    rows.length === 0 ? [] : [{ what, count: rows.length }]

/**
 * Finds and erases an address in all tables. Uses a separate connection without the pool's timeouts: a statement may
 * wait for the lock of a row, or read a large mail.
 */
export const ErasureRepoSql = Layer.scoped(
  ErasureRepo,
  Effect.gen(function* () {
    const messages = yield* MessageRepo
    const context = yield* Layer.build(separateConnections(1)).pipe(orUnavailable)
    const sql = yield* Effect.provide(SqlClient.SqlClient, context)

    const only = ({ organization }: Erasure, column = "organization_id") =>
      Option.match(organization, {
        onNone: () => sql`true`,
        onSome: (id) => sql`${sql.literal(column)} = ${id}`
      })

    const transaction = <A, E>(statements: Effect.Effect<A, E>) =>
      statements.pipe(sql.withTransaction, retryConflicts, orUnavailable)

    return {
      ownUses: (erasure) => {
        const key = addressKey(erasure.address)
        return transaction(
          Effect.map(
            Effect.all([
              sql`SELECT FROM email_senders WHERE lower(email) = ${key} AND ${only(erasure)}`.pipe(
                Effect.map(counted("sender"))
              ),
              sql`SELECT FROM receiving_addresses WHERE address = ${key} AND ${only(erasure)}`.pipe(
                Effect.map(counted("receiving address"))
              )
            ]),
            (found) => found.flat()
          )
        )
      },
      withdrawMails: (erasure) => transaction(withdrawMails(sql, erasure, only(erasure, "m.organization_id"))),
      stopForwarding: (erasure) => transaction(stopForwarding(sql, erasure, only(erasure, "q.organization_id"))),
      stillQueued: (erasure, within) =>
        transaction(countPendingMails(sql, erasure, only(erasure, "m.organization_id"), within)),
      eraseAll: (erasure, report) => orUnavailable(eraseAll(sql, messages, erasure, report))
    }
  })
)
