package io.stowline.examples.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class ReportTest {

    @Test
    void alignsLabelsLeftAndFiguresRight() {
        Report report = new Report().row("a", "%,d", 12_345).row("long label", "%.1f", 0.5);

        assertThat(report.lines()).containsExactly("a           12,345", "long label     0.5");
    }

    @Test
    void isEmptyWithoutRows() {
        assertThat(new Report().lines()).isEmpty();
    }

    @Test
    void doesNotDependOnTheLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            assertThat(new Report().row("a", "%,.1f", 1234.5).lines()).containsExactly("a  1,234.5");
        } finally {
            Locale.setDefault(before);
        }
    }
}
