# The image of Switchboard: the bundled program and the console, without node_modules and without a PostgreSQL.
#   docker build --tag switchboard .
# For amd64 and arm64 at once:
#   docker buildx build --platform linux/amd64,linux/arm64 --tag switchboard .

# An image with Node.js 20.19 or newer and npm.
ARG BASE=docker.io/library/node:22-bookworm-slim

# The files of the image are the same on every architecture: they are built once, without emulation.
FROM --platform=${BUILDPLATFORM} ${BASE} AS build
WORKDIR /build
COPY . .
# Without install scripts: the build needs none, and the embedded PostgreSQL is not part of the image.
RUN npm ci --ignore-scripts --no-audit --no-fund && npm run build
# A command of the image is a command of switchboard: docker run switchboard doctor.
RUN mkdir -p /image/bin /image/data && ln -s /opt/switchboard/packages/server/bin/switchboard.js /image/bin/switchboard

# Without RUN, which would need emulation for another architecture.
FROM ${BASE}
LABEL org.opencontainers.image.title="Switchboard" \
  org.opencontainers.image.description="A self-hosted multi-channel messaging service" \
  org.opencontainers.image.licenses="MIT"
WORKDIR /opt/switchboard
COPY --from=build /build/LICENSE ./
COPY --from=build /build/packages/server/package.json packages/server/
COPY --from=build /build/packages/server/bin packages/server/bin
COPY --from=build /build/packages/server/dist/program packages/server/dist/program
COPY --from=build /build/packages/console/dist/page packages/console/dist/page
COPY --from=build /image/bin /usr/local/bin
COPY --from=build --chown=10001:10001 /image/data /var/lib/switchboard

# The root file system can be read-only: only DATA_DIR is written to.
USER 10001:10001
VOLUME /var/lib/switchboard
ENV NODE_ENV=production \
  DATA_DIR=/var/lib/switchboard \
  HOST=0.0.0.0 \
  METRICS_HOST=0.0.0.0 \
  METRICS_PORT=9464 \
  LOG_FORMAT=json
# HTTP, SMTP for incoming mail, and metrics with health.
EXPOSE 3000 2525 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=64", "/usr/local/bin/switchboard"]
CMD ["serve"]
