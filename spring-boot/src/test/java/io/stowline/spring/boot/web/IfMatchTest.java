package io.stowline.spring.boot.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.put;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.outcome.WriteResult;
import io.stowline.spring.boot.web.WebApplication.Runner;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.RequestBuilder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

class IfMatchTest {

    private static final String WEAK_ETAG = "W/\"datetime'2026-11-23T07%3A02%3A11.7480000Z'\"";
    private static final String STRONG_ETAG = WEAK_ETAG.substring(2);

    private static final int CLIENTS = 4;
    private static final int CHANGES = 40;

    private static WebApplication application;

    @RestController
    static class RunnerController {

        private final Table<Runner> runners;
        private final Table<Runner> archived;
        private final BlobContainer photos;

        RunnerController(Stowline stowline, @Qualifier("archive") Stowline archive) {
            this.runners = stowline.table("runners", Runner.class);
            this.archived = archive.table("runners", Runner.class);
            this.photos = archive.container("photos");
        }

        private Table<Runner> table(String account) {
            return account.equals("main") ? runners : archived;
        }

        @GetMapping("/{account}/{bib}")
        ResponseEntity<Runner> find(@PathVariable String account, @PathVariable String bib) {
            return EntityTag.ok(table(account).find("2026", bib));
        }

        @PutMapping("/{account}/{bib}/{age}")
        ResponseEntity<Runner> change(
                @PathVariable String account, @PathVariable String bib, @PathVariable int age, IfMatch ifMatch) {
            StoredEntity<Runner> stored = ifMatch.check(table(account).find("2026", bib));
            Runner changed = new Runner("2026", bib, age);
            WriteResult written = table(account).replace(stored.with(changed));
            return ResponseEntity.ok().headers(EntityTag.of(written.etag())).body(changed);
        }

        @PutMapping("/photos/{name}")
        String photo(@PathVariable String name, IfMatch ifMatch) {
            return ifMatch.check(photos.info(name)).name();
        }

        @PutMapping("/optional")
        String optional(Optional<IfMatch> ifMatch) {
            return ifMatch.map(condition -> "any " + condition.isAny()).orElse("none");
        }

        @PutMapping("/nullable")
        String nullable(@Nullable IfMatch ifMatch) {
            return ifMatch == null ? "none" : "any " + ifMatch.isAny();
        }
    }

    @BeforeAll
    static void start() {
        application = new WebApplication(Map.of(), RunnerController.class);
        RunnerController controller = application.bean(RunnerController.class);
        controller.runners.create();
        controller.archived.create();
        controller.photos.create();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static MockHttpServletResponse send(RequestBuilder request) throws Exception {
        return application.send(request);
    }

    @ParameterizedTest
    @ValueSource(strings = {"main", "archive"})
    @DisplayName("a version of the table goes out as a strong tag, and comes back as a condition")
    void roundTrip(String account) throws Exception {
        Table<Runner> table = application.bean(RunnerController.class).table(account);
        String etag = table.insertOrReplace(new Runner("2026", "1", 30)).etag();
        assertThat(etag).startsWith("W/");

        MockHttpServletResponse found = send(get("/" + account + "/1"));
        String tag = found.getHeader("ETag");
        assertThat(tag).isEqualTo(etag.substring(2));
        MockHttpServletResponse same = send(get("/" + account + "/1").header("If-None-Match", tag));
        assertThat(same.getStatus()).isEqualTo(304);
        assertThat(same.getContentAsString()).isEmpty();
        assertThat(same.getHeader("ETag")).isEqualTo(tag);

        MockHttpServletResponse changed = send(put("/" + account + "/1/31").header("If-Match", "\"other\"", tag));
        assertThat(changed.getStatus()).isEqualTo(200);
        String next = changed.getHeader("ETag");
        assertThat(next).isNotEqualTo(tag);
        assertThat(send(put("/" + account + "/1/32").header("If-Match", tag)).getStatus())
                .isEqualTo(412);
        assertThat(send(get("/" + account + "/1").header("If-None-Match", tag)).getStatus())
                .isEqualTo(200);
        assertThat(send(put("/" + account + "/1/33").header("If-Match", "*")).getStatus())
                .isEqualTo(200);
        assertThat(send(put("/" + account + "/none/33").header("If-Match", "*")).getStatus())
                .isEqualTo(404);
        assertThat(send(get("/" + account + "/none")).getStatus()).isEqualTo(404);
        assertThat(table.find("2026", "1").orElseThrow().value().age()).isEqualTo(33);
    }

    @Test
    @DisplayName("a change between the read and the write is a 412 of the service, with the same type")
    void lostRace() throws Exception {
        Table<Runner> table = application.bean(RunnerController.class).runners;
        table.insertOrReplace(new Runner("2026", "race", 30));
        String tag = send(get("/main/race")).getHeader("ETag");
        application.main.refuseNext("PUT", "runners", 412, "UpdateConditionNotSatisfied");

        MockHttpServletResponse response = send(put("/main/race/31").header("If-Match", tag));

        assertThat(response.getStatus()).isEqualTo(412);
        assertThat(response.getContentAsString()).contains("/problems/version-changed");
    }

    @Test
    @DisplayName("OUTCOME-2: of concurrent changes by If-Match none is lost, also where responses of the storage are")
    void noLostUpdates() throws Exception {
        application.bean(RunnerController.class).archived.insertOrReplace(new Runner("2026", "counter", 0));
        AtomicInteger counted = new AtomicInteger();
        AtomicInteger unknown = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        CyclicBarrier allHaveRead = new CyclicBarrier(CLIENTS);
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        List<Future<?>> ends = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            ends.add(clients.submit(() -> {
                for (int i = 0; i < CHANGES; i++) {
                    MockHttpServletResponse found = send(get("/archive/counter"));
                    if (i == 1) {
                        // On a busy machine the clients may not meet otherwise.
                        allHaveRead.await(1, TimeUnit.MINUTES);
                    }
                    int age = JsonMapper.shared()
                            .readTree(found.getContentAsString())
                            .get("age")
                            .asInt();
                    if (i % 5 == 0) {
                        application.archive.loseNextResponse("PUT", "counter");
                    }
                    int status = send(put("/archive/counter/" + (age + 1)).header("If-Match", found.getHeader("ETag")))
                            .getStatus();
                    (status == 200 ? counted : status == 412 ? refused : unknown).incrementAndGet();
                }
                return null;
            }));
        }
        for (Future<?> end : ends) {
            end.get();
        }
        clients.shutdown();

        int stored = application
                .bean(RunnerController.class)
                .archived
                .find("2026", "counter")
                .orElseThrow()
                .value()
                .age();
        assertThat(stored).isBetween(counted.get(), counted.get() + unknown.get());
        assertThat(counted.get() + unknown.get() + refused.get()).isEqualTo(CLIENTS * CHANGES);
        assertThat(counted.get()).isGreaterThan(CHANGES / 2);
        assertThat(refused.get()).isGreaterThanOrEqualTo(CLIENTS - 1);
    }

    @Test
    void aRecoveredChangeOfUnknownVersionHasNoTag() throws Exception {
        assertThat(EntityTag.of("").isKnown()).isFalse();
        assertThat(ResponseEntity.ok()
                        .headers(EntityTag.of(""))
                        .build()
                        .getHeaders()
                        .getETag())
                .isNull();
        assertThat(IfMatch.of("\"a\"").matches(EntityTag.of(""))).isFalse();
        assertThat(IfMatch.of("*").matches(EntityTag.of(""))).isTrue();
    }

    @Test
    void aBlobIsCheckedToo() throws Exception {
        BlobContainer photos = application.bean(RunnerController.class).photos;
        photos.upload("a".getBytes(StandardCharsets.UTF_8), "a.txt");
        String etag = photos.info("a.txt").etag();

        assertThat(send(put("/photos/a.txt").header("If-Match", etag)).getContentAsString())
                .isEqualTo("a.txt");
        assertThat(send(put("/photos/a.txt").header("If-Match", "\"other\"")).getStatus())
                .isEqualTo(412);
        assertThat(EntityTag.of(etag).value()).isEqualTo(etag);
    }

    @Test
    void aChangeWithoutAVersionIsA428AndReadsNothing() throws Exception {
        int before = application.main.requests().size();
        MockHttpServletResponse response = send(put("/main/1/31"));

        assertThat(response.getStatus()).isEqualTo(428);
        assertThat(response.getContentAsString()).contains("/problems/version-required", "Send the ETag");
        assertThat(send(put("/optional")).getContentAsString()).isEqualTo("none");
        assertThat(send(put("/optional").header("If-Match", "*")).getContentAsString())
                .isEqualTo("any true");
        assertThat(send(put("/nullable")).getContentAsString()).isEqualTo("none");
        assertThat(send(put("/nullable").header("If-Match", "\"a\"")).getContentAsString())
                .isEqualTo("any false");
        assertThat(send(put("/optional").header("If-Match", "a")).getStatus()).isEqualTo(400);
        assertThat(application.main.requests()).hasSize(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "\"a",
                "a\"",
                "\"",
                "\"a\" \"b\"",
                "\"a\"\"b\"",
                "\"a\";\"b\"",
                "\"a b\"",
                "\"a\u007f\"",
                "\"a\u0100\"",
                "\"a\u0001\"",
                "\"a\tb\"",
                "w/\"a\"",
                "W /\"a\"",
                "W/ \"a\"",
                "W/a",
                "W/",
                "W/\"",
                "W/W/\"a\"",
                "*, \"a\"",
                "\"a\", *",
                "**",
                "* *",
                "",
                " ",
                ",",
                " , ,\t,",
                "'a'",
                "\"a\", b",
                "\"a\",W/",
                "\\\"a\\\"",
                "\u201ca\u201d"
            })
    void aMalformedHeaderIsA400(String header) throws Exception {
        ProblemException problem = catchThrowableOfType(ProblemException.class, () -> IfMatch.of(header));

        assertThat(problem).isNotNull();
        assertThat(problem.type()).isEqualTo(ProblemType.INVALID_INPUT);
        assertThat(problem.getBody().getProperties()).containsEntry("name", "If-Match");
        assertThat(problem.getMessage()).matches("\\P{Cntrl}*");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        "a"                  | "a"      | true
        "a"                  | W/"a"    | true
        W/"a"                | "a"      | false
        W/"a"                | W/"a"    | false
        W/"a", "a"           | W/"a"    | true
        "b","a"              | "a"      | true
        "b"  ,  "a"          | "a"      | true
        , "b",, ,"a",        | "a"      | true
        "a,b"                | "a,b"    | true
        "a,b"                | "a"      | false
        "A"                  | "a"      | false
        "W/a"                | "W/a"    | true
        ""                   | ""       | true
        ""                   | "a"      | false
        "*"                  | "a"      | false
        "*"                  | "*"      | true
        *                    | "a"      | true
        "\\"                 | "\\"     | true
        "é"                  | "é"      | true
        """)
    void tagsAreComparedStrongly(String header, String etag, boolean matches) {
        assertThat(IfMatch.of(header).matches(EntityTag.of(etag))).isEqualTo(matches);
    }

    @Test
    @DisplayName("of 20,000 random headers each is read as RFC 9110 has it, or is a 400")
    void randomHeaders() {
        Random random = new Random(48);
        String alphabet = "\"\"\"\"W//,,, \t*ab'\\\u0000\u00e9\u20ac";
        String tag = "(W/)?\"[\\x21\\x23-\\x7E\\x80-\\xFF]*\"";
        String list = "[ \\t]*(,[ \\t]*)*" + tag + "([ \\t]*,([ \\t]*" + tag + ")?)*[ \\t]*";
        int read = 0;
        for (int i = 0; i < 20_000; i++) {
            String header = random.ints(random.nextInt(9), 0, alphabet.length())
                    .mapToObj(c -> String.valueOf(alphabet.charAt(c)))
                    .reduce("", String::concat);
            boolean expected = header.strip().equals("*") || header.strip().matches(list);
            boolean actual = true;
            try {
                IfMatch.of(header);
                read++;
            } catch (ProblemException e) {
                actual = false;
            }
            assertThat(actual).as("<%s>", header).isEqualTo(expected);
        }
        assertThat(read).isGreaterThan(100);
    }

    @Test
    void aLongHeaderIsReadOnce() {
        String header = "\"a\",".repeat(50_000) + "\"b\"";

        assertThat(IfMatch.of(header).matches(EntityTag.of("\"b\""))).isTrue();
        ProblemException problem = catchThrowableOfType(ProblemException.class, () -> IfMatch.of(header + "x"));
        assertThat(problem.getMessage()).hasSizeLessThan(400);
    }

    @Test
    void aWeakTagAloneIsExplained() {
        StoredEntity<String> stored = StoredEntity.of("value", WEAK_ETAG);

        assertThatThrownBy(() -> IfMatch.of(WEAK_ETAG).check(stored))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("weak");
        assertThat(IfMatch.of(STRONG_ETAG).check(stored)).isSameAs(stored);
        assertThatThrownBy(() -> IfMatch.of(STRONG_ETAG).check(Optional.empty()))
                .isInstanceOfSatisfying(
                        ProblemException.class, e -> assertThat(e.type()).isEqualTo(ProblemType.NOT_FOUND));
    }

    @Test
    void tagsAreChecked() {
        assertThat(EntityTag.of(WEAK_ETAG))
                .isEqualTo(new EntityTag(STRONG_ETAG))
                .isEqualTo(EntityTag.of(STRONG_ETAG));
        assertThat(EntityTag.ok(StoredEntity.of("value", WEAK_ETAG))
                        .getHeaders()
                        .getETag())
                .isEqualTo(STRONG_ETAG);
        assertThatThrownBy(() -> EntityTag.of("*")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EntityTag(WEAK_ETAG)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> EntityTag.of("0x8D")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EntityTag("\"a\r\nX: y\"")).isInstanceOf(IllegalArgumentException.class);
    }
}
