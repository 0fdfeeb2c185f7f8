package io.stowline.transport.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RequestHeadersTest {

    private static final HttpHeaderName DATE = HttpHeaderName.fromString("x-ms-date");

    /** A header that is set, or removed if it has no value. */
    private record Change(HttpHeaderName name, @Nullable String value) {}

    @Provide
    Arbitrary<List<Change>> changes() {
        Arbitrary<String> few = Arbitraries.of("Accept", "accept", "ACCEPT", "x-ms-date", "X-MS-Date", "x-ms-meta-a");
        Arbitrary<String> many = Arbitraries.integers().between(0, 30).map(i -> "x-ms-meta-" + i);
        return Combinators.combine(
                        Arbitraries.oneOf(few, many),
                        Arbitraries.strings().alpha().injectNull(0.3))
                .as((name, value) -> new Change(HttpHeaderName.fromString(name), value))
                .list()
                .ofMaxSize(60);
    }

    private static List<String> lines(RequestHeaders headers) {
        return IntStream.range(0, headers.size())
                .mapToObj(i -> headers.name(i) + ": " + headers.value(i))
                .toList();
    }

    private static List<String> lines(HttpHeaders headers) {
        return headers.stream()
                .map(header -> header.getName() + ": " + header.getValue())
                .toList();
    }

    @Property
    void hasTheHeadersOfAMap(@ForAll("changes") List<Change> changes) {
        RequestHeaders list = new RequestHeaders();
        HttpHeaders map = new HttpHeaders();
        for (Change change : changes) {
            if (change.value == null) {
                map.remove(change.name);
                list.remove(change.name);
            } else {
                map.set(change.name, change.value);
                list.set(change.name, change.value);
            }
            assertThat(list.value(change.name)).isEqualTo(map.getValue(change.name));
            assertThat(list.has(change.name)).isEqualTo(change.value != null);
        }
        assertThat(lines(list)).containsExactlyInAnyOrderElementsOf(lines(map));
        assertThat(list.toHttpHeaders().toMap()).isEqualTo(map.toMap());
        assertThat(lines(RequestHeaders.of(map))).isEqualTo(lines(map));
    }

    @Test
    void keepsTheOrderInWhichNamesWereSet() {
        RequestHeaders headers = new RequestHeaders()
                .set(HttpHeaderName.ETAG, "1")
                .set(DATE, "2")
                .set(HttpHeaderName.ACCEPT, "3")
                .set(HttpHeaderName.fromString("X-MS-DATE"), "4")
                .remove(HttpHeaderName.ETAG);

        assertThat(lines(headers)).containsExactly("X-MS-DATE: 4", "Accept: 3");
    }

    @Test
    void aCopyIsAnotherList() {
        RequestHeaders headers = new RequestHeaders().set(DATE, "1");
        RequestHeaders copy = headers.copy().set(DATE, "2").set(HttpHeaderName.ACCEPT, "3");

        assertThat(lines(headers)).containsExactly("x-ms-date: 1");
        assertThat(headers.has(HttpHeaderName.ACCEPT)).isFalse();
        assertThat(lines(copy)).containsExactly("x-ms-date: 2", "Accept: 3");
    }

    @Test
    void severalValuesOfAMapAreOne() {
        HttpHeaders map = new HttpHeaders().add(DATE, "1").add(DATE, "2");

        assertThat(lines(RequestHeaders.of(map))).containsExactly("x-ms-date: 1,2");
    }

    @Test
    void showsNoValues() {
        assertThat(new RequestHeaders().set(HttpHeaderName.AUTHORIZATION, "secret"))
                .hasToString("RequestHeaders[Authorization]");
    }
}
