package io.stowline.testkit.internal.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.strict.StrictProbe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.WithNull;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PagesTest {

    private static final String PARTITION_KEY = "x-ms-continuation-NextPartitionKey";
    private static final String ROW_KEY = "x-ms-continuation-NextRowKey";
    private static final String PAGE =
            "{\"odata.metadata\":\"http://x/$metadata#T\",\"value\":[{\"a\":[1]},{\"a\":2}],\"n\":{\"b\":1}}";

    /** A service with two pages. */
    private static StubResponse twoPages(SentRequest request) {
        StubResponse page = StubResponse.of(200).body("application/json", PAGE);
        return request.query().containsKey("NextPartitionKey")
                ? page
                : page.header(PARTITION_KEY, "1!4!cA--").header(ROW_KEY, "1!4!cg--");
    }

    @Test
    @DisplayName("MAP-5: each page is preceded by an empty one, and none is lost")
    void precedesEachPageByAnEmptyOne() throws IOException {
        ServiceExchange exchange = new ServiceExchange(new EmptyPages(1), PagesTest::twoPages);

        List<StubResponse> pages = walk(exchange, "$filter=a%20eq%20'%2B'&$top=2");

        assertThat(pages).hasSize(4);
        assertThat(pages.stream().map(StubResponse::text))
                .containsExactly(
                        "{\"odata.metadata\":\"http://x/$metadata#T\",\"value\":[],\"n\":{\"b\":1}}",
                        PAGE,
                        "{\"odata.metadata\":\"http://x/$metadata#T\",\"value\":[],\"n\":{\"b\":1}}",
                        PAGE);
        assertThat(exchange.arrived).hasSize(4).allSatisfy(request -> assertThat(request.query())
                .containsEntry("$filter", "a eq '+'"));
        assertThat(exchange.arrived.get(1).query()).doesNotContainKeys("NextPartitionKey", "NextRowKey");
        assertThat(exchange.arrived.get(3).query())
                .containsEntry("NextPartitionKey", "1!4!cA--")
                .containsEntry("NextRowKey", "1!4!cg--");
    }

    @Test
    @DisplayName("MAP-5: the row key of a continuation is there, there but empty, and absent in turn")
    void variesTheContinuation() throws IOException {
        ServiceExchange exchange = new ServiceExchange(new EmptyPages(1), PagesTest::twoPages);

        assertThat(exchange.send(StrictProbe.table("GET", "/T()")).header(ROW_KEY))
                .isNotEmpty();
        assertThat(exchange.send(StrictProbe.table("GET", "/T()")).header(ROW_KEY))
                .isEmpty();
        assertThat(exchange.send(StrictProbe.table("GET", "/T()")).header(ROW_KEY))
                .isNull();
    }

    @Test
    void precedesEachSecondPageOnly() throws IOException {
        ServiceExchange exchange = new ServiceExchange(new EmptyPages(2), PagesTest::twoPages);

        assertThat(walk(exchange, "$top=2").stream().map(page -> page.text().equals(PAGE)))
                .containsExactly(true, false, true);
    }

    @Test
    void respondsErrorsAndReadsOfEntitiesAtOnce() throws IOException {
        ServiceExchange exchange = new ServiceExchange(new EmptyPages(1), request -> StubResponse.of(404));

        assertThat(exchange.send(StrictProbe.table("GET", "/T()")).status()).isEqualTo(404);
        assertThat(exchange.send(StrictProbe.table("GET", "/T(PartitionKey='p',RowKey='r')"))
                        .status())
                .isEqualTo(404);
    }

    @Test
    void saysWhenAPageIsNoJson() {
        ServiceExchange exchange = new ServiceExchange(
                new EmptyPages(1), request -> StubResponse.of(200).body("text/plain", "{\"a\""));

        assertThatThrownBy(() -> exchange.send(StrictProbe.table("GET", "/T()")))
                .isInstanceOf(UncheckedIOException.class);
    }

    @Property
    @Label("a token leads back to the place it was made at, whatever the tokens of the service look like")
    void leadsBack(@ForAll @WithNull String partitionKey, @ForAll @WithNull String rowKey) {
        ContinuationToken place = new ContinuationToken(printable(partitionKey), printable(rowKey));
        String token = URLEncoder.encode(place.token(), StandardCharsets.UTF_8);
        SentRequest request = StrictProbe.table("GET", "/T()?NextPartitionKey=" + token + "&NextRowKey=&$top=5")
                .toRequest(ServiceExchange.CLOCK.instant());

        ContinuationToken found = ContinuationToken.behindEmptyPage(request).orElseThrow(AssertionError::new);
        SentRequest resumed = found.applyTo(request);

        assertThat(found).isEqualTo(place);
        assertThat(ContinuationToken.of(resumed)).isEqualTo(place);
        assertThat(resumed.query()).containsEntry("$top", "5");
        assertThat(place.token()).matches("[!-~]+");
    }

    /** Drops halves of surrogate pairs, which no URL can carry. */
    private static String printable(String text) {
        return text == null ? null : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    @Test
    void makesPagesSmaller() throws IOException {
        ServiceExchange exchange = new ServiceExchange(new SmallPages(3), PagesTest::twoPages);

        exchange.send(StrictProbe.table("GET", "/T()"));
        exchange.send(StrictProbe.table("GET", "/T()?$top=1000&$select=a"));
        exchange.send(StrictProbe.table("GET", "/T()?%24top=2"));
        exchange.send(StrictProbe.table("GET", "/T(PartitionKey='p',RowKey='r')"));
        exchange.send(StrictProbe.table("POST", "/T").json("{}"));

        assertThat(exchange.arrived.stream().map(request -> request.query().get("$top")))
                .containsExactly("3", "3", "2", null, null);
        assertThat(exchange.arrived.get(1).query()).containsEntry("$select", "a");
    }

    /** Follows continuations as a client does. */
    private static List<StubResponse> walk(ServiceExchange exchange, String query) throws IOException {
        List<StubResponse> pages = new ArrayList<>();
        String continuation = "";
        do {
            StubResponse page = exchange.send(StrictProbe.table("GET", "/T()?" + query + continuation));
            pages.add(page);
            continuation = parameter(page, PARTITION_KEY) + parameter(page, ROW_KEY);
        } while (!continuation.isEmpty());
        return pages;
    }

    private static String parameter(StubResponse page, String header) {
        String token = page.header(header);
        String name = header.substring("x-ms-continuation-".length());
        return token == null ? "" : "&" + name + "=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
    }
}
