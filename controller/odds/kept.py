"""Exact edges by game, wager and options.  Written by `python -m tools.edges_table`; do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.odds.kept_edge import KeptEdge, KeptKey

KEPT: Final[Mapping[KeptKey, KeptEdge]] = {
    ("casino-war", "war", "decks=4"): KeptEdge("6730/291387", 1, 2, 2),
    ("casino-war", "war", "decks=5"): KeptEdge("66462/2862209", 1, 2, 2),
    ("casino-war", "war", "decks=6"): KeptEdge("23138/993023", 1, 2, 2),
    ("casino-war", "war", "decks=7"): KeptEdge("184662/7906261", 1, 2, 2),
    ("casino-war", "war", "decks=8"): KeptEdge("276706/11826255", 1, 2, 2),
    ("casino-war", "tie", "decks=4"): KeptEdge("14/69", 10, 1),
    ("casino-war", "tie", "decks=5"): KeptEdge("50/259", 10, 1),
    ("casino-war", "tie", "decks=6"): KeptEdge("58/311", 10, 1),
    ("casino-war", "tie", "decks=7"): KeptEdge("2/11", 10, 1),
    ("casino-war", "tie", "decks=8"): KeptEdge("74/415", 10, 1),
    ("three-card-poker", "ante", "ante-bonus=A"): KeptEdge("686689/20358520", 5, 1),
    ("three-card-poker", "ante", "ante-bonus=B"): KeptEdge("3672957/101792600", 5, 1),
    ("three-card-poker", "ante", "ante-bonus=C"): KeptEdge("778809/20358520", 4, 1),
    ("three-card-poker", "pair-plus", "pair-plus=A"): KeptEdge("128/5525", 40, 1),
    ("three-card-poker", "pair-plus", "pair-plus=B"): KeptEdge("193/5525", 40, 1),
    ("three-card-poker", "pair-plus", "pair-plus=C"): KeptEdge("308/5525", 40, 1),
    ("three-card-poker", "pair-plus", "pair-plus=D"): KeptEdge("402/5525", 40, 1),
    ("three-card-poker", "pair-plus", "pair-plus=E"): KeptEdge("253/5525", 35, 1),
    ("three-card-poker", "pair-plus", "pair-plus=F"): KeptEdge("149/5525", 35, 1),
    ("wsop-bonus-holdem", "ante", "ante-pays=flush"): KeptEdge("19447087313/347672625300", 2, 1),
    ("wsop-bonus-holdem", "ante", "ante-pays=straight"): KeptEdge("578107733/28381438800", 2, 1),
    ("ultimate-texas-holdem-vic", "ante", "preflop=3,4 flop=2 river=1"): KeptEdge("50643648973/2317817502000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=4 flop=2 river=1"): KeptEdge("50643648973/2317817502000", 500, 2),
    ("ultimate-texas-holdem-vic", "ante", "preflop=3 flop=2 river=1"): KeptEdge("9740355089/100774674000", 500, 2),
    ("ultimate-texas-holdem-vic", "trips", ""): KeptEdge("233985/6689228", 50, 1),
    ("caribbean-stud", "ante", ""): KeptEdge("86362082531/1661102543100", 500, 1),
    ("mississippi-stud", "ante", ""): KeptEdge("53223/1082900", 1500, 1),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=3,4 flop=2 river=1"): KeptEdge("50643648973/2317817502000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=4 flop=2 river=1"): KeptEdge("50643648973/2317817502000", 500, 2),
    ("ultimate-texas-holdem-nsw", "ante", "preflop=3 flop=2 river=1"): KeptEdge("9740355089/100774674000", 500, 2),
    ("ultimate-texas-holdem-nsw", "trips", ""): KeptEdge("233985/6689228", 50, 1),
}
