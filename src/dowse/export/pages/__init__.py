"""How HTML is written: templates that escape every value, style sheets, and charts that are drawn on the server."""
