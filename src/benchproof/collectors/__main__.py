"""`python -m benchproof.collectors`."""

import sys

from benchproof.collectors.cli import main

sys.exit(main())
