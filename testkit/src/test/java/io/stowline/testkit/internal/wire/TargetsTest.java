package io.stowline.testkit.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class TargetsTest {

    @Property
    @Label("parameters that were encoded are read back in order")
    void readsParametersBack(
            @ForAll @Size(max = 5) Map<@NotEmpty String, String> parameters, @ForAll boolean withPath) {
        String query = parameters.entrySet().stream()
                .map(parameter -> encoded(parameter.getKey()) + "=" + encoded(parameter.getValue()))
                .collect(Collectors.joining("&"));
        Map<String, String> expected = parameters.entrySet().stream()
                .collect(Collectors.toMap(e -> roundTrip(e.getKey()), e -> roundTrip(e.getValue()), (a, b) -> a));

        Map<String, String> read = Targets.query((withPath ? "/a" : "") + "?" + query);

        assertThat(read).isEqualTo(expected);
        assertThat(new ArrayList<>(read.keySet()))
                .isEqualTo(parameters.keySet().stream()
                        .map(TargetsTest::roundTrip)
                        .distinct()
                        .toList());
    }

    @Property
    @Label("any text is taken apart, and no signature is shown")
    void takesAnyTextApart(@ForAll String target) {
        Targets.query(target);

        assertThat(target).startsWith(Targets.path(target));
        assertThat(Targets.shown("/a?sig=" + encoded(target) + "&x=1")).isEqualTo("/a?sig=...&x=1");
    }

    @Test
    void leavesThePathAlone() {
        assertThat(Targets.path("//a%2F'b'?c?d")).isEqualTo("//a%2F'b'");
        assertThat(Targets.path("*")).isEqualTo("*");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    // A lone surrogate has no encoding.
    private static String roundTrip(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
