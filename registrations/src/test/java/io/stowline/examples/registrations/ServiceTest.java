package io.stowline.examples.registrations;

import io.stowline.examples.registrations.RaceSettings.Rules;
import io.stowline.spring.boot.web.ProblemType;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

/** The running service over HTTP. All tests over one storage share it; each has a separate race. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "stowline.create-missing=true",
            "stowline.retry.retries=2",
            "stowline.retry.deadline=6s",
            "stowline.retry.attempt-timeout=4s",
            "stowline.retry.server-timeout=3s"
        })
@AutoConfigureRestTestClient
@Import(SentMails.class)
abstract class ServiceTest {

    static final int CAPACITY = 20_000;

    @Autowired
    RestTestClient client;

    @Autowired
    Runners runners;

    String race;

    @BeforeEach
    void opensARace() {
        race = newRace(Instant.EPOCH, Instant.parse("2100-01-01T00:00:00Z"));
    }

    String newRace(Instant opens, Instant closes) {
        String name = "race-" + UUID.randomUUID();
        client.put()
                .uri("/races/{race}", name)
                .body(new Rules(opens, closes, CAPACITY))
                .exchange()
                .expectStatus()
                .isOk();
        return name;
    }

    Runner runner(int bib) {
        return TestRunners.runner(race, bib);
    }

    RestTestClient.ResponseSpec post(Runner runner) {
        return client.post().uri("/registrations").body(runner).exchange();
    }

    RestTestClient.ResponseSpec get(int bib) {
        return client.get().uri("/registrations/{race}/{bib}", race, bib).exchange();
    }

    RestTestClient.ResponseSpec put(Runner changed, int bib, String ifMatch) {
        return client.put()
                .uri("/registrations/{race}/{bib}", race, bib)
                .header(HttpHeaders.IF_MATCH, ifMatch)
                .body(changed)
                .exchange();
    }

    static String etag(RestTestClient.ResponseSpec answer) {
        return String.valueOf(
                answer.returnResult(Void.class).getResponseHeaders().getETag());
    }

    static void expectProblem(RestTestClient.ResponseSpec answer, ProblemType type) {
        expectProblem(
                answer, type.status(), type.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    static void expectProblem(RestTestClient.ResponseSpec answer, HttpStatus status, String type) {
        answer.expectStatus()
                .isEqualTo(status)
                .expectHeader()
                .contentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo("/problems/" + type);
    }
}
