"""One-card poker: a card each and no-limit betting."""

from zermelo.games.one_card.rules import OneCard as OneCard
