import type { ApiKeyStats } from "@switchboard/domain/apiKeys/ApiKeyActivity"

/** How often a key was answered with a status by an operation, in all and in the hours that began within the last day. */
export interface UsageRow {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly requests: number
  readonly lately: number
}

const sumBy = (rows: ReadonlyArray<UsageRow>, keyOf: (row: UsageRow) => string) => {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.requests)
  return Object.fromEntries(sums)
}

const firstError = 400

/** What the counts come to; `edge` requests were within the last day in the hour that began before it. */
export const usageStats = (rows: ReadonlyArray<UsageRow>, edge: number): Omit<ApiKeyStats, "lastUsedAt"> => {
  const sum = (of: (row: UsageRow) => number) => rows.reduce((total, row) => total + of(row), 0)
  const totalRequests = sum(({ requests }) => requests)
  const errors = sum(({ requests, status }) => (status >= firstError ? requests : 0))
  return {
    totalRequests,
    requestsLast24Hours: sum(({ lately }) => lately) + edge,
    errorRate: totalRequests === 0 ? 0 : errors / totalRequests,
    byStatus: sumBy(rows, ({ status }) => String(status)),
    byEndpoint: sumBy(rows, ({ method, route }) => `${method} ${route}`)
  }
}
