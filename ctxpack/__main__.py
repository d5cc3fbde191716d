"""``python -m ctxpack`` is the same as ``ctxpack``, without modules of the current folder, which may be anyone's."""

import os
import sys

_OWN = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120 - pathlib may be a stranger's
if not sys.flags.safe_path and _OWN != os.path.realpath(os.curdir) == os.path.realpath(sys.path[0]):
    del sys.path[0]  # where ``-m`` looks first

from ctxpack.cli import main  # noqa: E402

main()
