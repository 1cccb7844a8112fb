import { Option, type Tracer } from "effect"

const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** The W3C `traceparent` header of a span. */
export const formatTraceParent = ({ sampled, spanId, traceId }: Tracer.AnySpan): string =>
  `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`

/** The span of a `traceparent` header, if it is well formed and sampled. */
export const parseTraceParent = (text: string | null) =>
  Option.filterMap(Option.fromNullable(pattern.exec(text ?? "")), ([, traceId = "", spanId = "", flags]) =>
    flags === "01" ? Option.some({ traceId, spanId, sampled: true }) : Option.none()
  )
