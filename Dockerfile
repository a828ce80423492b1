# The image of both programs, without a shell. docs/containers.md says how to build and run it, and how to pin the bases.
# Tags move: a build that is to be repeated names both bases by digest, NODE_IMAGE=docker.io/library/node:26-trixie@sha256:….
# Both are of Debian 13, because what is taken from the first is linked with the libraries of the second.
ARG NODE_IMAGE=docker.io/library/node:26-trixie
ARG BASE_IMAGE=gcr.io/distroless/cc-debian13

# The package as npm run package makes it, and what it needs. No native code: it is made once for all platforms.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS package
WORKDIR /repository
COPY . .
ARG REVISION=
RUN npm ci --ignore-scripts --no-audit --no-fund && npm run package -- --commit "$REVISION"
RUN mkdir -p /opt/analytics /data && tar -xzf public-analytics-*.tgz --strip-components=1 -C /opt/analytics
WORKDIR /opt/analytics
RUN npm ci --ignore-scripts --no-audit --no-fund \
    && find node_modules -type f '(' -name '*.map' -o -name '*.[cm]ts' -o -name '*.ts' ')' -delete

# Node.js for the platform of the image, without its symbols (a fifth of it), and the library that the base lacks.
FROM ${NODE_IMAGE} AS node
RUN mkdir /runtime && cp /usr/lib/*-linux-gnu*/libatomic.so.1 /runtime/ && strip -o /runtime/node /usr/local/bin/node

FROM ${BASE_IMAGE}
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="public-analytics" \
      org.opencontainers.image.description="Public statistics for idea-sharing platforms: builder and proxy" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
COPY --from=node /runtime/libatomic.so.1 /usr/lib/
COPY --from=node /runtime/node /usr/local/bin/
COPY --from=package /opt/analytics /opt/analytics
# OpenShift runs it as any user, in group 0.
COPY --from=package --chown=10001:0 --chmod=0775 /data /data
WORKDIR /opt/analytics
ENV ANALYTICS_SNAPSHOTS=/data ANALYTICS_HOST=0.0.0.0
USER 10001:10001
EXPOSE 8080
# Of the proxy, which is the default command. A container that builds names another address, or none.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
    CMD ["/usr/local/bin/node", "deploy/container/healthy.js"]
ENTRYPOINT ["/usr/local/bin/node", "bin/public-analytics.js"]
CMD ["proxy"]
