package io.stowline.examples.registrations;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.queue.MessageQueue;
import io.stowline.spring.boot.web.ProblemType;
import io.stowline.testkit.RequestMatch;
import io.stowline.testkit.StubResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.test.web.servlet.client.RestTestClient;

/** Accepted registrations have a confirmation sent, through a queue and its listener. */
class ConfirmationTest extends ProxiedServiceTest {

    private static final Duration AT_MOST = Duration.ofMinutes(2);
    private static final int RUNNERS = 6;

    @Autowired
    SentMails mails;

    @Autowired
    MessageQueue<Confirmation.Job> queue;

    @Test
    void anAcceptedRegistrationHasOne() {
        post(runner(1)).expectStatus().isCreated();
        expectProblem(post(runner(1)), ProblemType.CONFLICT);
        awaitAll();

        assertThat(mails.bibs(race)).containsExactly(1);
        assertThat(confirmations(1))
                .singleElement()
                .returns(runner(1).email(), Confirmation::email)
                .returns(1, Confirmation::bib);
    }

    @Test
    void oneMoreIsSentOnRequest() {
        post(runner(1)).expectStatus().isCreated();

        request(1).expectStatus().isAccepted();
        awaitAll();

        assertThat(mails.bibs(race)).containsExactly(1, 1);
        assertThat(confirmations(1)).hasSize(2).doesNotHaveDuplicates();
        expectProblem(request(2), ProblemType.NOT_FOUND);
    }

    @Test
    void lostAnswersSendNoneTwice() {
        proxy.when(sends().every(2)).loseResponse();
        proxy.when(requests().method("POST").path("**/confirmations").every(2)).loseResponse();
        proxy.when(requests()
                        .method("DELETE")
                        .path("**/confirmations/messages/**")
                        .every(2))
                .loseResponse();

        for (int bib = 1; bib <= RUNNERS; bib++) {
            post(runner(bib)).expectStatus().isCreated();
        }
        awaitAll();

        assertThat(proxy.recorded(sends())).hasSizeGreaterThan(RUNNERS);
        assertThat(mails.bibs(race))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, RUNNERS).boxed().toList());
    }

    @Test
    void aRegistrationStaysWithoutItsConfirmation() {
        proxy.when(sends()).respond(StubResponse.error(500, "InternalError", "down"));

        post(runner(1)).expectStatus().isCreated();
        proxy.clear();

        get(1).expectStatus().isOk();
        assertThat(confirmations(1)).isEmpty();
    }

    private static RequestMatch sends() {
        return requests().method("POST").path("**/confirmations/messages");
    }

    /** Ends when the listener has handled all messages, copies too. */
    private void awaitAll() {
        Awaitility.await().atMost(AT_MOST).until(() -> queue.approximateCount() == 0);
    }

    private RestTestClient.ResponseSpec request(int bib) {
        return client.post()
                .uri("/registrations/{race}/{bib}/confirmations", race, bib)
                .exchange();
    }

    private List<Confirmation> confirmations(int bib) {
        return client.get()
                .uri("/registrations/{race}/{bib}/confirmations", race, bib)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(new ParameterizedTypeReference<List<Confirmation>>() {})
                .returnResult()
                .getResponseBody();
    }
}
