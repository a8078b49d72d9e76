#!/bin/sh
# Finds a PostgreSQL server for the tests of the shared prize meters, or installs one where that is possible.
# Quiet and quick when there is one.  Without one the tests that need it are skipped, each by its name.
set -u

found() {
    command -v postgres >/dev/null 2>&1 && return 0
    for program in /usr/lib/postgresql/*/bin/postgres /usr/pgsql-*/bin/postgres; do
        [ -x "$program" ] && return 0
    done
    return 1
}

found && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo '==> Installing PostgreSQL for the tests of the shared prize meters'
    # Only the programs: no cluster of the machine's own is made or started.
    mkdir -p /etc/postgresql-common
    [ -e /etc/postgresql-common/createcluster.conf ] ||
        echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql >/dev/null 2>&1 || {
        apt-get update -qq >/dev/null 2>&1
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql >/dev/null 2>&1
    }
fi
found || echo '==> No PostgreSQL here: the tests of the shared prize meters will be skipped (install the package postgresql)'
exit 0
