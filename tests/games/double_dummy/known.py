"""Deals with their results and par, as DDS (by endplay 0.5.12) found them."""

from __future__ import annotations

from typing import NamedTuple


class Known(NamedTuple):
    deal: str
    tricks: str
    """Spades, hearts, diamonds, clubs, no trump: the tricks of north, east, south and west in hexadecimal digits."""
    par: tuple[int, int, int, int]
    """Of north and south, dealer north: nobody vulnerable, north and south, east and west, both."""


DEALS = (
    Known(
        "N:Q3.KQ74.K4.AT963 AT42.96.AQ972.74 865.T8532.J6.QJ2 KJ97.AJ.T853.K85",
        "2b2b 8585 2a2b 7576 282a",
        (-450, -450, -650, -650),
    ),
    Known(
        "N:T2.AQ8.QJ3.AQT32 J943.94.962.J987 KQ876.KT65.4.K64 A5.J732.AKT875.5",
        "a3a3 a3a3 6666 a3a3 8383",
        (420, 620, 420, 620),
    ),
    Known(
        "N:AT852.QT42.872.T 73.A986.654.AKJ3 964.53.KQT93.974 KQJ.KJ7.AJ.Q8652",
        "7676 3939 6767 2a2a 3838",
        (-140, -140, -140, -140),
    ),
    Known(
        "N:AQ82.AQ964.T983. KJ.75.QJ642.Q632 T7543.JT83.K7.A5 96.K2.A5.KJT9874",
        "a3a3 93a3 6767 4949 7373",
        (300, 300, 420, 500),
    ),
    Known(
        "N:A64.Q96.762.QT75 KT753.532.AJT8.9 J9.AK4.543.J8632 Q82.JT87.KQ9.AK4",
        "3939 5858 3939 7676 4949",
        (-400, -400, -500, -600),
    ),
    Known(
        "N:982.AJT9.AKQ.T75 QJ7.K82.T2.AQ632 KT4.7643.854.J94 A653.Q5.J9763.K8",
        "4949 6667 4848 4949 5858",
        (-140, -140, -140, -140),
    ),
    Known(
        "N:KJT93.AKT7.K6.97 A642.J92.A2.Q852 Q7.Q54.T3.AJT643 85.863.QJ98754.K",
        "9393 9393 4848 a393 a393",
        (430, 500, 430, 630),
    ),
    Known(
        "N:T862.Q8.AKT63.Q5 J9754.75.Q984.AK K3.KJT64.5.T8764 AQ.A932.J72.J932",
        "3939 6767 3838 6666 4949",
        (-400, -400, -600, -600),
    ),
)
