# The container image. It installs the package that `npm pack` made; that has no dependencies, so nothing is downloaded:
#
#     npm ci && npm pack && docker build --tag referral-auth .
#
# To build on the same base next year, name it by digest: `docker buildx imagetools inspect node:24-slim` prints it, and
# `--build-arg BASE=node:24-slim@sha256:…` uses it.
ARG BASE=node:24-slim

FROM ${BASE} AS installed
# More than one tarball here fails the build.
COPY referral-auth-*.tgz /tmp/referral-auth.tgz
RUN npm install --global --offline --ignore-scripts --no-update-notifier /tmp/referral-auth.tgz
# One run of each command, as the owner of the package, leaves V8's cache in it. The user below cannot write there.
RUN referral-auth emulator -- referral-auth test \
    && referral-auth emulator -- referral-auth header --wsse \
    && referral-auth emulator -- referral-auth config

FROM ${BASE}
COPY --from=installed /usr/local/lib/node_modules/referral-auth /usr/local/lib/node_modules/referral-auth
RUN ln -s ../lib/node_modules/referral-auth/bin/launch.cjs /usr/local/bin/referral-auth
# The user `node` of the base. Kubernetes can tell only from a number that it is not root (runAsNonRoot).
USER 1000:1000
WORKDIR /home/node
ENTRYPOINT ["referral-auth"]
