"""``python -m lapwing.label label data.csv``."""

import argparse
import sys

from .command import add_arguments


def main() -> int:
    """Run a verb of :mod:`lapwing.label.command`."""
    parser = argparse.ArgumentParser(prog="python -m lapwing.label")
    add_arguments(parser.add_subparsers(required=True))
    arguments = parser.parse_args()
    try:
        arguments.run(arguments)
    except KeyboardInterrupt:
        return 130
    except (OSError, ValueError) as error:
        sys.stderr.write(f"lapwing: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
