import { type Context, type Exit, Option, Tracer } from "effect"

/** A span that is not exported. */
class UncollectedSpan implements Tracer.Span {
  readonly _tag = "Span"
  readonly spanId = "0000000000000000"
  readonly traceId = "00000000000000000000000000000000"
  readonly sampled = false
  readonly attributes: ReadonlyMap<string, unknown> = new Map()
  readonly links: ReadonlyArray<Tracer.SpanLink> = []
  status: Tracer.SpanStatus

  constructor(
    readonly name: string,
    readonly parent: Option.Option<Tracer.AnySpan>,
    readonly context: Context.Context<never>,
    startTime: bigint,
    readonly kind: Tracer.SpanKind
  ) {
    this.status = { _tag: "Started", startTime }
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    this.status = { _tag: "Ended", startTime: this.status.startTime, endTime, exit }
  }
  attribute(): void {}
  event(): void {}
  addLinks(): void {}
}

/**
 * Exports spans of requests to the server: it begins a trace or continues the caller's, if that is sampled. Work outside
 * requests (polling, batches of messages) is not exported: each round would be a separate trace.
 */
export const requestTraces = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    context: tracer.context,
    span: (name, parent, context, links, startTime, kind, options) =>
      Option.match(parent, { onNone: () => kind === "server", onSome: ({ sampled }) => sampled })
        ? tracer.span(name, parent, context, links, startTime, kind, options)
        : new UncollectedSpan(name, parent, context, startTime, kind)
  })
