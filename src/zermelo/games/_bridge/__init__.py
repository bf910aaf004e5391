"""What the games of bridge have in common: cards, deals and their files, scores, par, the solver, pictures."""
