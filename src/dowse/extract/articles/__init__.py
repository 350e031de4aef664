"""Articles: the main text of a page, its author and date, also where it has several pages."""
