package io.stowline.service.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("ACCESS-3: origins, as a browser makes them")
class CorsOriginsTest {

    /** The origin that a browser sends for the page at an address, by the rules of URLs for http and https. */
    private static String originOf(URI page) {
        String scheme = page.getScheme().toLowerCase(Locale.ROOT);
        String host = page.getHost().toLowerCase(Locale.ROOT);
        boolean ofScheme = page.getPort() < 0 || page.getPort() == (scheme.equals("https") ? 443 : 80);
        return scheme + "://" + host + (ofScheme ? "" : ":" + page.getPort());
    }

    @Provide
    Arbitrary<URI> pages() {
        Arbitrary<String> label = Arbitraries.strings()
                .withCharRange('a', 'z')
                .withCharRange('A', 'Z')
                .withCharRange('0', '9')
                .ofMinLength(1)
                .ofMaxLength(8)
                .filter(text -> Character.isLetter(text.charAt(0)));
        return Combinators.combine(
                        Arbitraries.of("http", "https", "HTTPS"),
                        label.list().ofMinSize(1).ofMaxSize(4),
                        Arbitraries.integers().between(1, 65_535).optional(),
                        Arbitraries.of("", "/", "/index.html", "/a?b=c", "#top"))
                .as((scheme, labels, port, rest) -> URI.create(scheme + "://" + String.join(".", labels)
                        + port.map(number -> ":" + number).orElse("") + rest));
    }

    @Property
    @Label("the origin of each page is accepted, and its address only where it is that origin")
    void acceptsTheOriginOfEachPage(@ForAll("pages") URI page) {
        String origin = originOf(page);

        assertThat(CorsOrigins.refusal(origin)).isNull();
        assertThat(CorsOrigins.refusal(origin.replace("://", "://*."))).isNull();
        assertThat(CorsOrigins.refusal(page.toString()) == null)
                .as("%s", page)
                .isEqualTo(page.toString().equals(origin));
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings()
                .withChars("hts:/.*a1[]@?#-%<\\ A,")
                .ofMaxLength(12)
                .flatMap(text -> Arbitraries.of(text, "https://" + text, "http://a" + text, "https://a:" + text));
    }

    @Property
    @Label("each accepted text is the origin of a page, or a wildcard")
    void acceptsOriginsOnly(@ForAll("texts") String text) throws URISyntaxException {
        if (CorsOrigins.refusal(text) != null || text.equals("*") || text.equals("null")) {
            return;
        }
        URI page = new URI(text.replace("://*.", "://"));
        if (page.getHost() != null && page.getScheme().startsWith("http")) {
            assertThat(originOf(page)).isEqualTo(page.toString());
        }
    }

    @Provide
    Arbitrary<String> literals() {
        Arbitrary<String> noise = Arbitraries.strings().withChars("0:1fa.").ofMaxLength(12);
        Arbitrary<String> groups = Arbitraries.of("0", "0", "1", "ab", "0ff", "", "1.2.3.4")
                .list()
                .ofMinSize(1)
                .ofMaxSize(9)
                .map(list -> String.join(":", list));
        return Arbitraries.oneOf(noise, groups);
    }

    @Property(tries = 5_000)
    @Label("a host in brackets is accepted only if it is an IPv6 address in its shortest form")
    void acceptsIpv6AddressesOnly(@ForAll("literals") String literal) throws URISyntaxException {
        String origin = "https://[" + literal + "]";
        if (CorsOrigins.refusal(origin) == null) {
            assertThat(new URI(origin).getHost()).isEqualTo("[" + literal + "]");
        }
    }

    @Example
    @Label("addresses as browsers write them are accepted, and other forms of them refused with that one")
    void acceptsTheShortestForm() {
        for (String sent :
                List.of("::", "::1", "1::", "2001:db8::1:0:0:1", "1:0:2::3", "1:2:3:4:5:6:7:8", "::ffff:c0a8:1")) {
            assertThat(CorsOrigins.refusal("https://[" + sent + "]")).as(sent).isNull();
            assertThat(CorsOrigins.refusal("https://[" + sent + "]:8443"))
                    .as(sent)
                    .isNull();
        }
        for (String none :
                List.of(":", "1", ":::", "1::2::3", "1:2:3:4:5:6:7:8:9", "12345::", "::256.1.1.1", "::1.2.3")) {
            assertThat(CorsOrigins.refusal("https://[" + none + "]")).as(none).contains("[" + none + "] is none");
        }
        assertThat(CorsOrigins.refusal("https://[0:0:0:0:0:0:0:1]")).endsWith("[::1]");
        assertThat(CorsOrigins.refusal("https://[2001:0db8::]")).endsWith("[2001:db8::]");
        assertThat(CorsOrigins.refusal("https://[1:2:3::5:6:7:8]")).endsWith("[1:2:3:0:5:6:7:8]");
        assertThat(CorsOrigins.refusal("https://[1::4:0:0:0:8]")).endsWith("[1:0:0:4::8]");
        assertThat(CorsOrigins.refusal("https://[::ffff:192.168.0.1]")).endsWith("[::ffff:c0a8:1]");
    }
}
