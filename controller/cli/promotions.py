"""felt promotions: prizes, refused claims and vouchers of this table, as the table keeps them."""

from __future__ import annotations

import click

from controller.api import routes
from controller.cli.client import Client, dumped, explained, with_json, with_socket
from controller.cli.output import say
from controller.views.promotions import lines


@click.command(name="promotions")
@with_socket
@with_json
@explained
def command(path: str, as_json: bool) -> None:
    """Prizes of promotions, refused claims and exchanged vouchers, the oldest first; times are UTC.

    The newest thousand of each are told here; the journal has them all.
    """
    answer = Client(path).get(routes.PROMOTIONS)
    if as_json:
        print(dumped(answer))
        return
    texts = list(lines(answer))
    for line in texts or ["no promotion was offered here, and no voucher exchanged"]:
        say(line, "")
