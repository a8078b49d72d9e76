"""Hand ranking: best five, three-card poker, eight-or-better low, Omaha. What ranks higher compares higher.

>>> player, dealer = best(["Qh", "Qd", "Kc", "7s", "2c"]), best(["Jh", "Jd", "Ac", "8s", "3c"])
>>> player > dealer, player.category, player.name
(True, Category.PAIR, 'pair of queens, king kicker')
"""

from controller.hands.categories import Category, ThreeCategory
from controller.hands.five import best
from controller.hands.hand import Hand, Low, ThreeCardHand
from controller.hands.low import best_low
from controller.hands.omaha import best_omaha, best_omaha_low
from controller.hands.three import QUEEN_HIGH, best_three

__all__ = [
    "QUEEN_HIGH",
    "Category",
    "Hand",
    "Low",
    "ThreeCardHand",
    "ThreeCategory",
    "best",
    "best_low",
    "best_omaha",
    "best_omaha_low",
    "best_three",
]
