# Builds the npm package of this checkout and installs it. See docs/install.md.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm run package -- --output /build/out \
    && npm install --global --prefix /opt/periplus --no-audit --no-fund /build/out/periplus-*.tgz \
    && mkdir /data

FROM node:24.21.0-bookworm-slim
COPY --from=build /opt/periplus /opt/periplus
COPY --from=build --chown=1000:1000 /data /data
ENV PATH=/opt/periplus/bin:/usr/local/bin:/usr/bin:/bin \
    PERIPLUS_SERVER_HOST=0.0.0.0 \
    PERIPLUS_SERVER_PORT=9999 \
    PERIPLUS_DATA_DIRECTORY=/data \
    XDG_CACHE_HOME=/tmp/cache
# the user node of the image
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 9999
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PERIPLUS_SERVER_PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["periplus"]
CMD ["serve"]
