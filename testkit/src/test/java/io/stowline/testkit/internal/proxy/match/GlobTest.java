package io.stowline.testkit.internal.proxy.match;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;

final class GlobTest {

    @Property
    @Label("everything but stars stands for itself")
    void standsForItself(@ForAll @CharRange(from = '!', to = ')') @CharRange(from = '+', to = '~') String text) {
        assertThat(Glob.pattern(text).matcher(text).matches()).isTrue();
        assertThat(Glob.pattern(text).matcher(text + "x").matches()).isFalse();
    }

    @Property
    @Label("one star stands for anything without a slash, two for anything")
    void starsStandForAnything(@ForAll @Chars({'a', '/', '$', '(', '.', '\n'}) String part) {
        String path = "/x" + part + "/y";

        assertThat(Glob.pattern("/x**/y").matcher(path).matches()).isTrue();
        assertThat(Glob.pattern("/x*/y").matcher(path).matches()).isEqualTo(!part.contains("/"));
    }
}
