"""Parameters: how they are declared, stored, checked and spelled. No mathematics is here."""
