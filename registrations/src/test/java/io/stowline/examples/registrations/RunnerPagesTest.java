package io.stowline.examples.registrations;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.spring.boot.web.PageResponse;
import io.stowline.spring.boot.web.ProblemType;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpHeaders;
import org.springframework.test.web.servlet.client.EntityExchangeResult;

class RunnerPagesTest extends MemoryServiceTest {

    private static final int RUNNERS = 250;
    private static final int SIZE = 40;

    @LocalServerPort
    int port;

    @Test
    void nextLinksLeadOverAllPages() throws Exception {
        new ImportClient(port).upload(TestRunners.rows(race, 1, RUNNERS));
        List<Runner> found = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();

        URI next = URI.create("/registrations/" + race + "?size=" + SIZE);
        while (next != null) {
            EntityExchangeResult<PageResponse<Runner>> answer = page(next);
            PageResponse<Runner> page = answer.getResponseBody();
            sizes.add(page.values().size());
            found.addAll(page.values());
            next = page.next();
            assertThat(answer.getResponseHeaders().getFirst(HttpHeaders.LINK))
                    .isEqualTo(next == null ? null : "<" + next + ">; rel=\"next\"");
        }

        assertThat(found)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, RUNNERS).mapToObj(this::runner).toList());
        assertThat(sizes).containsExactly(40, 40, 40, 40, 40, 40, 10);
    }

    @Test
    void aTokenBelongsToItsList() {
        post(runner(1)).expectStatus().isCreated();
        post(runner(2)).expectStatus().isCreated();
        URI next = page(URI.create("/registrations/" + race + "?size=1"))
                .getResponseBody()
                .next();
        opensARace();

        for (String page : List.of("nonsense", next.getQuery().replaceAll(".*page=([^&]*).*", "$1"))) {
            expectProblem(
                    client.get()
                            .uri("/registrations/{race}?page={page}", race, page)
                            .exchange(),
                    ProblemType.INVALID_INPUT);
        }
    }

    private EntityExchangeResult<PageResponse<Runner>> page(URI address) {
        return client.get()
                .uri(address)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(new ParameterizedTypeReference<PageResponse<Runner>>() {})
                .returnResult();
    }
}
