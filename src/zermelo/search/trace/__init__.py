"""Traces: what a search did, step by step, as text, as a drawing, as a page to play, and compared."""

from zermelo.search.trace.diff import Difference as Difference
from zermelo.search.trace.diff import diff as diff
from zermelo.search.trace.packed import Event as Event
from zermelo.search.trace.packed import Packed as Packed
from zermelo.search.trace.record import Trace as Trace
