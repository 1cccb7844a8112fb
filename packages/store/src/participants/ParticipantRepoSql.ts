import { SqlClient } from "@effect/sql"
import { ParticipantRepo } from "@switchboard/services/participants/ParticipantRepo"
import { Effect, Layer } from "effect"
import { forCaller } from "../Unavailable.js"
import { selectParticipants } from "./ParticipantRows.js"

/** People in the tables `participants` and `participant_addresses`. */
export const ParticipantRepoSql = Layer.effect(
  ParticipantRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return { findMany: (organization, ids) => forCaller(selectParticipants(sql, organization, ids)) }
  })
)
