#!/bin/sh
# Finds what the tests need of the system, or installs Debian's packages where that is possible: a PostgreSQL server for
# the shared prize meters, Chromium for the pages, a PAM that touches nothing of the machine's, spin for the models.
# With names of packages it looks for these instead.
# Quiet and quick when all is there.  Tests that miss one are skipped, each by its name; this never fails.
set -u
export DEBIAN_FRONTEND=noninteractive

[ $# -gt 0 ] || set -- postgresql chromium libpam-wrapper spin
wanted=$*

found() {
    case $1 in
    postgresql)
        command -v postgres >/dev/null 2>&1 && return 0
        for program in /usr/lib/postgresql/*/bin/postgres /usr/pgsql-*/bin/postgres; do
            [ -x "$program" ] && return 0
        done
        return 1
        ;;
    spin) command -v spin >/dev/null 2>&1 ;;
    chromium) command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 ;;
    libpam-wrapper)
        for library in /usr/lib/libpam_wrapper.so /usr/lib/*/libpam_wrapper.so; do
            [ -e "$library" ] && return 0
        done
        return 1
        ;;
    *) dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null | grep -q '^installed' ;;
    esac
}

missing() {
    for package in $wanted; do
        found "$package" || printf '%s ' "$package"
    done
}

# Only the download may be slow or hang, so only it has a limit: dpkg is never stopped half-way.
install() {
    timeout 120 apt-get install -y -qq --no-install-recommends --download-only "$@" >/dev/null 2>&1 &&
        apt-get install -y -qq --no-install-recommends --no-download "$@" >/dev/null 2>&1
}

lacking=$(missing)
if [ -n "$lacking" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "==> Installing for the tests: $lacking"
    # Only the programs of PostgreSQL: no cluster of the machine's own is made or started.
    mkdir -p /etc/postgresql-common
    [ -e /etc/postgresql-common/createcluster.conf ] ||
        echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
    # Together, or, where the lists of packages are old or one of them is not known, one by one after a new look.
    # shellcheck disable=SC2086
    install $lacking || {
        timeout 60 apt-get update -qq -o APT::Update::Error-Mode=any >/dev/null 2>&1 &&
            for package in $lacking; do install "$package"; done
    }
fi
for package in $(missing); do
    echo "==> No $package here: what needs it is not run (install the package $package)"
done
exit 0
