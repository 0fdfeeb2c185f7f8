package io.stowline.spring.boot.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.put;

import io.stowline.Stowline;
import io.stowline.error.AuthenticationException;
import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import io.stowline.projection.InvalidKeyException;
import io.stowline.ring.PartitionMovingException;
import io.stowline.spring.boot.web.WebApplication.Runner;
import io.stowline.table.BufferFullException;
import io.stowline.table.InvalidPageTokenException;
import io.stowline.table.Table;
import io.stowline.table.UnreadableEntityException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.RequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ProblemDetailsTest {

    private static final int LOST = 1_000;

    private static WebApplication application;

    @RestController
    static class RunnerController {

        private final Table<Runner> runners;
        private final Table<Runner> archived;
        private RuntimeException failure = new IllegalStateException();

        RunnerController(Stowline stowline, @Qualifier("archive") Stowline archive) {
            this.runners = stowline.table("runners", Runner.class);
            this.archived = archive.table("runners", Runner.class);
        }

        @GetMapping(
                path = "/fail",
                produces = {MediaType.APPLICATION_JSON_VALUE, "text/csv"})
        String fail() {
            throw failure;
        }

        @GetMapping("/fail/later")
        CompletableFuture<String> failLater() {
            return CompletableFuture.failedFuture(failure);
        }

        @GetMapping("/{account}/{race}/{bib}")
        ResponseEntity<Runner> find(@PathVariable String account, @PathVariable String race, @PathVariable String bib) {
            return EntityTag.ok(table(account).find(race, bib));
        }

        @PutMapping("/{account}/{race}/{bib}/{age}")
        void insert(
                @PathVariable String account,
                @PathVariable String race,
                @PathVariable String bib,
                @PathVariable int age) {
            table(account).insert(new Runner(race, bib, age));
        }

        @PutMapping("/{account}/{race}/{bib}")
        void replaceAndDelete(@PathVariable String account, @PathVariable String race, @PathVariable String bib) {
            table(account).delete(EntityTag.found(table(account).find(race, bib)));
        }

        private Table<Runner> table(String account) {
            return account.equals("main") ? runners : archived;
        }
    }

    @BeforeAll
    static void start() {
        application = new WebApplication(Map.of(), RunnerController.class);
        RunnerController controller = application.bean(RunnerController.class);
        controller.runners.create();
        controller.archived.create();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static MockHttpServletResponse send(RequestBuilder request) throws Exception {
        return send(application, request);
    }

    private static MockHttpServletResponse send(WebApplication application, RequestBuilder request) throws Exception {
        return application.send(request);
    }

    private static MockHttpServletResponse failed(RuntimeException failure) throws Exception {
        application.bean(RunnerController.class).failure = failure;
        return send(get("/fail"));
    }

    private static JsonNode problem(MockHttpServletResponse response) throws Exception {
        assertThat(response.getContentType()).isEqualTo(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        return JsonMapper.shared().readTree(response.getContentAsString());
    }

    private static JsonNode expect(MockHttpServletResponse response, ProblemType type) throws Exception {
        assertThat(response.getStatus())
                .as(response.getContentAsString())
                .isEqualTo(type.status().value());
        JsonNode problem = problem(response);
        assertThat(problem.get("type").asString()).isEqualTo("/problems/" + type.ending());
        assertThat(problem.get("title").asString()).isEqualTo(type.title());
        assertThat(problem.get("status").asInt()).isEqualTo(type.status().value());
        assertThat(problem.get("detail").asString()).isNotBlank();
        return problem;
    }

    @Test
    void aProblemHasTheIdOfTheRequestAndNothingOfItsResponse() throws Exception {
        MockHttpServletResponse response = failed(new AuthenticationException(
                WebApplication.facts(403, "secret-code", 0, null), new RuntimeException("secret")));

        JsonNode problem = expect(response, ProblemType.INTERNAL);
        assertThat(problem.get("clientRequestId").asString()).isEqualTo("client-id-1");
        assertThat(problem.get("operation").asString()).isEqualTo("insert");
        assertThat(problem.get("instance").asString()).isEqualTo("/fail");
        assertThat(response.getContentAsString()).doesNotContain("secret");
        assertThat(response.getHeader("Retry-After")).isNull();
    }

    @Test
    @DisplayName("OUTCOME-0: an unknown outcome has its facts, without what a failed read-back quotes")
    void unknown() throws Exception {
        StorageException lost = new UnreachableException(WebApplication.facts(0, null, 2, null), null);
        MockHttpServletResponse response = failed(new OutcomeUnknownException(
                lost.failure(), "reading back failed: get secret-table(secret-row): down", lost, true));

        JsonNode problem = expect(response, ProblemType.OUTCOME_UNKNOWN);
        assertThat(problem.get("attempts").asInt()).isEqualTo(3);
        assertThat(problem.get("unansweredAttempts").asInt()).isEqualTo(2);
        assertThat(problem.get("readBack").asString()).isEqualTo("reading back failed");
        assertThat(problem.get("mayBecomeKnown").asBoolean()).isTrue();
        assertThat(response.getContentAsString()).doesNotContain("secret");
        assertThat(response.getHeader("Retry-After")).isNull();

        JsonNode interrupted = expect(
                failed(new StorageInterruptedException("sent", new InterruptedException(), lost.failure())),
                ProblemType.OUTCOME_UNKNOWN);
        assertThat(interrupted.get("unansweredAttempts").asInt()).isEqualTo(2);
    }

    @Test
    void anUnavailableStorageHasAWait() throws Exception {
        MockHttpServletResponse demanded = failed(
                new ThrottledException(WebApplication.facts(503, "ServerBusy", 0, Duration.ofMillis(6_001)), null));
        expect(demanded, ProblemType.TOO_BUSY);
        assertThat(demanded.getHeader("Retry-After")).isEqualTo("7");
        MockHttpServletResponse none =
                failed(new ThrottledException(WebApplication.facts(503, "ServerBusy", 0, Duration.ZERO), null));
        assertThat(none.getHeader("Retry-After")).isEqualTo("1");
        MockHttpServletResponse full = failed(new BufferFullException("secret"));
        expect(full, ProblemType.TOO_BUSY);
        assertThat(full.getHeader("Retry-After")).isEqualTo("5");
        assertThat(full.getContentAsString()).doesNotContain("secret");
        MockHttpServletResponse moving = failed(new PartitionMovingException("secret", Duration.ofSeconds(9)));
        expect(moving, ProblemType.STORAGE_UNAVAILABLE);
        assertThat(moving.getContentAsString()).doesNotContain("secret");
    }

    @Test
    void aFailureInItsCausesIsFound() throws Exception {
        expect(
                failed(new IllegalStateException(
                        "secret",
                        new ConflictException(WebApplication.facts(409, "EntityAlreadyExists", 0, null), null))),
                ProblemType.CONFLICT);
        application.bean(RunnerController.class).failure = new PreconditionFailedException(
                WebApplication.facts(412, "UpdateConditionNotSatisfied", 0, null), null);
        MvcResult started = application.mvc.perform(get("/fail/later")).andReturn();
        expect(send(MockMvcRequestBuilders.asyncDispatch(started)), ProblemType.VERSION_CHANGED);
    }

    @ResponseStatus(HttpStatus.UNPROCESSABLE_CONTENT)
    static class RefusedRunnerException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        RefusedRunnerException(Throwable cause) {
            super(cause);
        }
    }

    @Test
    @DisplayName("an exception of the application that states its response keeps it, whatever its cause")
    void statedResponses() throws Exception {
        StorageException cause = new ThrottledException(WebApplication.facts(503, "ServerBusy", 0, null), null);

        assertThat(failed(new RefusedRunnerException(cause)).getStatus()).isEqualTo(422);
        assertThat(failed(new IllegalStateException(new RefusedRunnerException(cause)))
                        .getStatus())
                .isEqualTo(422);
        assertThat(failed(new ResponseStatusException(HttpStatus.GONE, "gone", cause))
                        .getStatus())
                .isEqualTo(410);
        assertThat(failed(new ResponseStatusException(
                                HttpStatus.GONE,
                                "gone",
                                new PartitionMovingException("runners", Duration.ofSeconds(1))))
                        .getStatus())
                .isEqualTo(410);
    }

    @Test
    void stateOfTheDataThatCannotBeReadIsInternal() throws Exception {
        MockHttpServletResponse response = failed(
                new UnreadableEntityException("secret", "secret", "secret", new IllegalArgumentException("secret")));
        expect(response, ProblemType.INTERNAL);
        assertThat(response.getContentAsString()).doesNotContain("secret");
        expect(failed(new InvalidPageTokenException("secret", null)), ProblemType.INVALID_INPUT);
    }

    @Test
    void acceptOfTheRequestDoesNotHideTheProblem() throws Exception {
        application.bean(RunnerController.class).failure = new BufferFullException("full");
        MockHttpServletResponse response = send(get("/fail").accept("text/csv"));
        expect(response, ProblemType.TOO_BUSY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a%23b", "a%3Fb", "a%0Ab", "a%C2%85b"})
    @DisplayName("a path variable that is no key is a 400, without a request")
    void badKeys(String key) throws Exception {
        int before = application.main.requests().size();
        MockHttpServletResponse response = send(get(java.net.URI.create("/main/2026/" + key)));

        JsonNode problem = expect(response, ProblemType.INVALID_INPUT);
        assertThat(problem.get("detail").asString()).startsWith("RowKey: ").contains("position 1");
        assertThat(application.main.requests()).hasSize(before);
    }

    @Test
    void aLongKeyIsA400() throws Exception {
        JsonNode problem = expect(send(get("/archive/" + "x".repeat(1_025) + "/1")), ProblemType.INVALID_INPUT);
        assertThat(problem.get("detail").asString())
                .isEqualTo("PartitionKey: 1025 characters; the limit is 1024 (1 KiB)");
        expect(send(get("/archive/" + "x".repeat(1_024) + "/1")), ProblemType.NOT_FOUND);
    }

    @ParameterizedTest
    @ValueSource(strings = {"main", "archive"})
    void bothAccountsHaveProblemsWithoutTheirNames(String account) throws Exception {
        expect(send(get("/" + account + "/2026/none")), ProblemType.NOT_FOUND);
        assertThat(send(put("/" + account + "/2026/7/30")).getStatus()).isEqualTo(200);
        MockHttpServletResponse conflict = send(put("/" + account + "/2026/7/30"));
        expect(conflict, ProblemType.CONFLICT);
        assertThat(conflict.getContentAsString()).doesNotContain("memory", account + " ", "https:", "runners");
        (account.equals("main") ? application.main : application.archive)
                .refuseNext("GET", "runners", 404, "TableNotFound");
        expect(send(get("/" + account + "/2026/7")), ProblemType.INTERNAL);
    }

    @Test
    @DisplayName("OUTCOME-1: a lost response is no problem: 1,000 inserts without their responses are 1,000 successes")
    void lostResponses() throws Exception {
        for (int bib = 0; bib < LOST; bib++) {
            application.main.loseNextResponse("POST", "runners");
            MockHttpServletResponse response = send(put("/main/lost/" + bib + "/30"));
            assertThat(response.getStatus()).as(response.getContentAsString()).isEqualTo(200);
        }

        assertThat(application
                        .bean(RunnerController.class)
                        .runners
                        .query()
                        .partition("lost")
                        .count())
                .isEqualTo(LOST);
    }

    @Test
    @DisplayName("OUTCOME-3: a conditional delete whose response is lost is a 504 with its facts, and the next request"
            + " works")
    void lostDelete() throws Exception {
        send(put("/archive/gone/1/30"));
        application.archive.loseNextResponse("DELETE", "runners");

        JsonNode problem = expect(send(put("/archive/gone/1")), ProblemType.OUTCOME_UNKNOWN);

        assertThat(problem.get("unansweredAttempts").asInt()).isPositive();
        assertThat(problem.get("readBack").asString()).isNotBlank();
        assertThat(problem.get("clientRequestId").asString()).hasSize(36);
        expect(send(get("/archive/gone/1")), ProblemType.NOT_FOUND);
    }

    @RestControllerAdvice
    static class OwnAdvice extends ResponseEntityExceptionHandler {

        @ExceptionHandler
        ResponseEntity<String> conflict(ConflictException e) {
            return ResponseEntity.status(HttpStatus.LOCKED).body("own");
        }
    }

    static class OwnInterceptor implements WebMvcConfigurer {
        @Override
        public void addErrorResponseInterceptors(
                java.util.List<org.springframework.web.ErrorResponse.Interceptor> interceptors) {
            interceptors.add((detail, response) -> detail.setProperty("service", "registrations"));
        }
    }

    @Test
    @DisplayName("advices of the application take precedence, and each problem passes its interceptors")
    void ownAdvice() throws Exception {
        try (WebApplication own = new WebApplication(
                Map.of("stowline.web.problem-details.type-prefix", "https://example.com/p#"),
                OwnAdvice.class,
                OwnInterceptor.class,
                RunnerController.class)) {
            RunnerController controller = own.bean(RunnerController.class);
            controller.failure = new ConflictException(WebApplication.facts(409, "EntityAlreadyExists", 0, null), null);
            assertThat(send(own, get("/fail")).getContentAsString()).isEqualTo("own");
            controller.failure = new BufferFullException("full");
            JsonNode problem = problem(send(own, get("/fail")));
            assertThat(problem.get("type").asString()).isEqualTo("https://example.com/p#too-busy");
            assertThat(problem.get("service").asString()).isEqualTo("registrations");
            controller.failure = ProblemException.invalid("from", 7, "at most 'to', which is 5");
            JsonNode invalid = problem(send(own, get("/fail")));
            assertThat(invalid.get("type").asString()).isEqualTo("https://example.com/p#invalid-input");
            assertThat(invalid.get("name").asString()).isEqualTo("from");
            assertThat(invalid.get("value").asInt()).isEqualTo(7);
            assertThat(invalid.get("limit").asString()).isEqualTo("at most 'to', which is 5");
            assertThat(invalid.get("detail").asString()).isEqualTo("from must be at most 'to', which is 5, not 7");
            assertThat(send(own, get("/nothing")).getStatus()).isEqualTo(404);
        }
    }

    @Test
    void withoutTheAdviceAProblemExceptionKeepsItsStatus() throws Exception {
        try (WebApplication off =
                new WebApplication(Map.of("stowline.web.problem-details.enabled", "false"), RunnerController.class)) {
            off.bean(RunnerController.class).failure = new ProblemException(ProblemType.VERSION_REQUIRED, "send it");
            MockHttpServletResponse response = send(off, get("/fail"));
            assertThat(response.getStatus()).isEqualTo(428);
            assertThat(response.getContentAsString()).isEmpty();
            off.bean(RunnerController.class).failure = new InvalidKeyException("row key");
            assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> send(off, get("/fail"))))
                    .hasRootCauseInstanceOf(InvalidKeyException.class);
        }
    }

    @Test
    void valuesAreShownSafelyAndShort() {
        ProblemException problem = ProblemException.invalid("name", "a\r\nb\u2028" + "x".repeat(500), "short");

        assertThat(problem.getMessage()).isEqualTo("name must be short, not a??b?" + "x".repeat(195) + "..");
        assertThat(problem.type()).isEqualTo(ProblemType.INVALID_INPUT);
        assertThat(Set.of(problem.getBody().getProperties().get("value")))
                .containsExactly("a??b?" + "x".repeat(195) + "..");
        assertThat(ProblemException.invalid("from", null, "a number").getBody().getDetail())
                .isEqualTo("from must be a number, not null");
    }
}
