"""The approved figures of both jurisdictions: seeds, increments, prizes.  Pairs that are not printed do not exist."""

from __future__ import annotations

from typing import Final

from controller.hands.categories import Category as C

# Increment rates in hundredths of a percent, by option, by reset value "for 1".
NSW_RATES: Final = {  # 002, Table 6
    20_000: (5722, 4997, 4076, 5133, 4801, 4168),
    40_000: (5414, 4689, 3768, 4826, 4493, 3861),
    50_000: (5260, 4535, 3614, 4672, 4339, 3707),
    60_000: (5106, 4381, 3460, 4518, 4185, 3553),
    80_000: (4798, 4074, 3152, 4210, 3878, 3245),
    100_000: (4490, 3766, 2844, 3902, 3570, 2937),
}
VIC_RATES: Final = {  # 003, Tables 2 and 3
    10_000: (3406, 3102),
    20_000: (3251, 2947),
    30_000: (3094, 2790),
    40_000: (2936, 2632),
    50_000: (2776, 2470),
    60_000: (2612, 2302),
    75_000: (2350, 2028),
}

# Prizes outside the meter, "for 1", by option.
NSW_PRIZES: Final = {  # 002, Table 5
    C.FOUR_OF_A_KIND: (300, 400, 500, 300, 400, 500),
    C.FULL_HOUSE: (80, 100, 120, 80, 100, 100),
    C.FLUSH: (50, 60, 80, 40, 50, 50),
    C.STRAIGHT: (0, 0, 0, 20, 10, 20),
}
VIC_PRIZES: Final = {  # 003, Tables 4 and 5
    C.FOUR_OF_A_KIND: (500, 600),
    C.FULL_HOUSE: (150, 100),
    C.FLUSH: (100, 60),
    C.STRAIGHT: (0, 40),
}

# Simultaneous straight flushes without a royal: thousandths of a percent of the meter and of the reset value, each.
NSW_STRAIGHT_FLUSHES: Final = {  # 002, Table 7
    1: (10_000, 0),
    2: (9_500, 500),
    3: (9_033, 967),
    4: (8_598, 1_403),
    5: (8_190, 1_810),
    6: (7_809, 2_191),
    7: (7_453, 2_547),
}
VIC_STRAIGHT_FLUSHES: Final = {1: (10_000, 0), 2: (9_500, 500)}  # 003, Tables 4, 5 and 8
VIC_ROYAL_WITH_STRAIGHT: Final = (90_909, 9_091)  # 003, Tables 6 and 7
