package io.stowline.examples.registrations;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.examples.registrations.ImportReport.RowProblem;
import io.stowline.spring.boot.web.ProblemType;
import io.stowline.table.IndexedTable.IndexReport;
import io.stowline.testkit.StubResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpHeaders;

/** Failures that clients of the service see when the storage throttles, loses responses or does not respond. */
class FaultsTest extends ProxiedServiceTest {

    private static final int RUNNERS = 1_000;

    @LocalServerPort
    int port;

    @Test
    void aLostAnswerStaysARegistration() {
        for (int bib = 1; bib <= 10; bib++) {
            proxy.clear();
            proxy.when(requests().path("**$batch**").nth(1)).loseResponse();

            post(runner(bib)).expectStatus().isCreated();
            get(bib).expectBody(Runner.class).isEqualTo(runner(bib));
        }

        assertThat(runners.table().query().partition(race).count()).isEqualTo(10);
    }

    @Test
    void aLostAnswerStaysAChange() {
        String etag = etag(post(runner(1)));
        Runner changed = new Runner(race, runner(1).email(), 1, "Ann", 77, "NO");
        proxy.when(requests().path("**$batch**").nth(1)).loseResponse();

        put(changed, 1, etag).expectStatus().isOk();

        get(1).expectBody(Runner.class).isEqualTo(changed);
    }

    @Test
    void anImportWithLostAnswersWritesEachRunnerOnce() throws Exception {
        proxy.when(requests().path("**$batch**").every(3)).loseResponse();

        ImportReport report = new ImportClient(port)
                .upload(TestRunners.rows(race, 1, RUNNERS))
                .report();
        proxy.clear();

        assertThat(report).isEqualTo(new ImportReport(ImportState.COMPLETE, RUNNERS, RUNNERS, 0, 0, List.of()));
        assertThat(runners.table().query().partition(race).list()).hasSize(RUNNERS);
        assertThat(runners.table().repair(race)).isEqualTo(new IndexReport(RUNNERS, 0, 0, 0, 0));
    }

    @Test
    void anUnknownOutcomeIsAProblemOfItsOwn() {
        proxy.when(requests().method("POST").path("**$batch**")).loseResponse();
        proxy.when(requests().method("GET").path("**runners**"))
                .respond(StubResponse.tableError(500, "InternalError", "down"));

        post(runner(1))
                .expectStatus()
                .isEqualTo(504)
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo("/problems/outcome-unknown")
                .jsonPath("$.operation")
                .isNotEmpty()
                .jsonPath("$.unansweredAttempts")
                .isNotEmpty()
                .jsonPath("$.mayBecomeKnown")
                .isEqualTo(true)
                .jsonPath("$.clientRequestId")
                .isNotEmpty();
    }

    @Test
    void throttlingIsAnswered503WithTheWait() {
        proxy.when(requests().path("**$batch**"))
                .respond(StubResponse.tableError(503, "ServerBusy", "slow down").retryAfter(Duration.ofSeconds(7)));

        post(runner(1))
                .expectStatus()
                .isEqualTo(503)
                .expectHeader()
                .valueEquals(HttpHeaders.RETRY_AFTER, "7")
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo("/problems/too-busy");
    }

    @Test
    void aRefusalOfTheServiceItselfIsAnInternalProblem() {
        proxy.when(requests().path("**$batch**"))
                .respond(StubResponse.tableError(403, "AuthorizationFailure", "no permission"));

        post(runner(1))
                .expectStatus()
                .isEqualTo(500)
                .expectHeader()
                .doesNotExist(HttpHeaders.RETRY_AFTER)
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo("/problems/internal");
    }

    @Test
    void anImportThatLosesItsRaceSaysWhere() throws Exception {
        String other = newRace(Instant.EPOCH, Instant.parse("2100-01-01T00:00:00Z"));
        proxy.when(requests().method("GET").path("**races**"))
                .respond(StubResponse.tableError(500, "InternalError", "down"));

        ImportReport report =
                new ImportClient(port).upload(TestRunners.rows(other, 1, 3)).report();

        assertThat(report.state()).isEqualTo(ImportState.FAILED);
        assertThat(report.problems())
                .containsExactly(
                        new RowProblem(2, ProblemType.STORAGE_UNAVAILABLE, ProblemType.STORAGE_UNAVAILABLE.detail()));
    }

    @Test
    void aStorageThatIsDownIsAnswered503() {
        get(1);
        proxy.refuse();
        try {
            get(1).expectStatus()
                    .isEqualTo(503)
                    .expectHeader()
                    .exists(HttpHeaders.RETRY_AFTER)
                    .expectBody()
                    .jsonPath("$.type")
                    .isEqualTo("/problems/storage-unavailable");
        } finally {
            proxy.accept();
        }
    }
}
