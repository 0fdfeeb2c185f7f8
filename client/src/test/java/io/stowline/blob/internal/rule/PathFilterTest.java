package io.stowline.blob.internal.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathFilterTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "**/*.jpg a.jpg true",
                "**/*.jpg x/y/a.jpg true",
                "**/*.jpg a.jpgx false",
                "*.jpg x/a.jpg false",
                "x/** x/y/z true",
                "x/** x false",
                "x/**/z x/z true",
                "x/**/z x/a/b/z true",
                "x/**/z xz false",
                "a**b a/x/b true",
                "?.txt ä.txt true",
                "?.txt /.txt false",
                "*.{jpg,png} a.png true",
                "*.{jpg,png} a.gif false",
                "a+(b).[x] a+(b).[x] true",
                "a.b axb false",
                "a|b a false",
                "\uD83D\uDE00* \uD83D\uDE00x true",
                "\\E*\\Q \\Ex\\Q true"
            })
    void globs(String glob, String name, boolean matches) {
        assertThat(new PathFilter(List.of(glob), List.of()).matches(name)).isEqualTo(matches);
        assertThat(new PathFilter(List.of(), List.of(glob)).matches(name)).isNotEqualTo(matches);
    }

    @Test
    @DisplayName("without a pattern all names take part; an exclusion is stronger than an inclusion")
    void together() {
        PathFilter filter = new PathFilter(List.of("a*", "b*"), List.of("*b"));

        assertThat(List.of("a", "b", "ab", "c").stream().filter(filter::matches))
                .containsExactly("a");
        assertThat(new PathFilter(List.of(), List.of()).matches("any/thing")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/a", "{a,b", "x{"})
    void refused(String glob) {
        assertThatIllegalArgumentException().isThrownBy(() -> PathFilter.checked(glob));
    }
}
