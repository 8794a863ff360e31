# An intake for a team, with the accounts and keys of data/seed.yaml, which user 1000 has to be able to read as it may write to data:
# docker build -t symup-intake . && docker run --read-only --tmpfs /tmp -p 8642:8642 -v ./data:/data symup-intake
FROM node:22-slim AS packages
WORKDIR /workspace
COPY . .
RUN --mount=type=cache,target=/root/.npm --mount=type=cache,target=/root/.local/share/pnpm \
    npx -y pnpm@12 install --frozen-lockfile --store-dir /root/.local/share/pnpm/store && npm run build
RUN --mount=type=cache,target=/root/.npm \
    npx -y pnpm@12 -r --filter './packages/*' pack --pack-destination /packages

# What npm would install, and nothing of the workspace.
FROM node:22-slim
WORKDIR /symup
COPY --from=packages /packages packages
RUN --mount=type=cache,target=/root/.npm \
    npm install --no-audit --no-fund pg@8 minio@8 \
    ./packages/symup-[0-9]*.tgz ./packages/symup-core-*.tgz ./packages/symup-demangle-*.tgz ./packages/symup-symbolicate-*.tgz \
    ./packages/symup-android-*.tgz ./packages/symup-mini-program-*.tgz ./packages/symup-intake-*.tgz \
  && rm -r packages && mkdir /data && chown node /data
ENV NODE_ENV=production
USER node
VOLUME /data
EXPOSE 8642
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:8642/healthz').then(({ ok }) => process.exit(ok ? 0 : 1))"]
# Node itself, and no script between: it has to get SIGTERM, to end the uploads that run.
ENTRYPOINT ["node", "node_modules/symup/dist/main.js", "intake"]
CMD ["--host", "0.0.0.0", "--data", "/data", "--seed", "/data/seed.yaml", "--log-level", "info"]
