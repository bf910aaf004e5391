"""Nine men's morris, with or without flying."""

from zermelo.games.morris.rules import Morris as Morris
