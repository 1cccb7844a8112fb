import { SqlClient } from "@effect/sql"
import { RelayFaults } from "@switchboard/services/messages/delivery/MailTransport"
import { DateTime, Effect, Layer, Option } from "effect"
import { orUnavailable } from "../database/Unavailable.js"

/** The relays that replied out of order, in the table `relay_faults`. */
export const RelayFaultsSql = Layer.effect(
  RelayFaults,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    record: (relay) =>
      orUnavailable(
        Effect.asVoid(sql`INSERT INTO relay_faults (relay, out_of_order_at) VALUES (${relay}, now())
          ON CONFLICT (relay) DO UPDATE SET out_of_order_at = excluded.out_of_order_at`)
      ),
    find: (relay) =>
      orUnavailable(
        Effect.map(sql<{ at: Date }>`SELECT out_of_order_at AS at FROM relay_faults WHERE relay = ${relay}`, ([row]) =>
          Option.map(Option.fromNullable(row), ({ at }) => DateTime.unsafeFromDate(at))
        )
      )
  }))
)
