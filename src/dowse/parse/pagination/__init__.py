"""Paging: the links of a page that lead to the other pages of its list, article or thread."""
