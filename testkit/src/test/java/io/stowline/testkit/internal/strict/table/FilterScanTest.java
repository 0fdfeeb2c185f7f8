package io.stowline.testkit.internal.strict.table;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilterScanTest {

    private static final Rulebook RULES = Rulebook.without(Set.of());

    @Property
    @Label("any 15 comparisons pass, and one more does not, whatever the texts in them say")
    void countsComparisons(@ForAll("comparisons") List<String> comparisons) {
        String filter = String.join(" and ", comparisons);

        assertThatCode(() -> FilterScan.check(filter, RULES)).doesNotThrowAnyException();
        assertThatThrownBy(() -> FilterScan.check(filter + " or (a eq 1)", RULES))
                .hasMessageContaining("16")
                .extracting("rule")
                .isEqualTo(StrictRule.FILTER_COMPARISONS);
    }

    @Provide
    Arbitrary<List<String>> comparisons() {
        Arbitrary<String> names = Arbitraries.of("a", "eq", "not_", "größe", "true_or");
        Arbitrary<String> operators = Arbitraries.of("eq", "ne", "gt", "ge", "lt", "le");
        Arbitrary<String> constants = Arbitraries.oneOf(
                Arbitraries.strings().all().ofMaxLength(20).map(text -> "'" + text.replace("'", "''") + "'"),
                Arbitraries.longs().map(number -> number + "L"),
                Arbitraries.of(
                        "5",
                        "-1.5e3",
                        "true",
                        "guid'4185404a-5818-48c3-b9be-f217df0dba6f'",
                        "datetime'2026-11-21T00:00:00Z'",
                        "X'00ff'",
                        "binary''",
                        "' eq 5 and '"));
        return Combinators.combine(names, operators, constants)
                .as((name, operator, constant) -> "not (" + name + " " + operator + " " + constant + ")")
                .list()
                .ofSize(15);
    }

    @Property
    @Label("a text of any characters does no harm")
    void bearsAnyText(@ForAll String text) {
        Rulebook none = Rulebook.without(Set.of(StrictRule.values()));

        assertThatCode(() -> FilterScan.check(text, none)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a eq 'open",
                "a eq '",
                "a eq guid'x'",
                "a eq datetime'yesterday'",
                "a eq X'abc'",
                "a eq binary'xy'",
                "a eq 5x",
                "a eq 1.2.3"
            })
    void refusesMalformedConstants(String filter) {
        assertThatThrownBy(() -> FilterScan.check(filter, RULES))
                .extracting("rule")
                .isEqualTo(StrictRule.FILTER_LITERAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"startswith(a,'b')", "substringof('b',a) eq true", "a add 1 eq 2", "not endswith(a,'b')"})
    void refusesFunctionsAndArithmetic(String filter) {
        assertThatThrownBy(() -> FilterScan.check(filter, RULES))
                .extracting("rule")
                .isEqualTo(StrictRule.FILTER_FUNCTION);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a eq 'startswith('",
                "add eq 1 and sub ne 2",
                "not(a eq 1)",
                "( a eq null )",
                "a eq INF",
                "a eq 1e+5"
            })
    void letsPassWhatOnlyLooksLikeOne(String filter) {
        assertThatCode(() -> FilterScan.check(filter, RULES)).doesNotThrowAnyException();
    }
}
