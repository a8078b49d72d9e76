"""What passes from hand to hand at a poker table: seats, blinds, lists and the sign."""
