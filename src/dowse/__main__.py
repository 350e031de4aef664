"""python -m dowse"""

from dowse.cli.program import main

raise SystemExit(main())
