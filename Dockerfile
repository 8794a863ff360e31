# An intake for a team, with the accounts and keys of /data/seed.yaml:
# docker build -t symup-intake . && docker run -p 8642:8642 -v ./data:/data symup-intake
# It runs from source, as everything here does. Written where no container engine was: not built, not run.
FROM node:22-slim
WORKDIR /symup
COPY . .
RUN npx -y pnpm@12 install --frozen-lockfile && npm run build:inspector && mkdir /data && chown node /data
USER node
VOLUME /data
EXPOSE 8642
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:8642/healthz').then(({ ok }) => process.exit(ok ? 0 : 1))"]
# Node itself, and no script between: it has to get SIGTERM, to end the uploads that run.
ENTRYPOINT ["node", "--conditions=symup-source", "--import", "tsx", "packages/cli/src/main.ts", "intake"]
CMD ["--host", "0.0.0.0", "--data", "/data", "--seed", "/data/seed.yaml", "--log-level", "info"]
