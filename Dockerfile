# Kith in a container. It is slim, does not run as root, and works on a read-only file system. It
# contains Microsoft's ODBC driver (from the PyPI package mssql-python-odbc) and the Debian packages
# that the driver needs (unixodbc and Kerberos libraries). compose.yaml runs it; by hand:
#
#   docker build -t kith .
#   docker run -d --name kith --env-file .env -v kith-data:/kith/data --read-only --tmpfs /tmp \
#       --stop-timeout 60 --restart unless-stopped kith
FROM python:3.12-slim-bookworm AS build

WORKDIR /build
COPY requirements-sqlserver.txt ./
RUN python -m venv --without-pip /venv \
    && pip --python /venv/bin/python install --no-cache-dir --require-hashes --only-binary :all: \
        -r requirements-sqlserver.txt \
    && find /venv -type d -name tests -prune -exec rm -r {} +

# Compiled here, because the container cannot write to this folder.
WORKDIR /kith
COPY bot.py ./
COPY cogs ./cogs
COPY utils ./utils
COPY sql ./sql
RUN python -m compileall -q --invalidation-mode unchecked-hash bot.py cogs utils sql

FROM python:3.12-slim-bookworm

# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends unixodbc libgssapi-krb5-2 libltdl7 \
    && rm -rf /var/lib/apt/lists/* \
    && pip uninstall --yes --quiet pip \
    && rm -rf /usr/local/lib/python3.12/ensurepip \
    && useradd --system --uid 10001 --home-dir /nonexistent kith \
    && install -d -o kith -g kith /kith/data

COPY --from=build /venv /venv
COPY --from=build /kith /kith

WORKDIR /kith
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
USER 10001
VOLUME /kith/data
# The dashboard, if DASHBOARD_TOKEN is set and DASHBOARD_HOST is 0.0.0.0.
EXPOSE 8080
STOPSIGNAL SIGTERM
# While the database is away, this check fails, but Kith keeps running and buffers messages in memory.
# Do not let anything restart an unhealthy container: the buffered messages would be lost.
HEALTHCHECK --interval=60s --timeout=20s --start-period=60s --retries=3 \
    CMD ["/venv/bin/python", "bot.py", "doctor", "--live"]
ENTRYPOINT ["/venv/bin/python", "bot.py"]
CMD ["run"]
