package io.stowline.testkit;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.testkit.internal.proxy.match.Matching;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RequestMatchTest {

    final SentRequest request = SentRequest.of(
                    "POST",
                    "/account/$batch?timeout=30&name=a%20b",
                    Map.of("x-ms-version", "2020-12-06", "Prefer", "return-no-content"),
                    "PATCH /account/customers".getBytes(StandardCharsets.UTF_8))
            .withService(StorageService.TABLE);

    @Test
    void takesEverythingUnlessSaidOtherwise() {
        assertThat(takes(requests())).isTrue();
    }

    @Test
    void narrowsByMethod() {
        assertThat(takes(requests().method("POST"))).isTrue();
        assertThat(takes(requests().method("GET", "POST"))).isTrue();
        assertThat(takes(requests().method("post"))).isFalse();
        assertThat(takes(requests().method())).isFalse();
    }

    @Test
    void narrowsByService() {
        assertThat(takes(requests().service(StorageService.TABLE))).isTrue();
        assertThat(takes(requests().service(StorageService.QUEUE, StorageService.TABLE)))
                .isTrue();
        assertThat(takes(requests().service(StorageService.QUEUE))).isFalse();
        assertThat(new Matching(requests().service(StorageService.TABLE).spec(), 1).takes(request.withService(null)))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "**/$batch, true",
        "**$batch, true",
        "/*/$batch, true",
        "/account/*, true",
        "**, true",
        "*, false",
        "/account, false",
        "/account/.batch, false",
        "/account/$batch?*, false",
        "/ACCOUNT/$batch, false"
    })
    void narrowsByPath(String glob, boolean taken) {
        assertThat(takes(requests().path(glob))).isEqualTo(taken);
    }

    @Test
    void narrowsByHeader() {
        assertThat(takes(requests().header("X-MS-VERSION", "2020-12-06"))).isTrue();
        assertThat(takes(requests().header("x-ms-version", "2019-02-02"))).isFalse();
        assertThat(takes(requests().header("prefer", value -> value.contains("no-content"))))
                .isTrue();
        assertThat(takes(requests().header("If-Match", value -> true))).isFalse();
    }

    @Test
    void narrowsByQuery() {
        assertThat(takes(requests().query("name", "a b"))).isTrue();
        assertThat(takes(requests().query("name", "a%20b"))).isFalse();
        assertThat(takes(requests().query("timeout", value -> value.length() == 2)))
                .isTrue();
        assertThat(takes(requests().query("comp", value -> true))).isFalse();
    }

    @Test
    void narrowsByBodyAndByAnyTest() {
        assertThat(takes(requests().bodyContaining("PATCH "))).isTrue();
        assertThat(takes(requests().bodyContaining("DELETE "))).isFalse();
        assertThat(takes(requests().when("small", sent -> sent.bodyLength() < 100)))
                .isTrue();
        assertThat(takes(requests().when("large", sent -> sent.bodyLength() > 100)))
                .isFalse();
    }

    @Test
    void choosesByNumber() {
        assertThat(taken(requests().nth(3))).containsExactly(3);
        assertThat(taken(requests().from(8))).containsExactly(8, 9, 10);
        assertThat(taken(requests().every(4))).containsExactly(4, 8);
        assertThat(taken(requests().times(2))).containsExactly(1, 2);
        assertThat(taken(requests().from(3).every(2).times(3))).containsExactly(4, 6, 8);
    }

    @Test
    void countsOnlyWhatFulfilsTheConditions() {
        Matching matching = new Matching(requests().method("GET").nth(2).spec(), 1);
        SentRequest get = SentRequest.of("GET", "/", Map.of(), new byte[0]);

        assertThat(List.of(matching.takes(get), matching.takes(request), matching.takes(get), matching.takes(get)))
                .containsExactly(false, false, true, false);
    }

    @Test
    void choosesByChanceAsTheSeedSays() {
        RequestMatch half = requests().chance(0.5);

        assertThat(taken(half, 7)).isEqualTo(taken(half, 7)).isNotEqualTo(taken(half, 8));
        assertThat(taken(requests().chance(0), 7)).isEmpty();
        assertThat(taken(requests().chance(1), 7)).hasSize(10);
        Matching often = new Matching(requests().chance(0.05).spec(), 42);
        assertThat(IntStream.range(0, 10_000).filter(i -> often.takes(request)).count())
                .isBetween(400L, 600L);
    }

    @Test
    void countsForEachRuleOnItsOwn() {
        RequestMatch first = requests().nth(1);

        assertThat(taken(first)).containsExactly(1);
        assertThat(taken(first)).containsExactly(1);
    }

    @Test
    void saysWhatWasSaid() {
        assertThat(requests()).hasToString("any request");
        assertThat(requests()
                        .service(StorageService.QUEUE, StorageService.BLOB)
                        .method("PUT", "POST")
                        .path("**/x")
                        .header("A", "b")
                        .query("c", "d")
                        .bodyContaining("e")
                        .nth(2)
                        .chance(0.5)
                        .times(3))
                .hasToString("service queue or blob, method PUT or POST, path **/x, header A: b, query c=d, a body with"
                        + " 'e', nth(2), chance(0.5), times(3)");
    }

    @Test
    void rejectsNumbersByNamingThem() {
        assertThatThrownBy(() -> requests().nth(0)).hasMessage("nth must be at least 1: 0");
        assertThatThrownBy(() -> requests().from(0)).hasMessage("from must be at least 1: 0");
        assertThatThrownBy(() -> requests().every(0)).hasMessage("every must be at least 1: 0");
        assertThatThrownBy(() -> requests().times(-1)).hasMessage("times must be at least 1: -1");
        assertThatThrownBy(() -> requests().chance(1.1)).hasMessage("chance must be from 0 to 1: 1.1");
        assertThatThrownBy(() -> requests().chance(Double.NaN)).hasMessage("chance must be from 0 to 1: NaN");
    }

    private boolean takes(RequestMatch match) {
        return new Matching(match.spec(), 1).takes(request);
    }

    private List<Integer> taken(RequestMatch match) {
        return taken(match, 1);
    }

    /** Numbers of the taken ones of ten requests. */
    private List<Integer> taken(RequestMatch match, long seed) {
        Matching matching = new Matching(match.spec(), seed);
        return IntStream.rangeClosed(1, 10)
                .filter(i -> matching.takes(request))
                .boxed()
                .toList();
    }
}
