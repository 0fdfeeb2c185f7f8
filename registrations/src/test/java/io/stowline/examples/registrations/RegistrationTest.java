package io.stowline.examples.registrations;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.spring.boot.web.ProblemType;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

class RegistrationTest extends MemoryServiceTest {

    @Test
    void aRegistrationLivesByItsETag() {
        Runner ann = runner(42);
        RestTestClient.ResponseSpec created = post(ann);
        created.expectStatus().isCreated().expectHeader().location(location(42));
        String first = etag(created);

        get(42).expectStatus().isOk().expectHeader().valueEquals(HttpHeaders.ETAG, first);
        client.get()
                .uri("/registrations/{race}/42", race)
                .ifNoneMatch(first)
                .exchange()
                .expectStatus()
                .isNotModified();

        Runner older = new Runner(race, ann.email(), 42, "Ann Berg", 99, "NO");
        RestTestClient.ResponseSpec changed = put(older, 42, first);
        changed.expectStatus().isOk();
        String second = etag(changed);
        assertThat(second).isNotEqualTo(first);
        client.get()
                .uri("/registrations/{race}/42", race)
                .ifNoneMatch(first)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(Runner.class)
                .isEqualTo(older);

        expectProblem(put(ann, 42, first), ProblemType.VERSION_CHANGED);
        expectProblem(delete(42, first), ProblemType.VERSION_CHANGED);
        delete(42, second).expectStatus().isNoContent();
        expectProblem(get(42), ProblemType.NOT_FOUND);
    }

    @Test
    void aChangeNeedsAVersion() {
        String etag = etag(post(runner(1)));

        expectProblem(
                client.put()
                        .uri("/registrations/{race}/1", race)
                        .body(runner(1))
                        .exchange(),
                ProblemType.VERSION_REQUIRED);
        expectProblem(client.delete().uri("/registrations/{race}/1", race).exchange(), ProblemType.VERSION_REQUIRED);
        put(runner(1), 1, "\"other\", " + etag).expectStatus().isOk();
        put(runner(1), 1, "*").expectStatus().isOk();
    }

    @Test
    void indexRowsFollowAChange() {
        String etag = etag(post(runner(7)));
        Runner moved = new Runner(race, runner(7).email(), 8, "Ann", 80, "KE");

        RestTestClient.ResponseSpec answer = put(moved, 7, etag);

        answer.expectStatus().isOk().expectHeader().location(location(8));
        expectProblem(get(7), ProblemType.NOT_FOUND);
        get(8).expectBody(Runner.class).isEqualTo(moved);
        assertThat(aged(runner(7).age(), runner(7).age())).isEmpty();
        assertThat(aged(80, 89)).containsExactly(moved);
    }

    @Test
    void agesAreARange() {
        for (int bib = 1; bib <= 8; bib++) {
            post(runner(bib)).expectStatus().isCreated();
        }

        assertThat(aged(21, 24)).extracting(Runner::bib).containsExactly(3, 4, 5, 6);
    }

    @Test
    void aRunnerAndABibAreRegisteredOnce() {
        post(runner(1)).expectStatus().isCreated();

        expectProblem(post(runner(1)), ProblemType.CONFLICT);
        expectProblem(post(new Runner(race, "other@example.com", 1, "Bob", 30, "DE")), ProblemType.CONFLICT);
        expectProblem(post(new Runner(race, runner(1).email(), 2, "Bob", 30, "DE")), ProblemType.CONFLICT);
        expectProblem(get(2), ProblemType.NOT_FOUND);
    }

    @Test
    void aRefusalNamesTheValueAndTheLimit() {
        post(new Runner(race, "Ann@example.com", 0, " ", 12, "no"))
                .expectStatus()
                .isBadRequest()
                .expectHeader()
                .contentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody(new ParameterizedTypeReference<Map<String, Object>>() {})
                .value(problem -> assertThat(problem)
                        .extractingByKey("errors")
                        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.list(Map.class))
                        .extracting(error -> error.get("name") + "=" + error.get("value") + ": " + error.get("limit"))
                        .contains(
                                "age=12: must be greater than or equal to 16",
                                "bib=0: must be greater than or equal to 1",
                                "email=Ann@example.com: must be an address in lower case"));
        post(runner(CAPACITY + 1))
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.name")
                .isEqualTo("bib")
                .jsonPath("$.value")
                .isEqualTo(CAPACITY + 1)
                .jsonPath("$.limit")
                .isEqualTo("at most 20000 in this race");
        expectProblem(client.get().uri("/registrations/{race}?size=0", race).exchange(), ProblemType.INVALID_INPUT);
    }

    @Test
    void aValueOfAnotherTypeIsNamed() {
        client.get()
                .uri("/registrations/{race}/two", race)
                .exchange()
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.errors[0].name")
                .isEqualTo("bib")
                .jsonPath("$.errors[0].value")
                .isEqualTo("two")
                .jsonPath("$.errors[0].limit")
                .isEqualTo("must be of type int");
        client.post()
                .uri("/registrations")
                .contentType(MediaType.APPLICATION_JSON)
                .body("{\"race\": \"r\", \"bib\": \"two\"}")
                .exchange()
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.errors[0].name")
                .isEqualTo("bib")
                .jsonPath("$.errors[0].value")
                .isEqualTo("two");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"bib": 20.9}          | bib  | 20.9        | must be of type int
        {"bib": 99999999999}   | bib  | 99999999999 | must be of type int
        {"bib": null}          | bib  | null        | must be of type int
        {"bib": [1]}           | bib  | array       | must be of type int
        {"name": {"a": 1}}     | name | object      | must be of type String
        {"bib": 1,}            | body | line 1, column 11 | must be JSON
        {"bib": 1              | body | line 1, column 10 | must be JSON
        ``                     | body | missing     | must be JSON
        [1, 2]                 | body | array       | must be of type Runner
        17                     | body | number      | must be of type Runner
        """)
    void aBodyThatIsNotReadIsNamed(String body, String name, String value, String limit) {
        RestTestClient.ResponseSpec answer = client.post()
                .uri("/registrations")
                .contentType(MediaType.APPLICATION_JSON)
                .body(body)
                .exchange();

        expectError(answer, name, value, limit);
    }

    @Test
    void parametersOfARangeAreChecked() {
        String address = "/registrations/" + race + "/by-age?";

        client.get()
                .uri(address + "from=50&to=40")
                .exchange()
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo("/problems/invalid-input")
                .jsonPath("$.name")
                .isEqualTo("from")
                .jsonPath("$.value")
                .isEqualTo(50)
                .jsonPath("$.limit")
                .isEqualTo("at most 'to', which is 40");
        expectError(client.get().uri(address + "to=40").exchange(), "from", "missing", "must be of type int");
        expectError(
                client.get().uri(address + "from=10&to=99999999999").exchange(),
                "to",
                "99999999999",
                "must be of type int");
    }

    @Test
    void aLongValueIsCut() {
        expectError(
                post(new Runner(race, runner(1).email(), 1, "x".repeat(5_000), 30, "NO")),
                "name",
                "x".repeat(200) + "..",
                "size must be between 0 and 100");
    }

    @Test
    void rulesOfARaceAreChecked() {
        String address = "/races/" + race;

        expectError(
                putRules(address, "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z", -1),
                "capacity",
                "-1",
                "must be greater than or equal to 1");
        putRules(address, "2027-01-01T00:00:00Z", "2026-01-01T00:00:00Z", 1)
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.name")
                .isEqualTo("closes")
                .jsonPath("$.value")
                .isEqualTo("2026-01-01T00:00:00Z");
    }

    private RestTestClient.ResponseSpec putRules(String address, String opens, String closes, int capacity) {
        return client.put()
                .uri(address)
                .contentType(MediaType.APPLICATION_JSON)
                .body(Map.of("opens", opens, "closes", closes, "capacity", capacity))
                .exchange();
    }

    private static void expectError(RestTestClient.ResponseSpec answer, String name, String value, String limit) {
        answer.expectStatus()
                .isBadRequest()
                .expectBody(new ParameterizedTypeReference<Map<String, Object>>() {})
                .value(problem -> assertThat(problem)
                        .containsEntry("type", "/problems/invalid-input")
                        .containsEntry("errors", List.of(Map.of("name", name, "value", value, "limit", limit))));
    }

    @Test
    void addressesAreChecked() {
        for (String address : List.of(
                "/registrations/" + race + "/100000",
                "/registrations/no%23race/1",
                "/registrations/no%23race",
                "/races/no%23race",
                "/imports/2026-11-23/other")) {
            expectProblem(client.get().uri(URI.create(address)).exchange(), ProblemType.INVALID_INPUT);
        }
    }

    @Test
    void whoIsRegisteredStays() {
        String etag = etag(post(runner(1)));

        expectProblem(
                put(new Runner(race, "other@example.com", 1, "Ann", 30, "NO"), 1, etag), ProblemType.INVALID_INPUT);
        expectProblem(
                put(new Runner("other", runner(1).email(), 1, "Ann", 30, "NO"), 1, etag), ProblemType.INVALID_INPUT);
    }

    @Test
    void aRaceMustBeThereAndOpen() {
        String closed = newRace(Instant.EPOCH, Instant.parse("2020-01-01T00:00:00Z"));

        expectProblem(post(TestRunners.runner(closed, 1)), HttpStatus.CONFLICT, "registration-closed");
        expectProblem(post(TestRunners.runner("race-of-mice", 1)), ProblemType.NOT_FOUND);
    }

    private RestTestClient.ResponseSpec delete(int bib, String ifMatch) {
        return client.delete()
                .uri("/registrations/{race}/{bib}", race, bib)
                .header(HttpHeaders.IF_MATCH, ifMatch)
                .exchange();
    }

    private List<Runner> aged(int from, int to) {
        return client.get()
                .uri("/registrations/{race}/by-age?from={from}&to={to}", race, from, to)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(new ParameterizedTypeReference<List<Runner>>() {})
                .returnResult()
                .getResponseBody();
    }

    private String location(int bib) {
        URI root = client.get().uri("/").exchange().returnResult(Void.class).getUrl();
        return root.resolve("/registrations/" + race + "/" + bib).toString();
    }
}
