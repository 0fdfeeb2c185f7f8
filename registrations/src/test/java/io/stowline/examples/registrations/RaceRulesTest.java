package io.stowline.examples.registrations;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.spring.boot.web.ProblemType;
import io.stowline.testkit.StubResponse;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;

class RaceRulesTest extends ProxiedServiceTest {

    private static final int RUNNERS = 20;

    @Test
    void rulesAreReadOnce() {
        proxy.clear();

        for (int bib = 1; bib <= RUNNERS; bib++) {
            post(runner(bib)).expectStatus().isCreated();
        }

        assertThat(proxy.recorded(requests().path("**races**"))).hasSize(1);
        assertThat(proxy.recorded(requests().path("**$batch**"))).hasSize(RUNNERS);
        assertThat(proxy.recorded(requests().path("**runners**"))).isEmpty();
    }

    @Test
    void theOwnChangeCountsAtOnce() {
        post(runner(1)).expectStatus().isCreated();

        client.put()
                .uri("/races/{race}", race)
                .body(new RaceSettings.Rules(Instant.EPOCH, Instant.EPOCH.plusSeconds(1), CAPACITY))
                .exchange()
                .expectStatus()
                .isOk();

        expectProblem(post(runner(2)), HttpStatus.CONFLICT, "registration-closed");
    }

    @Test
    void knownRulesServeWhileTheirTableIsDown() {
        post(runner(1)).expectStatus().isCreated();
        proxy.when(requests().path("**races**")).respond(StubResponse.tableError(500, "InternalError", "down"));

        post(runner(2)).expectStatus().isCreated();
        expectProblem(post(TestRunners.runner("race-of-mice", 1)), ProblemType.STORAGE_UNAVAILABLE);
    }
}
