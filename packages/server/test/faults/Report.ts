/** The result of a scenario. The first four figures compare the input and output of the complete queue. */
export interface Report {
  /** Messages (or mails) with a positive response. */
  readonly acked: number
  /** Accepted, but neither stored nor delivered nor refused by the relay. */
  readonly lost: number
  /** Copies beyond the first. */
  readonly duplicated: number
  /** Copies beyond the first without `possibleDuplicate` in the history of their message. */
  readonly unflagged: number
  /** Failed without an attempt at the relay or provider. */
  readonly endedWithoutTry: number
  /** The number of responses by status; 0 means no response. */
  readonly answers: Readonly<Record<string, number>>
  /** Additional figures of the scenario. */
  readonly figures: Readonly<Record<string, number>>
  /** Other violations. */
  readonly violations: ReadonlyArray<string>
}

/** The allowed statuses during faults. */
const expectedStatuses: ReadonlySet<string> = new Set(["0", "200", "201", "503"])

/** The violations of a report. */
export const violationsOf = (report: Report): ReadonlyArray<string> => [
  ...(["lost", "unflagged", "endedWithoutTry"] as const).flatMap((name) =>
    report[name] === 0 ? [] : [`${name}: ${report[name]}`]
  ),
  ...Object.entries(report.answers).flatMap(([status, count]) =>
    expectedStatuses.has(status) ? [] : [`${count} requests got ${status}`]
  ),
  ...report.violations
]

const columns = ["scenario", "acked", "lost", "duplicated", "unflagged", "untried", "answers", "figures"] as const
const widths = [16, 8, 6, 11, 10, 8, 28, 0]

const row = (cells: ReadonlyArray<string>) =>
  cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 0))
    .join(" ")
    .trimEnd()

export const header = row(columns)

const pairs = (values: Readonly<Record<string, number>>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}:${value}`)
    .join(" ")

/** Formats a report as a table row, followed by a line per violation. */
export const describeReport = (name: string, report: Report, violations: ReadonlyArray<string>): string =>
  [
    row([
      name,
      ...[report.acked, report.lost, report.duplicated, report.unflagged, report.endedWithoutTry].map(String),
      pairs(report.answers),
      pairs(report.figures)
    ]),
    ...violations.map((violation) => `  VIOLATED ${violation}`)
  ].join("\n")
