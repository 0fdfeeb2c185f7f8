package io.stowline.service.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
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
}
