"""The preview: a pack on a terminal, of which pieces are taken out and pulled in. ``draft`` knows no screen."""
