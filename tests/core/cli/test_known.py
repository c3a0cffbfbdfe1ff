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
    assert "no derivative: " in pullback("rules", "numpy.unique").stdout


def test_rules_of_a_constant_function(pullback):
    assert pullback("rules", "np.argmax").stdout.endswith(
        "constant: its result carries no derivative\n"
    )


def test_rules_of_a_draw(pullback):
    result = pullback("rules", "np.random.normal")
    assert result.stdout.startswith("numpy.random.normal(") and "a random draw" in result.stdout


def test_rules_of_what_the_engine_takes_apart(pullback):
    assert "taken apart by the engine" in pullback("rules", "np.einsum").stdout


def test_rules_of_a_function_that_differs_on_complex_numbers(pullback):
    told = pullback("rules", "np.angle").stdout
    assert "  constant: " in told and "  of complex numbers:\n    z_bar = " in told
    assert "no derivative: " in pullback("rules", "np.sign").stdout


def test_rules_lists_all(pullback):
    names = pullback("rules").stdout.split()
    assert "numpy.exp" in names and names == sorted(names)
