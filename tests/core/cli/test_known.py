"""`pullback rules`, `explain`, `--version`."""

from pullback import __version__


def test_version(pullback):
    assert pullback("--version").stdout == f"pullback {__version__}\n"


def test_explain(pullback):
    result = pullback("explain", "pb201")
    assert result.exit_code == 0
    assert result.stdout.startswith("# PB201: possible-alias-written\n")


def test_rules_of_an_elementwise_function(pullback):
    result = pullback("rules", "np.tanh")
    assert result.exit_code == 0
    assert result.stdout == "numpy.tanh(x)\n  elementwise\n  d y / d x = 1.0 - y * y\n"


def test_rules_by_last_name(pullback):
    assert "numpy.tanh(x)" in pullback("rules", "tanh").stdout


def test_rules_of_an_unsupported_function(pullback):
    assert "no derivative: " in pullback("rules", "numpy.roots").stdout


def test_rules_lists_all(pullback):
    names = pullback("rules").stdout.split()
    assert "numpy.exp" in names and names == sorted(names)
