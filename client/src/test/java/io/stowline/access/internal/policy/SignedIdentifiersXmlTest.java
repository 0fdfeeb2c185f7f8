package io.stowline.access.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.access.AccessPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** ACCESS-3: policies are written back as they were read. */
class SignedIdentifiersXmlTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<AccessPolicy> read(String policy) throws IOException {
        return SignedIdentifiersXml.read(bytes("\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?><SignedIdentifiers>"
                + "<SignedIdentifier><Id>a</Id>" + policy + "</SignedIdentifier></SignedIdentifiers>"));
    }

    @Property(tries = 500)
    @Label("ACCESS-3: policies come back as they were written")
    void policiesComeBackAsTheyWereWritten(@ForAll("policies") List<AccessPolicy> policies) throws IOException {
        assertThat(SignedIdentifiersXml.read(SignedIdentifiersXml.body(policies)))
                .isEqualTo(policies);
    }

    @Provide
    Arbitrary<List<AccessPolicy>> policies() {
        Arbitrary<String> ids = Arbitraries.strings()
                .withCharRange(' ', '~')
                .withChars("äß€日\u00a0")
                .ofMinLength(1)
                .ofMaxLength(64)
                // The reader of XML takes an element of blanks alone for empty.
                .filter(id -> !id.isBlank());
        Arbitrary<Optional<Instant>> times = Arbitraries.longs()
                .between(0, 250_000_000_000L)
                .flatMap(second -> Arbitraries.of(0, 100, 999_999_900, 120_000_000)
                        .map(nano -> Instant.ofEpochSecond(second, nano)))
                .optional();
        Arbitrary<String> permissions = Arbitraries.of("", "r", "raup", "racwdl");
        return Combinators.combine(ids, permissions, times, times)
                .as(AccessPolicy::new)
                .list()
                .ofMaxSize(5);
    }

    @Example
    void timesOfAllForms() throws IOException {
        assertThat(read("<AccessPolicy><Start>2026-01-02</Start><Expiry>2026-01-03T04:05Z</Expiry></AccessPolicy>"))
                .containsExactly(new AccessPolicy(
                        "a",
                        "",
                        Optional.of(Instant.parse("2026-01-02T00:00:00Z")),
                        Optional.of(Instant.parse("2026-01-03T04:05:00Z"))));
        assertThat(read("<AccessPolicy><Start>2026-01-02T03:04:05+02:00</Start>"
                        + "<Expiry>2026-01-03T04:05:06.0000001Z</Expiry></AccessPolicy>"))
                .containsExactly(new AccessPolicy(
                        "a",
                        "",
                        Optional.of(Instant.parse("2026-01-02T01:04:05Z")),
                        Optional.of(Instant.parse("2026-01-03T04:05:06.0000001Z"))));
    }

    @Example
    void emptyAndUnknownElements() throws IOException {
        AccessPolicy empty = new AccessPolicy("a", "", Optional.empty(), Optional.empty());

        assertThat(read("")).containsExactly(empty);
        assertThat(read("<AccessPolicy/>")).containsExactly(empty);
        assertThat(read("<New>x</New><AccessPolicy><New/><Start/><Expiry></Expiry><Permission/></AccessPolicy>"))
                .containsExactly(empty);
        assertThat(SignedIdentifiersXml.read(bytes("<SignedIdentifiers />"))).isEmpty();
    }

    @Example
    void otherDocuments() {
        assertThatThrownBy(() -> SignedIdentifiersXml.read(bytes("<Error/>"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> read("<AccessPolicy><Start>soon</Start></AccessPolicy>"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("soon");
    }
}
