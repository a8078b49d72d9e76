"""Games against the house: what lies on the layout, the words of their scripts, and how irregularities are ruled on."""
