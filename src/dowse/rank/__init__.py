"""Links -> order: what a link is worth. Pure, shared by modes."""
