"""The mode `forms`: the search forms of a field, and the records behind them."""
