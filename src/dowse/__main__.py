"""python -m dowse"""

from dowse.cli.main import main

raise SystemExit(main())
