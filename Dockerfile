# Kith in a container: slim, not root, with Microsoft's ODBC driver (from the PyPI package
# mssql-python-odbc; Debian's unixodbc and Kerberos libraries are what it needs besides).
#
#   docker build -t kith .
#   docker run -d --name kith --env-file .env -v kith-data:/kith/data kith
FROM python:3.12-slim-bookworm AS build

WORKDIR /build
COPY requirements.txt .
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --only-binary :all: -r requirements.txt

FROM python:3.12-slim-bookworm

# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends unixodbc libgssapi-krb5-2 libltdl7 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /kith kith \
    && install -d -o kith -g kith /kith /kith/data

COPY --from=build /venv /venv
WORKDIR /kith
COPY bot.py ./
COPY cogs ./cogs
COPY utils ./utils
COPY sql ./sql

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
USER 10001
VOLUME /kith/data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=60s --timeout=20s --start-period=60s --retries=3 \
    CMD ["/venv/bin/python", "bot.py", "doctor", "--live"]
ENTRYPOINT ["/venv/bin/python", "bot.py"]
CMD ["run"]
